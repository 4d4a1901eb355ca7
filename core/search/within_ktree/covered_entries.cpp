#include "search/within_ktree/covered_entries.hpp"

#include <algorithm>
#include <cassert>

namespace treebound {

CoveredEntries::CoveredEntries(const SearchProblem& problem)
    : problem_(problem), offsets_(problem.num_variables() + 2), is_near_(problem.num_variables() + 1) {
  is_near_.back() = 1;
}

void CoveredEntries::look_at(const GrowingKTree& tree) {
  const std::uint32_t n = problem_.num_variables();
  assert(tree.order().size() == n);
  tree_ = &tree;
  // The separators of members of the root name each other; those of the rest name one end of each edge.
  const auto is_root = [&](VariableId v) { return tree.positions()[v] <= tree.width(); };
  std::fill(offsets_.begin(), offsets_.end(), 0u);
  for (VariableId v = 0; v < n; ++v) {
    offsets_[v + 2] += tree.width();
    if (is_root(v)) continue;
    for (const VariableId u : tree.separator(v)) ++offsets_[u + 2];
  }
  for (std::size_t i = 2; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
  neighbours_.resize(offsets_.back());
  for (VariableId v = 0; v < n; ++v) {
    for (const VariableId u : tree.separator(v)) {
      neighbours_[offsets_[v + 1]++] = u;
      if (!is_root(v)) neighbours_[offsets_[u + 1]++] = v;
    }
  }
}

EntryId CoveredEntries::best(VariableId v) {
  mark_neighbours(v);
  EntryId entry = problem_.best_entry(v);
  while (!is_covered(entry)) ++entry;
  unmark_neighbours(v);
  return entry;
}

}  // namespace treebound
