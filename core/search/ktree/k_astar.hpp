// k-A* (paper, section 3.1): for a given order, the best structure over all choices of k-cliques. There are
// two ways to find it, with the same result:
//
// As printed, A* from the front. A state is the k-tree after some variables; a successor joins the next
// variable to one of its k-cliques, with the best parent set inside. The bound of a state adds, for every
// variable still to come, the best set that the order allows; it never rises along a path, so the first
// complete state to come out is optimal. (The paper prints the sum for h as a second "g(S)".) A state needs
// memory until its order is done. Where it runs out the search gives up the proof, completes the most
// promising state greedily, and reports that. With `max_open` only so many of the most promising states are
// kept open, as in the program that the authors published; then nothing is proved once one has been dropped.
//
// From the back, by branch and bound (order_optimum.hpp), which needs next to no memory and far less work.
// Without the proof after `max_nodes` decisions, the prefix solved so far is completed greedily, and the
// better of this and k-G is the result.
#pragma once

#include <cstdint>

#include "search/anytime.hpp"
#include "search/ktree/clique_policy.hpp"
#include "search/ktree/order_source.hpp"

namespace treebound {

struct KAStarOptions {
  CliquePolicy policy;
  OrderOptions orders;
  bool is_printed;          // from the front
  std::uint64_t max_nodes;  // states, or decisions from the back, for one order
  std::uint64_t max_open;   // states from the front
  std::uint64_t max_bytes;  // of the states of one order, from the front
  bool skips_beaten;        // give up an order as soon as it cannot beat the best of all orders
};

Statistics search_k_astar(SearchTask& task, const KAStarOptions& options);

}  // namespace treebound
