#include "search/within_ktree/two_cycles.hpp"

#include <algorithm>

namespace treebound {
namespace {

bool contains(std::span<const VariableId> members, VariableId u) {
  return std::ranges::find(members, u) != members.end();
}

/// What v loses by its best set without u; the last one has no parents.
double loss_without(const ParentChoices& choices, VariableId v, VariableId u) {
  std::uint32_t choice = choices.first(v);
  while (contains(choices.parents(choice), u)) ++choice;
  return choices.score(choices.first(v)) - choices.score(choice);
}

}  // namespace

double TwoCycles::loss(const ParentChoices& choices) {
  pairs_.clear();
  for (VariableId v = 0; v < choices.num_variables(); ++v)
    for (const VariableId u : choices.parents(choices.first(v)))
      if (u < v && contains(choices.parents(choices.first(u)), v))
        pairs_.push_back({std::min(loss_without(choices, v, u), loss_without(choices, u, v)), u, v});
  std::ranges::stable_sort(pairs_, [](const Pair& a, const Pair& b) { return a.loss > b.loss; });
  is_matched_.assign(choices.num_variables(), 0);
  double total = 0;
  for (const auto& [loss, first, second] : pairs_) {
    if (is_matched_[first] != 0 || is_matched_[second] != 0) continue;
    is_matched_[first] = is_matched_[second] = 1;
    total += loss;
  }
  return total;
}

}  // namespace treebound
