// The arrays behind the views of families that the core borrows.
#pragma once

#include "arrays.hpp"
#include "inference/rows.hpp"
#include "network/families_view.hpp"

namespace treebound {

/// Keeps the arrays of a structure alive as long as its view.
struct FamilyArrays {
  ArrayIn<std::uint32_t> cardinalities;
  ArrayIn<std::int64_t> parent_offsets;
  ArrayIn<VariableId> parents;
  ArrayIn<std::int64_t> table_offsets;

  FamiliesView view() const {
    return {as_span(cardinalities), as_span(parent_offsets), as_span(parents), as_span(table_offsets)};
  }
};

/// Codes of rows, one row of the matrix for each variable; below zero where a cell is missing.
using RowArrays = MatrixIn<std::int32_t>;
inline RowsView view_of(const RowArrays& rows) { return {rows.data(), rows.shape(1)}; }

}  // namespace treebound
