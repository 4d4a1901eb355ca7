// Rows of a table as the smooth mixture reads them: the cells of each row in the tables of a shared
// structure.
//
// Most cells of wide tables hold the same value in nearly all rows, so each family has a default cell, its
// most frequent one, and a row lists only families that are in another one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/rows.hpp"
#include "inference/rows.hpp"

namespace treebound {

/// The families of a structure, with tables as in NetworkView laid end to end. `order` is an elimination
/// order.
struct SharedFamilies {
  std::span<const std::uint32_t> cardinalities;
  std::span<const std::int64_t> parent_offsets;
  std::span<const VariableId> parents;
  std::span<const std::int64_t> table_offsets;
  std::span<const VariableId> order;

  std::size_t num_variables() const { return cardinalities.size(); }
  std::span<const VariableId> parents_of(VariableId v) const { return row_of(parents, parent_offsets, v); }
  std::size_t first_cell(VariableId v) const { return static_cast<std::size_t>(table_offsets[v]); }
  std::size_t last_cell(VariableId v) const { return static_cast<std::size_t>(table_offsets[v + 1]); }
  std::size_t num_cells() const { return last_cell(static_cast<VariableId>(num_variables() - 1)); }
};

class TrainingRows {
 public:
  /// A code below zero is a missing cell.
  TrainingRows(const SharedFamilies& families, RowsView rows);

  std::size_t num_rows() const { return num_rows_; }
  /// The default cell of each family.
  std::span<const std::uint32_t> defaults() const { return defaults_; }
  /// Cells of families without gaps that are not in their default cell.
  std::span<const std::uint32_t> cells_of(std::size_t r) const {
    return row_of<std::uint32_t>(cells_, cell_offsets_, r);
  }
  /// Families with missing cells.
  std::span<const VariableId> gaps_of(std::size_t r) const {
    return row_of<VariableId>(gaps_, gap_offsets_, r);
  }
  std::int32_t code(VariableId v, std::size_t r) const { return codes_[r * num_variables_ + v]; }

 private:
  static constexpr std::uint32_t kNoCell = 0xffffffffu;
  void count_defaults(const SharedFamilies& families, const std::vector<std::uint32_t>& found);

  std::size_t num_rows_, num_variables_;
  std::vector<std::uint32_t> defaults_, cells_;
  std::vector<VariableId> gaps_;
  std::vector<std::int64_t> cell_offsets_{0}, gap_offsets_{0};
  std::vector<std::int32_t> codes_;  // row by row; empty if no row has gaps
};

}  // namespace treebound
