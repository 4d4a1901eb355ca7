// The families of a structure as the core sees them: borrowed flat arrays, checked by the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ids.hpp"
#include "base/rows.hpp"

namespace treebound {

/// The parents of v are parents[parent_offsets[v]]..parents[parent_offsets[v+1]-1]. The tables of all
/// families lie end to end, and that of v has cells first_cell(v)..last_cell(v)-1: for each joint state of
/// the parents, the last parent running fastest, one contiguous run of its own states.
struct FamiliesView {
  std::span<const std::uint32_t> cardinalities;
  std::span<const std::int64_t> parent_offsets;
  std::span<const VariableId> parents;
  std::span<const std::int64_t> table_offsets;

  std::size_t num_variables() const { return cardinalities.size(); }
  std::span<const VariableId> parents_of(VariableId v) const { return row_of(parents, parent_offsets, v); }
  std::size_t first_cell(VariableId v) const { return static_cast<std::size_t>(table_offsets[v]); }
  std::size_t last_cell(VariableId v) const { return static_cast<std::size_t>(table_offsets[v + 1]); }
  std::size_t num_cells() const { return static_cast<std::size_t>(table_offsets.back()); }

  /// Whether the arrays fit each other: for asserts.
  bool is_consistent() const {
    const std::size_t n = num_variables();
    if (parent_offsets.size() != n + 1 || table_offsets.size() != n + 1 || table_offsets[0] != 0 ||
        parent_offsets[0] != 0 || parent_offsets[n] != static_cast<std::int64_t>(parents.size()))
      return false;
    for (VariableId v = 0; v < n; ++v) {
      if (parent_offsets[v] > parent_offsets[v + 1]) return false;
      std::size_t size = cardinalities[v];
      for (const VariableId parent : parents_of(v)) {
        if (parent >= n || parent == v) return false;
        size *= cardinalities[parent];
      }
      if (first_cell(v) + size != last_cell(v)) return false;
    }
    return true;
  }
};

}  // namespace treebound
