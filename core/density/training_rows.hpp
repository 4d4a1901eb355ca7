// Rows of a table as the smooth mixture reads them: the cells of each row in the tables of a shared
// structure.
//
// Most cells of wide tables hold the same value in nearly all rows, so each family has a default cell, its
// most frequent one, and a row lists only the families that are in another cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/rows.hpp"
#include "inference/rows.hpp"
#include "network/families_view.hpp"

namespace treebound {

/// The families of a structure and an elimination order.
struct OrderedFamilies : FamiliesView {
  std::span<const VariableId> order;
};

class TrainingRows {
 public:
  /// A code below zero is a missing cell.
  TrainingRows(const OrderedFamilies& families, RowsView rows);

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
  void count_defaults(const OrderedFamilies& families, const std::vector<std::uint32_t>& found);

  std::size_t num_rows_, num_variables_;
  std::vector<std::uint32_t> defaults_, cells_;
  std::vector<VariableId> gaps_;
  std::vector<std::int64_t> cell_offsets_{0}, gap_offsets_{0};
  std::vector<std::int32_t> codes_;  // row by row; empty if no row has gaps
};

}  // namespace treebound
