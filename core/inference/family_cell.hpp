// The cell of a family's table that a row is in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "inference/rows.hpp"
#include "network/families_view.hpp"

namespace treebound {

inline constexpr std::size_t kMissingCell = std::numeric_limits<std::size_t>::max();

/// The cell of the family of v in row r, counted over all tables; kMissingCell if a member is missing.
inline std::size_t cell_of(const FamiliesView& families, RowsView rows, VariableId v, std::size_t r) {
  std::int32_t known = rows.column(v)[r];
  std::size_t cell = 0;
  for (const VariableId parent : families.parents_of(v)) {
    const std::int32_t code = rows.column(parent)[r];
    known |= code;
    cell = cell * families.cardinalities[parent] + static_cast<std::uint32_t>(code);
  }
  cell = cell * families.cardinalities[v] + static_cast<std::uint32_t>(rows.column(v)[r]);
  return known < 0 ? kMissingCell : families.first_cell(v) + cell;
}

}  // namespace treebound
