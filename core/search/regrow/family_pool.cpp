#include "search/regrow/family_pool.hpp"

#include <algorithm>

#include "base/asserts.hpp"

namespace treebound {

FamilyPool::FamilyPool(const SearchProblem& problem)
    : problem_(&problem), of_problem_(problem.num_entries()), lists_(problem.num_variables()) {
  for (EntryId entry = 0; entry < problem.num_entries(); ++entry) of_problem_[entry] = FamilyId{entry};
  TREEBOUND_ASSERT_VALID(*this);
}

FamilyId FamilyPool::find(VariableId v, std::span<const VariableId> parents) const {
  for (const FamilyId family : families(v)) {
    const auto found = this->parents(family);
    if (found.size() == parents.size() && std::is_permutation(parents.begin(), parents.end(), found.begin()))
      return family;
  }
  return kNoFamily;
}

FamilyId FamilyPool::add(VariableId v, std::span<const VariableId> parents, double score) {
  assert(find(v, parents) == kNoFamily);
  assert(score > this->score(empty_family(v)));
  const auto family = static_cast<FamilyId>(num_families());
  assert(family != kNoFamily);
  members_of_new_.assign(1, v);
  members_of_new_.insert(members_of_new_.end(), parents.begin(), parents.end());
  const auto first_member = static_cast<std::uint32_t>(members_.append(members_of_new_));
  added_.push_back({score, first_member, static_cast<std::uint32_t>(members_of_new_.size())});

  auto& list = lists_[v];
  if (list.empty()) list.assign(families(v).begin(), families(v).end());
  const auto place = std::upper_bound(list.begin(), list.end(), score, [&](double value, FamilyId other) {
    return value > this->score(other);
  });
  list.insert(place, family);
  return family;
}

bool FamilyPool::is_valid() const {
  std::size_t num_listed = 0;
  for (VariableId v = 0; v < num_variables(); ++v) {
    const auto list = families(v);
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
