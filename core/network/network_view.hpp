// A Bayesian network as the core sees it: borrowed flat arrays, checked by whoever made them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ids.hpp"
#include "base/rows.hpp"

namespace treebound {

/// The parents of v are parents[parent_offsets[v]]..parents[parent_offsets[v+1]-1]. Its table starts at
/// tables[table_offsets[v]]: for each joint state of the parents, the last parent running fastest, one
/// contiguous run of the probabilities of its own states.
struct NetworkView {
  std::span<const std::uint32_t> cardinalities;
  std::span<const VariableId> topological_order;
  std::span<const std::int64_t> parent_offsets;
  std::span<const VariableId> parents;
  std::span<const std::int64_t> table_offsets;
  std::span<const double> tables;

  std::span<const VariableId> parents_of(VariableId v) const { return row_of(parents, parent_offsets, v); }
  const double* table_of(VariableId v) const { return tables.data() + table_offsets[v]; }
};

}  // namespace treebound
