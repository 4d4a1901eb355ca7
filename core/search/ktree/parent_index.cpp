#include "search/ktree/parent_index.hpp"

namespace treebound {

ParentIndex::ParentIndex(const SearchProblem& problem) : offsets_(problem.num_variables() + 1) {
  for (EntryId entry = 0; entry < problem.num_entries(); ++entry)
    for (const VariableId u : problem.parents(entry)) ++offsets_[u + 1];
  for (std::size_t u = 1; u < offsets_.size(); ++u) offsets_[u] += offsets_[u - 1];
  occurrences_.resize(offsets_.back());
  std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
  for (VariableId v = 0; v < problem.num_variables(); ++v)
    for (EntryId entry = problem.best_entry(v); entry < problem.last_entry(v); ++entry)
      for (const VariableId u : problem.parents(entry)) occurrences_[next[u]++] = {v, entry};
}

}  // namespace treebound
