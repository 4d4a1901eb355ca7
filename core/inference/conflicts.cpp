#include "inference/conflicts.hpp"

#include <algorithm>
#include <cassert>

namespace treebound {

Conflicts::Conflicts(const Model& model, RowsView rows, std::size_t first, std::size_t size,
                     VariableId hidden)
    : model_(model), first_(first), size_(size) {
  assert(first + size <= rows.num_rows);
  if (model.with_zeros().empty()) return;
  columns_.resize(model.num_variables());
  positions_.resize(size);
  look_at_columns(rows, hidden);
  mark_needed();
  for (const VariableId v : model.topological_order()) {
    if (is_completed(v)) complete(v);
  }
  for (const VariableId v : checked_) check_table(v);
}

void Conflicts::look_at_columns(RowsView rows, VariableId hidden) {
  nothing_.assign(size_, -1);
  for (VariableId v = 0; v < columns_.size(); ++v) {
    Column& column = columns_[v];
    column.known = column.codes = v == hidden ? nothing_.data() : rows.column(v) + first_;
    std::int32_t any = 0, all = -1;
    for (std::size_t i = 0; i < size_; ++i) {
      any |= column.known[i];
      all &= column.known[i];
    }
    column.has_gap = any < 0;
    column.has_known = all >= 0;
  }
}

/// The variables of all tables to be checked; where their cells are to be completed, their parents, too.
void Conflicts::mark_needed() {
  is_checked_.assign(columns_.size(), 0);
  for (const VariableId v : model_.with_zeros()) {
    if (!columns_[v].has_known) continue;
    is_checked_[v] = 1;
    checked_.push_back(v);
  }
  const auto order = model_.topological_order();
  for (auto v = order.rbegin(); v != order.rend(); ++v) {
    if (!is_completed(*v) && !is_checked_[*v]) continue;
    for (const Axis& axis : model_.table_of(*v).axes) columns_[axis.variable].is_needed = true;
  }
}

void Conflicts::complete(VariableId v) {
  Column& column = columns_[v];
  column.made.assign(column.known, column.known + size_);
  column.codes = column.made.data();
  const TableView table = model_.table_of(v);
  find_positions(table, v);
  const std::size_t stride =
      std::ranges::find(table.axes, v, [](const Axis& axis) { return axis.variable; })->stride;
  const std::size_t span = stride * model_.cardinalities()[v];
  const auto best_at = [&](std::size_t position) {
    const double* cells = table.cells.plain + position;
    double largest = cells[0];
    std::int32_t best = 0, state = 0;
    for (std::size_t cell = stride; cell < span; cell += stride) {
      ++state;
      best = cells[cell] > largest ? state : best;
      largest = std::max(largest, cells[cell]);
    }
    return best;
  };
  const std::size_t num_cells =
      table.axes.front().stride * model_.cardinalities()[table.axes.front().variable];
  const bool is_small = num_cells <= size_;  // its rows come again and again
  if (is_small) {
    best_.resize(num_cells);
    for (std::size_t first = 0; first < num_cells; first += span) {
      for (std::size_t i = first; i < first + stride; ++i) best_[i] = best_at(i);
    }
  }
  for (std::size_t i = 0; i < size_; ++i) {
    if (column.made[i] < 0) column.made[i] = is_small ? best_[positions_[i]] : best_at(positions_[i]);
  }
}

void Conflicts::check_table(VariableId child) {
  const TableView table = model_.table_of(child);
  find_positions(table, kNoVariable);
  for (std::size_t i = 0; i < size_; ++i) {
    if (table.cells.plain[positions_[i]] > 0 || repair(child, i)) continue;
    if (of_row_.empty()) of_row_.resize(size_);
    of_row_[i].push_back(child);
  }
}

/// Where the completed rows stand in the table, with the first state of `without`.
void Conflicts::find_positions(const TableView& table, VariableId without) {
  std::ranges::fill(positions_, 0);
  for (const Axis& axis : table.axes) {
    if (axis.variable == without) continue;
    const std::int32_t* codes = columns_[axis.variable].codes;
    const auto stride = static_cast<std::uint32_t>(axis.stride);
    for (std::size_t i = 0; i < size_; ++i) positions_[i] += stride * static_cast<std::uint32_t>(codes[i]);
  }
}

bool Conflicts::says_zero(VariableId child, std::size_t i) const {
  const TableView table = model_.table_of(child);
  std::size_t position = 0;
  for (const Axis& axis : table.axes)
    position += axis.stride * static_cast<std::size_t>(columns_[axis.variable].codes[i]);
  return table.cells.plain[position] == 0;
}

/// Changes an unknown cell to a state where the table is no longer zero in the completed row and no other
/// becomes zero.
bool Conflicts::repair(VariableId child, std::size_t i) {
  return std::ranges::any_of(model_.table_of(child).axes, [&](const Axis& axis) {
    return columns_[axis.variable].known[i] < 0 && has_suitable_state(axis.variable, child, i);
  });
}

/// Gives an unknown cell a state with which no table is zero, if there is one; `broken` is zero now. Unknown
/// children that were not completed, since nothing depends on them, have a suitable state for any states of
/// their parents.
bool Conflicts::has_suitable_state(VariableId v, VariableId broken, std::size_t i) {
  std::int32_t& code = columns_[v].made[i];
  const std::int32_t before = code;
  const auto num_states = static_cast<std::int32_t>(model_.cardinalities()[v]);
  for (code = 0; code < num_states; ++code) {
    if (says_zero(broken, i)) continue;
    const bool is_suitable = std::ranges::none_of(model_.tables_with(v), [&](VariableId child) {
      return (is_checked_[child] || is_completed(child)) && says_zero(child, i);
    });
    if (is_suitable) return true;
  }
  code = before;
  return false;
}

}  // namespace treebound
