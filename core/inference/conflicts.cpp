#include "inference/conflicts.hpp"

#include <algorithm>
#include <iterator>

namespace treebound {

Conflicts::Conflicts(const Model& model)
    : model_(model), has_zeros_(model.num_variables(), 0), columns_(model.num_variables()) {
  std::vector<std::uint8_t> is_involved(model.num_variables(), 0);
  const auto involve_family = [&](VariableId v) {
    for (const Axis& axis : model.table_of(v).axes) is_involved[axis.variable] = 1;
  };
  for (const VariableId v : model.with_zeros()) {
    has_zeros_[v] = 1;
    involve_family(v);
  }
  const auto order = model.topological_order();
  for (auto v = order.rbegin(); v != order.rend(); ++v) {
    if (is_involved[*v]) involve_family(*v);
  }
  std::ranges::copy_if(order, std::back_inserter(involved_), [&](VariableId v) { return is_involved[v]; });
}

void Conflicts::find(RowsView rows, std::size_t first, std::size_t size, VariableId hidden) {
  first_ = first;
  size_ = size;
  positions_.resize(size);
  nothing_.assign(size, -1);
  if (of_row_.size() < size) of_row_.resize(size);
  for (std::size_t i = 0; i < size; ++i) of_row_[i].clear();
  for (const VariableId v : involved_) {
    columns_[v].known = v == hidden ? nothing_.data() : rows.column(v) + first;
    complete(v);
  }
  for (const VariableId v : model_.with_zeros()) {
    const TableView table = model_.table_of(v);
    find_positions(table, kNoVariable);
    for (std::size_t i = 0; i < size; ++i) {
      if (table.cells.plain[positions_[i]] == 0) of_row_[i].push_back(v);
    }
  }
  for (std::size_t i = 0; i < size; ++i)
    std::erase_if(of_row_[i], [&](VariableId child) { return mend(child, i); });
}

/// A column without gaps is read where it is.
void Conflicts::complete(VariableId v) {
  Column& column = columns_[v];
  const std::span known(column.known, size_);
  column.codes = column.known;
  if (std::ranges::all_of(known, [](std::int32_t code) { return code >= 0; })) return;
  column.made.assign(known.begin(), known.end());
  column.codes = column.made.data();
  const TableView table = model_.table_of(v);
  find_positions(table, v);
  const std::size_t stride =
      std::ranges::find(table.axes, v, [](const Axis& axis) { return axis.variable; })->stride;
  const auto num_states = static_cast<std::int32_t>(model_.cardinalities()[v]);
  for (std::size_t i = 0; i < size_; ++i) {
    if (known[i] >= 0) continue;
    const double* cells = table.cells.plain + positions_[i];
    std::int32_t best = 0;
    for (std::int32_t state = 1; state < num_states; ++state) {
      if (cells[static_cast<std::size_t>(state) * stride] > cells[static_cast<std::size_t>(best) * stride])
        best = state;
    }
    column.made[i] = best;
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

/// Returns whether the table no longer says zero in the completed row; no other begins to.
bool Conflicts::mend(VariableId child, std::size_t i) {
  if (!says_zero(child, i)) return true;
  return std::ranges::any_of(model_.table_of(child).axes, [&](const Axis& axis) {
    return columns_[axis.variable].known[i] < 0 && has_suitable_state(axis.variable, i);
  });
}

/// Gives an unknown cell a state with which no table says zero, if there is one.
bool Conflicts::has_suitable_state(VariableId v, std::size_t i) {
  std::int32_t& code = columns_[v].made[i];
  const std::int32_t before = code;
  const auto num_states = static_cast<std::int32_t>(model_.cardinalities()[v]);
  for (code = 0; code < num_states; ++code) {
    const bool is_suitable = std::ranges::none_of(
        model_.tables_with(v), [&](VariableId child) { return has_zeros_[child] && says_zero(child, i); });
    if (is_suitable) return true;
  }
  code = before;
  return false;
}

}  // namespace treebound
