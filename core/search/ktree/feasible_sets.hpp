// The feasible parent sets of an order: for each variable behind the root clique, the entries whose parents
// all come before it, best first. k-A* works on these lists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "search/ktree/future_components.hpp"
#include "search/problem.hpp"

namespace treebound {

class FeasibleSets {
 public:
  explicit FeasibleSets(const SearchProblem& problem) : problem_(problem), lists_(problem.num_variables()) {}

  void reset(std::span<const VariableId> order) {
    order_ = order;
    places_.resize(order.size() + 1, 0);  // the last: of the pseudo-variable of empty sets
    for (std::uint32_t i = 0; i < order.size(); ++i) places_[order[i]] = i;
    for (std::uint32_t i = problem_.width() + 1; i < order.size(); ++i) fill(order[i], i);
  }

  /// Place of a variable in the order.
  std::uint32_t place(VariableId v) const { return places_[v]; }

  /// Removes the sets of v whose score is below this one.
  void drop_below(VariableId v, double score) {
    std::erase_if(lists_[v], [&](EntryId entry) { return problem_.score(entry) < score; });
  }

  const std::vector<EntryId>& of(VariableId v) const { return lists_[v]; }

  void write_future_components(FutureComponents& components) const {
    components.reset(order_.size());
    for (auto i = static_cast<std::uint32_t>(order_.size()); i-- > problem_.width() + 1;)
      for (const EntryId entry : lists_[order_[i]])
        for (const VariableId u : problem_.parents(entry)) components.join(order_[i], u, i);
  }

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
  std::span<const VariableId> order_;
  std::vector<std::uint32_t> places_;
  std::vector<std::vector<EntryId>> lists_;
};

}  // namespace treebound
