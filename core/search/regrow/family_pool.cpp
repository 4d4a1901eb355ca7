#include "search/regrow/family_pool.hpp"

#include <algorithm>
#include <numeric>

namespace treebound {

FamilyPool::FamilyPool(const SearchProblem& problem)
    : problem_(&problem),
      num_in_problem_(problem.num_entries()),
      problem_entries_(problem.num_entries()),
      lists_(problem.num_variables()) {
  std::iota(problem_entries_.begin(), problem_entries_.end(), 0u);
}

EntryId FamilyPool::find(VariableId v, std::span<const VariableId> parents) const {
  for (const EntryId entry : entries(v)) {
    const auto found = this->parents(entry);
    if (found.size() == parents.size() && std::is_permutation(parents.begin(), parents.end(), found.begin()))
      return entry;
  }
  return kNone;
}

EntryId FamilyPool::add(VariableId v, std::span<const VariableId> parents, double score) {
  const auto entry = static_cast<EntryId>(num_in_problem_ + added_.size());
  family_.assign(1, v);
  family_.insert(family_.end(), parents.begin(), parents.end());
  const auto first_member = static_cast<std::uint32_t>(members_.append(family_));
  added_.push_back({score, first_member, static_cast<std::uint32_t>(family_.size())});

  auto& list = lists_[v];
  if (list.empty()) list.assign(entries(v).begin(), entries(v).end());
  const auto place = std::upper_bound(list.begin(), list.end(), score, [&](double value, EntryId other) {
    return value > this->score(other);
  });
  list.insert(place, entry);
  return entry;
}

}  // namespace treebound
