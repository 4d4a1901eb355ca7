// The entries of a problem whose families lie in a clique of a k-tree.
//
// All members of such a family are neighbours in the k-tree, and few variables are neighbours: most entries
// fail on their first two parents, which stand in the heads. The rest are asked of the k-tree itself.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/ktree/growing_ktree.hpp"
#include "search/problem.hpp"

namespace treebound {

class CoveredEntries {
 public:
  explicit CoveredEntries(const SearchProblem& problem);

  /// Looks at a complete k-tree from now on; it must not change meanwhile.
  void look_at(const GrowingKTree& tree);

  /// The best entry of v in a clique.
  EntryId best(VariableId v);
  /// Calls visit(entry) for all entries of v in a clique, best first, the empty one last.
  template <typename Visit>
  void for_each(VariableId v, Visit&& visit) {
    mark_neighbours(v);
    for (EntryId entry = problem_.best_entry(v); entry <= problem_.empty_entry(v); ++entry)
      if (is_covered(entry)) visit(entry);
    unmark_neighbours(v);
  }

 private:
  std::span<const VariableId> neighbours(VariableId v) const {
    return {neighbours_.data() + offsets_[v], offsets_[v + 1] - offsets_[v]};
  }
  void mark_neighbours(VariableId v) {
    for (const VariableId u : neighbours(v)) is_near_[u] = 1;
  }
  void unmark_neighbours(VariableId v) {
    for (const VariableId u : neighbours(v)) is_near_[u] = 0;
  }
  bool is_covered(EntryId entry) const {
    const auto [first, second] = problem_.heads()[entry];
    if ((is_near_[first & ~SearchProblem::kMany] & is_near_[second]) == 0) return false;
    return second == problem_.num_variables() || tree_->holds(problem_.family(entry));
  }

  const SearchProblem& problem_;
  const GrowingKTree* tree_ = nullptr;
  std::vector<std::uint32_t> offsets_;
  std::vector<VariableId> neighbours_;
  std::vector<std::uint8_t> is_near_;  // to the variable asked for; the pseudo-variable of empty sets always
};

}  // namespace treebound
