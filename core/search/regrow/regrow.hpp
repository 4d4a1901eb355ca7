// Regrow, the default solver: large-neighbourhood search over networks of bounded treewidth.
//
// Several islands, each a network of its own (island.hpp), are improved side by side; every few rounds each
// is given the families of the next one and may take over what is better there. A step is a batch of moves of
// one island. The number of islands does not depend on the number of threads, and neither does the outcome.
#pragma once

#include <cstdint>

#include "search/anytime.hpp"
#include "search/regrow/move_options.hpp"

namespace treebound {

struct RegrowOptions {
  std::uint32_t num_islands;
  bool climbs_first;  // begin from the network of hc-ET, where there are data
  MoveOptions moves = {};
};

inline constexpr std::uint32_t kMovesPerStep = 256;

Statistics search_regrow(SearchTask& task, const RegrowOptions& options);

}  // namespace treebound
