// The parent sets inside a k-tree, with all that is easily decided taken off first:
//   - a variable whose best set has only variables that are taken off as *first* can go first and loses
//     nothing; so do sets worse than one that always fits;
//   - a variable that is in no set of the others that is left can go last and loses nothing.
// Both are repeated until nothing changes. In a k-tree drawn at random few variables are left, on short
// cycles of favourites, and the choice among them has far smaller bags.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/problem.hpp"
#include "search/within_ktree/covered_entries.hpp"
#include "search/within_ktree/parent_choices.hpp"

namespace treebound {

class PeeledChoices {
 public:
  explicit PeeledChoices(const SearchProblem& problem)
      : problem_(problem),
        ends_(problem.num_variables()),
        state_(problem.num_variables()),
        num_uses_(problem.num_variables()) {}

  /// Writes the choices of all variables: one without parents for those that are taken off, and for the
  /// others their sets without the parents that go first.
  void write(CoveredEntries& covered, ParentChoices& choices);

 private:
  enum State : std::uint8_t { kOpen, kFirst, kLast };

  std::span<const EntryId> entries(VariableId v) const {
    return {entries_.data() + offsets_[v], ends_[v] - offsets_[v]};
  }
  bool always_fits(EntryId entry) const;
  bool shorten(VariableId v);
  bool take_first();
  bool take_last();

  const SearchProblem& problem_;
  std::vector<EntryId> entries_;  // by variable, best first
  std::vector<std::size_t> offsets_, ends_;
  std::vector<State> state_;
  std::vector<std::uint32_t> num_uses_;
  std::vector<VariableId> left_;
};

}  // namespace treebound
