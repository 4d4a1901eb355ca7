#include "search/ktree/optimistic_bound.hpp"

#include <algorithm>
#include <limits>

namespace treebound {
namespace {

bool contains(std::span<const VariableId> members, VariableId u) {
  return std::ranges::find(members, u) != members.end();
}

}  // namespace

bool OptimisticBound::is_possible(EntryId entry) const {
  return !is_tight_ || tree_.holds_inserted(problem_.parents(entry));
}

bool OptimisticBound::update(std::span<const VariableId> to_come) {
  for (const VariableId v : to_come) {
    const auto& list = feasible_.of(v);
    const auto found = std::ranges::find_if(list, [&](EntryId entry) { return is_possible(entry); });
    if (found == list.end()) return false;
    sets_[v] = *found;
  }
  return true;
}

// Only an optimistic set that holds v can become impossible when v is inserted.
void OptimisticBound::prepare_insertion(VariableId v, std::span<const VariableId> others) {
  affected_.clear();
  if (!is_tight_) return;
  for (const VariableId c : others)
    if (contains(problem_.parents(sets_[c]), v)) affected_.push_back(c);
}

double OptimisticBound::loss_after_insertion(VariableId v, std::span<const VariableId> separator) {
  double loss = 0;
  for (const VariableId c : affected_) {
    const auto& list = feasible_.of(c);
    auto entry = std::ranges::lower_bound(list, sets_[c]);
    while (entry != list.end() && !is_possible_after(v, separator, *entry)) ++entry;
    if (entry == list.end()) return std::numeric_limits<double>::infinity();
    loss += problem_.score(sets_[c]) - problem_.score(*entry);
  }
  return loss;
}

bool OptimisticBound::is_possible_after(VariableId v, std::span<const VariableId> separator,
                                        EntryId entry) const {
  const auto parents = problem_.parents(entry);
  if (!contains(parents, v)) return is_possible(entry);
  return std::ranges::all_of(
      parents, [&](VariableId u) { return u == v || !tree_.is_inserted(u) || contains(separator, u); });
}

double OptimisticBound::count_conflicts(std::span<const VariableId> to_come) {
  list_demands(to_come);
  conflicts_.clear();
  for (const VariableId b : to_come) {
    shares_[b] = 0;
    if (demands_[b].size() > 1) list_conflicts(b);
  }
  std::ranges::stable_sort(conflicts_, [](const Conflict& a, const Conflict& b) { return a.loss > b.loss; });
  double total = 0;
  for (const auto& [loss, first, second] : conflicts_) {
    if (shares_[first] > 0 || shares_[second] > 0) continue;
    shares_[first] = shares_[second] = loss;
    total += loss;
  }
  return total;
}

// The set of b is a demand on its separator; so is the set of c whose latest member is b, if b is to come.
void OptimisticBound::list_demands(std::span<const VariableId> to_come) {
  for (const VariableId b : to_come) demands_[b].clear();
  for (const VariableId c : to_come) {
    const auto parents = problem_.parents(sets_[c]);
    if (parents.empty()) continue;
    demands_[c].push_back(c);
    const VariableId b =
        *std::ranges::max_element(parents, {}, [&](VariableId u) { return feasible_.place(u); });
    if (parents.size() > 1 && !tree_.is_inserted(b)) demands_[b].push_back(c);
  }
}

void OptimisticBound::list_conflicts(VariableId b) {
  const auto& demands = demands_[b];
  for (std::size_t i = 0; i < demands.size(); ++i)
    for (std::size_t j = i + 1; j < demands.size(); ++j) {
      if (!is_in_conflict(b, demands[i], demands[j])) continue;
      const double loss = std::min(loss_to_next(demands[i]), loss_to_next(demands[j]));
      if (loss > 0) conflicts_.push_back({loss, demands[i], demands[j]});
    }
}

bool OptimisticBound::is_in_conflict(VariableId b, VariableId first, VariableId second) {
  union_.clear();
  for (const VariableId c : {first, second})
    for (const VariableId u : problem_.parents(sets_[c]))
      if (u != b && !contains(union_, u)) union_.push_back(u);
  return union_.size() > problem_.width() || !tree_.holds_inserted(union_);
}

/// Difference between the optimistic set of v and the next possible one.
double OptimisticBound::loss_to_next(VariableId v) const {
  const auto& list = feasible_.of(v);
  auto entry = std::ranges::upper_bound(list, sets_[v]);
  while (entry != list.end() && !is_possible(*entry)) ++entry;
  if (entry == list.end()) return std::numeric_limits<double>::infinity();
  return problem_.score(sets_[v]) - problem_.score(*entry);
}

}  // namespace treebound
