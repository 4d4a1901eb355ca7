#include "inference/conflicts.hpp"

#include <algorithm>

namespace treebound {

void Conflicts::find(RowsView rows, std::size_t first, std::size_t size, VariableId hidden) {
  first_ = first;
  size_ = size;
  num_made_ = 0;
  positions_.resize(size);
  if (of_row_.size() < size) of_row_.resize(size);
  for (std::size_t i = 0; i < size; ++i) of_row_[i].clear();
  for (const VariableId v : model_.topological_order()) take_column(rows, v, v == hidden);
  for (const VariableId v : model_.with_zeros()) {
    const TableView table = model_.table_of(v);
    find_positions(table, kNoVariable);
    for (std::size_t i = 0; i < size; ++i) {
      if (table.cells.plain[positions_[i]] == 0) of_row_[i].push_back(v);
    }
  }
}

/// A column without gaps is read where it is.
void Conflicts::take_column(RowsView rows, VariableId v, bool is_hidden) {
  const std::span codes(rows.column(v) + first_, size_);
  columns_[v] = codes.data();
  if (!is_hidden && std::ranges::all_of(codes, [](std::int32_t code) { return code >= 0; })) return;
  if (num_made_ == made_.size()) made_.emplace_back();
  std::vector<std::int32_t>& made = made_[num_made_++];
  made.assign(codes.begin(), codes.end());
  if (is_hidden) std::ranges::fill(made, -1);
  columns_[v] = made.data();
  const TableView table = model_.table_of(v);
  find_positions(table, v);
  const std::size_t stride =
      std::ranges::find(table.axes, v, [](const Axis& axis) { return axis.variable; })->stride;
  const auto num_states = static_cast<std::int32_t>(model_.cardinalities()[v]);
  for (std::size_t i = 0; i < size_; ++i) {
    if (made[i] >= 0) continue;
    const double* cells = table.cells.plain + positions_[i];
    std::int32_t best = 0;
    for (std::int32_t state = 1; state < num_states; ++state) {
      if (cells[static_cast<std::size_t>(state) * stride] > cells[static_cast<std::size_t>(best) * stride])
        best = state;
    }
    made[i] = best;
  }
}

/// Where the completed rows stand in the table, with the first state of `without`.
void Conflicts::find_positions(const TableView& table, VariableId without) {
  std::ranges::fill(positions_, 0);
  for (const Axis& axis : table.axes) {
    if (axis.variable == without) continue;
    const std::int32_t* codes = columns_[axis.variable];
    const auto stride = static_cast<std::uint32_t>(axis.stride);
    for (std::size_t i = 0; i < size_; ++i) positions_[i] += stride * static_cast<std::uint32_t>(codes[i]);
  }
}

}  // namespace treebound
