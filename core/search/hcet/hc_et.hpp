// hc-ET: hill-climbing over arcs with an elimination tree (Benjumeda, Bielza, Larranaga, Artificial
// Intelligence 2019), scores counted from the rows when they are needed.
//
// Step 0 counts all pairs and offers the network that the search begins with: the required arcs, mostly none.
// Every further step is one arc added, removed or reversed. Where no such move gains, the search ends or,
// with restarts, removes the parents of a few variables drawn at random, climbs again and keeps the better
// network.
#pragma once

#include <cstdint>

#include "search/anytime.hpp"

namespace treebound {

/// The problem must have rows.
Statistics search_hc_et(SearchTask& task, std::uint64_t num_restarts);

/// The result of one climb from the required arcs, for another search to start from.
struct Climbed {
  SearchStart start;
  bool is_at_optimum;  // false: it was cut short
  std::uint64_t num_moves;
};

/// Climbs once, for at most this share of the time that is left. Networks are offered to the task as those of
/// step 0, and no steps are counted.
Climbed climb_once(SearchTask& task, double share);

}  // namespace treebound
