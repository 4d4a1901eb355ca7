// The cell of a family's table that a row is in.
#pragma once

#include <cstddef>
#include <cstdint>

#include "inference/rows.hpp"
#include "network/families_view.hpp"

namespace treebound {

struct FamilyCell {
  std::size_t cell;  // counted over all tables; meaningless if a member is missing
  bool is_missing;
};

/// The cell of the family of v in row r.
inline FamilyCell cell_of(const FamiliesView& families, RowsView rows, VariableId v, std::size_t r) {
  std::int32_t codes = rows.column(v)[r];  // or-ed: below zero if one is
  std::size_t cell = 0;
  for (const VariableId parent : families.parents_of(v)) {
    const std::int32_t code = rows.column(parent)[r];
    codes |= code;
    cell = cell * families.cardinalities[parent] + static_cast<std::uint32_t>(code);
  }
  cell = cell * families.cardinalities[v] + static_cast<std::uint32_t>(rows.column(v)[r]);
  return {families.first_cell(v) + cell, codes < 0};
}

}  // namespace treebound
