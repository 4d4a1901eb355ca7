// Conditional probability tables drawn at random: every row from a symmetric Dirichlet distribution, which
// for two states and concentration 1 is the Beta(1,1) of the paper's experiments.
#pragma once

#include <cstdint>
#include <span>

namespace treebound {

/// Fills tables[table_offsets[v]]..tables[table_offsets[v+1]-1] with rows of cardinalities[v] numbers that
/// sum to one. Each variable draws from its own stream, so its table depends on the seed, its index and its
/// size alone.
void draw_tables(std::span<const std::uint32_t> cardinalities, std::span<const std::int64_t> table_offsets,
                 double concentration, std::uint64_t seed, std::span<double> tables);

}  // namespace treebound
