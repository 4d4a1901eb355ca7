// Which variables the rest of an order may still need in one clique.
//
// Before the variable at place d is inserted, join two variables when a variable at place d or later has a
// feasible parent set that, with itself, contains both. What can still be reached from a k-tree depends only
// on its edges inside the components of this graph: every future family lies in one component, and a future
// separator can be reduced to the component of its variable without losing the family. Two states of k-A*
// that agree on these edges have the same future.
//
// Variables are joined from the last place to the first. Union by size without path compression, with the
// place at which each union was made, answers for every place at once.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/ids.hpp"

namespace treebound {

class FutureComponents {
 public:
  void reset(std::size_t num_variables) {
    up_.resize(num_variables);
    for (VariableId v = 0; v < num_variables; ++v) up_[v] = v;
    places_.assign(num_variables, 0);
    sizes_.assign(num_variables, 1);
    last_place_ = std::numeric_limits<std::uint32_t>::max();
  }

  /// Places must come in falling sequence.
  void join(VariableId v, VariableId u, std::uint32_t place) {
    assert(place <= last_place_);
    last_place_ = place;
    v = component(v, 0);
    u = component(u, 0);
    if (v == u) return;
    if (sizes_[v] > sizes_[u]) std::swap(v, u);
    up_[v] = u;
    places_[v] = place;
    sizes_[u] += sizes_[v];
  }

  /// The variable that names the component of v when the variables from `place` on are still to come.
  VariableId component(VariableId v, std::uint32_t place) const {
    while (up_[v] != v && places_[v] >= place) v = up_[v];
    return v;
  }

 private:
  std::vector<VariableId> up_;
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> sizes_;
  std::uint32_t last_place_ = 0;  // of the latest join, for the assert
};

}  // namespace treebound
