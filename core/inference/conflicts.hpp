// Where the known cells of rows may be impossible.
//
// Whether a row is possible at all is a question about all of its cells, also those that others cut off from the
// target of a query. To answer it without eliminating every unknown variable, each unknown cell is given its most
// probable state after its parents, for a block of rows at once. The tables that then say zero are the row's
// *conflicts*. Known cells split the unknown variables into parts that have no table in common; a part without a
// conflict has been shown to be possible, and only the others need an elimination.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "inference/model.hpp"
#include "inference/rows.hpp"

namespace treebound {

class Conflicts {
 public:
  explicit Conflicts(const Model& model) : model_(model), columns_(model.num_variables()) {}

  /// Finds those of rows first..first+size-1, in which the cell of `hidden` is not looked at.
  void find(RowsView rows, std::size_t first, std::size_t size, VariableId hidden);
  /// Variables whose tables say zero in this row, completed.
  std::span<const VariableId> of(std::size_t row) const {
    return of_row_.empty() ? std::span<const VariableId>{} : of_row_[row - first_];
  }

 private:
  void take_column(RowsView rows, VariableId v, bool is_hidden);
  void find_positions(const TableView& table, VariableId without);

  const Model& model_;
  std::size_t first_ = 0, size_ = 0;
  std::vector<const std::int32_t*> columns_;  // completed
  std::vector<std::vector<std::int32_t>> made_;
  std::size_t num_made_ = 0;
  std::vector<std::uint32_t> positions_;
  std::vector<std::vector<VariableId>> of_row_;
};

}  // namespace treebound
