// How the missing cells of a row are summed out, planned once for all rows with the same missing cells.
//
// Given the cells that are known, missing variables that share no family do not depend on each other, and a
// row falls apart into parts: connected sets of missing variables in the moral graph. A part depends on the
// known cells of the families that it touches and on nothing else, so most rows with few missing cells share
// their parts with others, in the same states. The bags of a part are those of the elimination order of the
// whole network, cut down to the members of the part. They are cliques of its filled graph, so what is left
// of one above a variable lies in the bag of the next variable that leaves, and no graph is eliminated again.
//
// A plan may also cover variables that are known in some rows. Such a variable is pinned: all cells of its
// bag that disagree become zero. The plan of all variables therefore serves every row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "network/count_families.hpp"

namespace treebound {

/// The families of a network with their place in an elimination order.
class EliminationBags {
 public:
  EliminationBags(const FamiliesView& families, std::span<const VariableId> order);

  const FamiliesView& families() const { return families_; }
  std::size_t num_variables() const { return families_.num_variables(); }
  std::span<const VariableId> order() const { return order_; }
  std::uint32_t rank(VariableId v) const { return rank_[v]; }
  /// What is left of the bag of v when v has left it, by rank.
  std::span<const VariableId> later(VariableId v) const { return later_[v]; }
  /// Children whose families v belongs to, itself among them.
  std::span<const VariableId> families_with(VariableId v) const { return mentions_[v]; }
  /// The members of a family: parents in their order, then the child.
  std::span<const VariableId> members(VariableId child) const { return members_[child]; }

 private:
  FamiliesView families_;
  std::vector<VariableId> order_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::vector<VariableId>> members_, mentions_, later_;
};

/// The bags of a part in the order of elimination, each a table over one variable, which runs slowest, and
/// those that it meets later, the last one running fastest.
struct PartPlan {
  struct Bag {
    std::uint32_t num_states;      // of the variable that leaves
    std::uint32_t num_separators;  // joint states of the others
    std::uint32_t parent;          // the bag that the others lie in, or kNoParent
    std::size_t first_cell;
    std::size_t first_parent_map;  // for each cell of the parent: which joint state of the others it has
    std::uint32_t first_factor, last_factor;

    std::size_t num_cells() const { return std::size_t{num_states} * num_separators; }
  };
  /// The table of a family: cell c of the bag reads maps[first_map + c] places behind its first known cell.
  struct Factor {
    VariableId child;
    std::size_t first_map;
    std::uint32_t first_known, last_known;
  };
  struct Known {
    VariableId variable;
    std::uint32_t stride;
  };
  static constexpr std::uint32_t kNoParent = 0xffffffffu;

  std::vector<VariableId> variables;  // one per bag
  std::vector<Bag> bags;
  std::vector<Factor> factors;
  std::vector<Known> known;
  std::vector<std::uint32_t> maps;
  std::size_t num_cells = 0;
  std::size_t most_separators = 1;
};

/// Plans the elimination of `variables`, in their order. `is_member` is true for these alone.
PartPlan plan_part(const EliminationBags& bags, std::span<const VariableId> variables,
                   const std::vector<bool>& is_member);

/// About how many cells such a plan has, without making it.
double cells_of_part(const EliminationBags& bags, std::span<const VariableId> variables,
                     const std::vector<bool>& is_member);

}  // namespace treebound
