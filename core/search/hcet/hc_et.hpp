// hc-ET: hill-climbing over arcs with an elimination tree (Benjumeda, Bielza, Larranaga, Artificial
// Intelligence 2019), scores counted from the rows when they are needed.
//
// Step 0 counts all pairs and offers the network that the search begins with; every further step is one arc
// added, removed or turned round. Where no such move gains, the search ends or, if asked to, removes the
// parents of a few variables drawn at random, climbs again and keeps the better network.
#pragma once

#include <cstdint>
#include <vector>

#include "data/dataset.hpp"
#include "scoring/local_score.hpp"
#include "search/anytime.hpp"

namespace treebound {

struct HcEtOptions {
  std::uint64_t num_restarts;
  double max_cells;  // of the largest bag; infinity for no bound
  std::vector<std::uint32_t> cardinalities;
  const Dataset& data;
  const LocalScore& score;
};

Statistics search_hc_et(SearchTask& task, const HcEtOptions& options);

/// What one climb from the empty network has come to, for another search to start from.
struct Climbed {
  SearchStart start;
  bool is_at_optimum;  // false: it was cut short
  std::uint64_t num_moves;
};

/// Climbs once, for at most this share of the time that is left. Networks are offered to the task as those of
/// step 0, and no steps are counted.
Climbed climb_once(SearchTask& task, const HcEtOptions& options, double share);

}  // namespace treebound
