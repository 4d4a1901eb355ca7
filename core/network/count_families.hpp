// How often each joint state of each family occurs: what the tables of a network are estimated from.
//
// Every family is counted once, so there is no partial work to share as in scoring: a pass along the columns
// of a family does, a block of rows at a time, which keeps the joint states in the nearest cache. Counts are
// doubles because the tables made of them are; they are exact up to 2^53 rows.
#pragma once

#include <cstddef>
#include <span>

#include "base/run.hpp"
#include "network/families_view.hpp"

namespace treebound {

/// Adds to `counts`, laid out like the tables, the rows of `codes`, which holds one column of `num_rows`
/// codes per variable; a row counts its weight, or one if `weights` is empty. Where Code is signed, a
/// negative code is a missing cell, and its row is skipped in every family it belongs to. A run that is
/// stopped leaves families uncounted.
template <typename Code>
void count_families(const FamiliesView& families, const Code* codes, std::size_t num_rows,
                    std::span<const double> weights, Run& run, std::span<double> counts);

}  // namespace treebound
