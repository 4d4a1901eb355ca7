// k-A* (paper, section 3.1): for a given order, the best structure over all choices of k-cliques, found by
// A*. A state is the k-tree after some variables; a successor joins the next variable to one of its
// k-cliques, with the best parent set inside. The bound of a state adds, for every variable still to come,
// the best set that the order allows; it never rises along a path, so the first complete state to come out is
// optimal. (The paper prints the sum for h as a second "g(S)".)
//
// Four additions, each of which can be switched off:
//   incumbent    the structure of k-G is the first incumbent. States that cannot beat it are not kept, and
//                sets that lose more than the gap between bound and incumbent are removed from the lists.
//   tight_bound  the best set that the order *and the k-tree so far* allow (see optimistic_bound.hpp).
//   conflicts    what is lost because the optimistic sets of different variables exclude each other (see
//                optimistic_bound.hpp), counted when a state is taken from the heap for the first time; then
//                it is put back if another state has a higher bound.
//   dominance    states with the same future (see future_components.hpp) count as one, the better is kept; of
//                the successors of a state, one that offers no better set and no further useful edge is
//                dropped.
//
// A state needs memory until its order is done. With `max_nodes` states the search gives up the proof: the
// most promising open state is completed greedily, and the better of this and k-G is the answer.
#pragma once

#include <cstdint>

#include "search/anytime.hpp"
#include "search/ktree/clique_policy.hpp"
#include "search/ktree/order_source.hpp"

namespace treebound {

struct KAStarOptions {
  CliquePolicy policy;
  OrderOptions orders;
  std::uint32_t max_nodes;
  bool has_incumbent;
  bool has_tight_bound;
  bool has_conflicts;
  bool has_dominance;
  bool skips_beaten;  // give up an order as soon as it cannot beat the best of all orders
};

Statistics search_k_astar(SearchTask& task, const KAStarOptions& options);

}  // namespace treebound
