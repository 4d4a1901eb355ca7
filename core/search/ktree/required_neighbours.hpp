// Which variables must share a clique for the required parents to fit.
//
// The members of a least allowed family must be neighbours in the k-tree. Two variables become neighbours
// when the later one joins a separator with the earlier one in it, or never. So along an order, a variable
// *demands* a separator with those before it that it shares a least family with, or that a later variable
// demands next to it: its earlier neighbours when the graph of these families is eliminated against the
// order. They are a clique if every variable has been inserted as it demanded. An order that demands more
// than k is of no use.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/ktree/growing_ktree.hpp"
#include "search/problem.hpp"

namespace treebound {

class RequiredNeighbours {
 public:
  explicit RequiredNeighbours(const SearchProblem& problem);

  /// Whether any parents are required.
  bool is_any() const { return !neighbours_.empty(); }

  /// Prepares demand().
  void follow(std::span<const VariableId> order);
  std::span<const VariableId> demand(VariableId v) const { return demands_[v]; }
  /// The demand of a variable that is inserted next, where nothing is known of those after it.
  std::span<const VariableId> demand(VariableId v, const GrowingKTree& tree);

  /// The first entry of v whose parents lie in a clique with the demand, together with them; of a variable
  /// that finds none the last entry, and no members.
  struct Choice {
    EntryId entry;
    std::span<const VariableId> members;
  };
  Choice first_that_fits(const GrowingKTree& tree, VariableId v, std::span<const VariableId> demand);

 private:
  const SearchProblem& problem_;
  std::vector<std::vector<VariableId>>
      neighbours_;  // in the graph of least families; empty if there are none
  std::vector<std::vector<VariableId>> demands_;
  std::vector<std::uint32_t> places_;
  std::vector<VariableId> inserted_, members_;
};

}  // namespace treebound
