#include "search/regrow/family_pool.hpp"

#include <algorithm>

#include "base/asserts.hpp"

namespace treebound {

FamilyPool::FamilyPool(const SearchProblem& problem)
    : lists_(problem.num_variables()), num_entries_(problem.num_entries()) {
  for (VariableId v = 0; v < problem.num_variables(); ++v) {
    for (EntryId entry = problem.best_entry(v); entry <= problem.empty_entry(v); ++entry) {
      lists_[v].push_back(append(v, problem.parents(entry), problem.score(entry)));
      assert(lists_[v].back() == of_entry(entry));
    }
  }
  TREEBOUND_ASSERT_VALID(*this);
}

FamilyId FamilyPool::of_entry(EntryId entry) const {
  assert(entry < num_entries_);
  return FamilyId{entry};
}

FamilyId FamilyPool::append(VariableId v, std::span<const VariableId> parents, double score) {
  const auto family = static_cast<FamilyId>(scores_.size());
  assert(family != kNoFamily);
  scores_.push_back(score);
  members_.push_back(v);
  members_.insert(members_.end(), parents.begin(), parents.end());
  offsets_.push_back(static_cast<std::uint32_t>(members_.size()));
  return family;
}

FamilyId FamilyPool::find(VariableId v, std::span<const VariableId> parents) const {
  for (const FamilyId family : lists_[v]) {
    const auto found = this->parents(family);
    if (found.size() == parents.size() && std::is_permutation(parents.begin(), parents.end(), found.begin()))
      return family;
  }
  return kNoFamily;
}

FamilyId FamilyPool::add(VariableId v, std::span<const VariableId> parents, double score) {
  assert(find(v, parents) == kNoFamily);
  assert(score > this->score(empty_family(v)));
  auto& list = lists_[v];
  const auto place = std::upper_bound(list.begin(), list.end(), score, [&](double value, FamilyId other) {
    return value > this->score(other);
  });
  const FamilyId family = append(v, parents, score);
  list.insert(place, family);
  return family;
}

bool FamilyPool::is_valid() const {
  std::size_t num_listed = 0;
  for (VariableId v = 0; v < num_variables(); ++v) {
    const auto& list = lists_[v];
    if (list.empty() || !parents(list.back()).empty()) return false;
    num_listed += list.size();
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto members = this->members(list[i]);
      if (members[0] != v) return false;
      if (i > 0 && score(list[i - 1]) < score(list[i])) return false;
      const auto parents = members.subspan(1);
      if (std::ranges::any_of(parents, [&](VariableId p) { return p == v || p >= num_variables(); }))
        return false;
    }
  }
  return num_listed == num_families();
}

}  // namespace treebound
