// The feasible parent sets of an order: for each variable behind the root clique, the entries whose parents
// all come before it, best first. k-A* as printed works on these lists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "search/problem.hpp"

namespace treebound {

class FeasibleSets {
 public:
  explicit FeasibleSets(const SearchProblem& problem) : problem_(problem), lists_(problem.num_variables()) {}

  void reset(std::span<const VariableId> order) {
    places_.resize(order.size() + 1, 0);  // the last: of the pseudo-variable of empty sets
    for (std::uint32_t i = 0; i < order.size(); ++i) places_[order[i]] = i;
    for (std::uint32_t i = problem_.width() + 1; i < order.size(); ++i) fill(order[i], i);
  }

  const std::vector<EntryId>& of(VariableId v) const { return lists_[v]; }

 private:
  void fill(VariableId v, std::uint32_t place) {
    const auto is_before = [&](VariableId u) { return places_[u] < place; };
    const SearchProblem::Head* heads = problem_.heads();
    lists_[v].clear();
    for (EntryId entry = problem_.best_entry(v); entry <= problem_.last_entry(v); ++entry) {
      const auto [first, second] = heads[entry];
      if (std::max(places_[first & ~SearchProblem::kMany], places_[second]) >= place) continue;
      if ((first & SearchProblem::kMany) == 0 || std::ranges::all_of(problem_.parents(entry), is_before))
        lists_[v].push_back(entry);
    }
  }

  const SearchProblem& problem_;
  std::vector<std::uint32_t> places_;
  std::vector<std::vector<EntryId>> lists_;
};

}  // namespace treebound
