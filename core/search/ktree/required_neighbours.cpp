#include "search/ktree/required_neighbours.hpp"

#include <algorithm>

namespace treebound {
namespace {

void add_once(std::vector<VariableId>& members, VariableId u) {
  if (std::ranges::find(members, u) == members.end()) members.push_back(u);
}

}  // namespace

RequiredNeighbours::RequiredNeighbours(const SearchProblem& problem) : problem_(problem) {
  if (!problem.rules().has_required()) return;
  neighbours_.resize(problem.num_variables());
  demands_.resize(problem.num_variables());
  places_.resize(problem.num_variables());
  for (VariableId v = 0; v < problem.num_variables(); ++v) {
    const auto family = problem.family(problem.least_entry(v));
    for (const VariableId a : family)
      for (const VariableId b : family)
        if (a != b) add_once(neighbours_[a], b);
  }
}

void RequiredNeighbours::follow(std::span<const VariableId> order) {
  if (!is_any()) return;
  for (std::uint32_t i = 0; i < order.size(); ++i) places_[order[i]] = i;
  for (auto& demand : demands_) demand.clear();
  for (auto i = static_cast<std::uint32_t>(order.size()); i-- > 0;) {
    auto& demand = demands_[order[i]];
    for (const VariableId u : neighbours_[order[i]])
      if (places_[u] < i) add_once(demand, u);
    if (demand.size() < 2) continue;
    const VariableId latest = *std::ranges::max_element(demand, {}, [&](VariableId u) { return places_[u]; });
    for (const VariableId u : demand)
      if (u != latest) add_once(demands_[latest], u);
  }
}

std::span<const VariableId> RequiredNeighbours::demand(VariableId v, const GrowingKTree& tree) {
  inserted_.clear();
  for (const VariableId u : neighbours_[v])
    if (tree.is_inserted(u)) inserted_.push_back(u);
  return inserted_;
}

RequiredNeighbours::Choice RequiredNeighbours::first_that_fits(const GrowingKTree& tree, VariableId v,
                                                               std::span<const VariableId> demand) {
  const EntryId last = problem_.last_entry(v);
  for (EntryId entry = problem_.best_entry(v); entry <= last; ++entry) {
    members_.assign(demand.begin(), demand.end());
    for (const VariableId u : problem_.parents(entry)) add_once(members_, u);
    if (members_.size() <= tree.width() && tree.holds(members_)) return {entry, members_};
  }
  return {last, problem_.parents(last)};
}

}  // namespace treebound
