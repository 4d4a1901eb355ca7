#include "search/regrow/family_pool.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/asserts.hpp"

namespace treebound {
namespace {

// Scores in files are rounded to some decimals or digits; a wider range only costs a few more looks.
constexpr double kAbsoluteRounding = 0.01;
constexpr double kRelativeRounding = 1e-6;

}  // namespace

FamilyPool::FamilyPool(const SearchProblem& problem)
    : problem_(&problem), of_problem_(problem.num_entries()), lists_(problem.num_variables()) {
  for (EntryId entry = 0; entry < problem.num_entries(); ++entry) of_problem_[entry] = FamilyId{entry};
  TREEBOUND_ASSERT_VALID(*this);
}

FamilyId FamilyPool::find(VariableId v, std::span<const VariableId> parents, double score) const {
  if (parents.empty()) return last_family(v);
  const double slack = kAbsoluteRounding + kRelativeRounding * std::abs(score);
  const auto all = families(v);
  auto family = std::ranges::lower_bound(all, score + slack, std::greater(),
                                         [&](FamilyId other) { return this->score(other); });
  for (; family != all.end() && this->score(*family) >= score - slack; ++family) {
    const auto found = this->parents(*family);
    if (found.size() == parents.size() && std::is_permutation(parents.begin(), parents.end(), found.begin()))
      return *family;
  }
  return kNoFamily;
}

FamilyId FamilyPool::add(VariableId v, std::span<const VariableId> parents, double score) {
  assert(find(v, parents, score) == kNoFamily);
  assert(problem_->rules().allows(v, parents));
  assert(score > this->score(least_family(v)));
  const auto family = static_cast<FamilyId>(num_families());
  assert(family != kNoFamily);
  members_of_new_.assign(1, v);
  members_of_new_.insert(members_of_new_.end(), parents.begin(), parents.end());
  const auto first_member = static_cast<std::uint32_t>(members_.append(members_of_new_));
  added_.push_back({score, first_member, static_cast<std::uint32_t>(members_of_new_.size())});

  List& list = lists_[v];
  if (!has_grown(v)) {
    for (const FamilyId other : families(v)) list.heads.push_back(head_of(other));
    list.families.assign(families(v).begin(), families(v).end());
  }
  const auto place =
      std::upper_bound(list.families.begin(), list.families.end(), score,
                       [&](double value, FamilyId other) { return value > this->score(other); });
  list.heads.insert(list.heads.begin() + (place - list.families.begin()), head_of(family));
  list.families.insert(place, family);
  return family;
}

FamilyId FamilyPool::find_or_add(VariableId v, std::span<const VariableId> parents, double score) {
  const FamilyId family = find(v, parents, score);
  if (family != kNoFamily) return family;
  // Lists end with the least allowed set: what is no better is left out.
  return score > this->score(least_family(v)) ? add(v, parents, score) : least_family(v);
}

FamilyPool::Head FamilyPool::head_of(FamilyId family) const {
  Head head;
  head.fill(num_variables());
  const auto parents = this->parents(family);
  std::copy_n(parents.begin(), std::min(parents.size(), head.size()), head.begin());
  return head;
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
