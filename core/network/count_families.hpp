// How often each joint state of each family occurs: what the tables of a network are estimated from.
//
// Every family is counted once, so there is no partial work to share as in scoring: a pass along the columns
// of a family does, a block of rows at a time, which keeps the joint states in the nearest cache. Counts are
// doubles because the tables made of them are; they are exact up to 2^53 rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ids.hpp"
#include "base/run.hpp"

namespace treebound {

/// The parents of v are parents[parent_offsets[v]]..parents[parent_offsets[v+1]-1]; its counts start at
/// table_offsets[v], in the layout of a network's table: own states fastest, then those of the last parent.
struct FamiliesView {
  std::span<const std::uint32_t> cardinalities;
  std::span<const std::int64_t> parent_offsets;
  std::span<const VariableId> parents;
  std::span<const std::int64_t> table_offsets;
};

/// Adds to `counts` the rows of `codes`, which holds one column of `num_rows` codes per variable; a row
/// counts its weight, or one if `weights` is empty. Where Code is signed, a negative code is a missing cell,
/// and its row is left out of every family it belongs to. A run that is stopped leaves families
/// uncounted.
template <typename Code>
void count_families(const FamiliesView& families, const Code* codes, std::size_t num_rows,
                    std::span<const double> weights, Run& run, std::span<double> counts);

}  // namespace treebound
