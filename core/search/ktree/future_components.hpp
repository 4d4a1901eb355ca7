// Which variables the rest of an order may still want in one clique.
//
// Before the variable at place d is inserted, link two variables when a variable at place d or later has a
// candidate set that, with itself, contains both. What can still be reached from a k-tree depends only on its
// edges inside the components of these links: every future family lies in one component, and a future
// separator can be cut down to the component of its variable without losing it. Two states of k-A* that agree
// on these edges have the same future.
//
// Links are added from the last place to the first. Union by size without path compression, with the place
// at which each link was made, answers for every place at once.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.hpp"

namespace treebound {

class FutureLinks {
 public:
  void reset(std::size_t num_variables) {
    above_.resize(num_variables);
    for (VariableId v = 0; v < num_variables; ++v) above_[v] = v;
    places_.assign(num_variables, 0);
    sizes_.assign(num_variables, 1);
  }

  /// Places must come in falling sequence.
  void link(VariableId v, VariableId u, std::uint32_t place) {
    v = component(v, 0);
    u = component(u, 0);
    if (v == u) return;
    if (sizes_[v] > sizes_[u]) std::swap(v, u);
    above_[v] = u;
    places_[v] = place;
    sizes_[u] += sizes_[v];
  }

  /// Name of the component of v when the variables from `place` on are still to come.
  VariableId component(VariableId v, std::uint32_t place) const {
    while (above_[v] != v && places_[v] >= place) v = above_[v];
    return v;
  }

 private:
  std::vector<VariableId> above_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace treebound
