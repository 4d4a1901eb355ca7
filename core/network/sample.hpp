// Forward sampling: every variable in topological order, given its parents.
//
// Row r of variable v is decided by number r of the random stream of v, so the rows do not depend on how they
// are shared among threads or calls. The inner loops run along a column: the parents' codes and the table
// stay in the nearest cache, where going row by row would visit all tables for every row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/run.hpp"
#include "network/network_view.hpp"

namespace treebound {

/// Fills `codes`, which holds one column of `num_rows` codes per variable, until the run should stop. Code is
/// std::uint8_t or std::uint16_t and must have room for every state.
template <typename Code>
void sample_rows(const NetworkView& network, std::uint64_t seed, std::size_t num_rows, Run& run, Code* codes);

}  // namespace treebound
