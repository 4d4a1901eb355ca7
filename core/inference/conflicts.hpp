// Where the known cells of rows may be impossible.
//
// Whether a row is possible at all depends on all of its cells, also on those that others cut off from the
// target of a query. To decide this without eliminating every unknown variable, each unknown cell is given
// its most probable state after its parents, for a block of rows at once; then no table of an unknown cell is
// zero. A table of a known cell that is zero is fixed where another state of one of its unknown variables
// suits all tables of that variable. The tables that are still zero are the row's *conflicts*. Known cells
// split the unknown variables into parts that have no table in common; a part without a conflict has been
// shown to be possible, and only the others need an elimination.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "inference/model.hpp"
#include "inference/rows.hpp"

namespace treebound {

class Conflicts {
 public:
  /// Those of rows first..first+size-1; the cell of `hidden` is ignored.
  Conflicts(const Model& model, RowsView rows, std::size_t first, std::size_t size, VariableId hidden);

  /// Variables whose tables are zero in this row, completed.
  std::span<const VariableId> of(std::size_t row) const {
    return of_row_.empty() ? std::span<const VariableId>{} : of_row_[row - first_];
  }

 private:
  struct Column {
    const std::int32_t* known = nullptr;  // as they came, or none of the hidden variable
    const std::int32_t* codes = nullptr;  // completed
    std::vector<std::int32_t> made;       // where they are, if cells were unknown
    bool has_known = false, has_gap = false;
    bool is_needed = false;  // a table of known cells that has zeros depends on it
  };

  bool is_completed(VariableId v) const { return columns_[v].is_needed && columns_[v].has_gap; }
  void look_at_columns(RowsView rows, VariableId hidden);
  void mark_needed();
  void complete(VariableId v);
  void check_table(VariableId child);
  void find_positions(const TableView& table, VariableId without);
  bool says_zero(VariableId child, std::size_t i) const;
  bool repair(VariableId child, std::size_t i);
  bool has_suitable_state(VariableId v, VariableId broken, std::size_t i);

  const Model& model_;
  std::size_t first_, size_;
  std::vector<Column> columns_;
  std::vector<VariableId> checked_;       // tables that may be zero
  std::vector<std::uint8_t> is_checked_;  // per variable: its table
  std::vector<std::int32_t> nothing_;     // the column of the hidden variable
  std::vector<std::uint32_t> positions_;
  std::vector<std::int32_t> best_;  // per cell of the first state of a variable: its most probable state
  std::vector<std::vector<VariableId>> of_row_;  // empty if there are none
};

}  // namespace treebound
