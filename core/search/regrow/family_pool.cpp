#include "search/regrow/family_pool.hpp"

#include <algorithm>

namespace treebound {

FamilyPool::FamilyPool(const SearchProblem& problem) : lists_(problem.num_variables()) {
  for (VariableId v = 0; v < problem.num_variables(); ++v) {
    for (EntryId entry = problem.best_entry(v); entry <= problem.empty_entry(v); ++entry)
      lists_[v].push_back(append(v, problem.parents(entry), problem.score(entry)));
  }
}

EntryId FamilyPool::append(VariableId v, std::span<const VariableId> parents, double score) {
  const auto entry = static_cast<EntryId>(scores_.size());
  scores_.push_back(score);
  members_.push_back(v);
  members_.insert(members_.end(), parents.begin(), parents.end());
  offsets_.push_back(static_cast<std::uint32_t>(members_.size()));
  return entry;
}

EntryId FamilyPool::find(VariableId v, std::span<const VariableId> parents) const {
  for (const EntryId entry : lists_[v]) {
    const auto found = this->parents(entry);
    if (found.size() == parents.size() && std::is_permutation(parents.begin(), parents.end(), found.begin()))
      return entry;
  }
  return kNone;
}

EntryId FamilyPool::add(VariableId v, std::span<const VariableId> parents, double score) {
  auto& list = lists_[v];
  const auto place = std::upper_bound(list.begin(), list.end(), score,
                                      [&](double value, EntryId other) { return value > scores_[other]; });
  const EntryId entry = append(v, parents, score);
  list.insert(place, entry);
  return entry;
}

}  // namespace treebound
