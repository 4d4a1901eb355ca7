#include "density/training_rows.hpp"

#include <algorithm>

namespace treebound {

TrainingRows::TrainingRows(const SharedFamilies& families, RowsView rows)
    : num_rows_(rows.num_rows), num_variables_(families.num_variables()) {
  std::vector<std::uint32_t> found(num_rows_ * num_variables_);
  for (VariableId v = 0; v < num_variables_; ++v) {
    for (std::size_t r = 0; r < num_rows_; ++r) {
      std::int32_t known = rows.column(v)[r];
      std::size_t cell = 0;
      for (const VariableId parent : families.parents_of(v)) {
        const std::int32_t code = rows.column(parent)[r];
        known |= code;
        cell = cell * families.cardinalities[parent] + static_cast<std::size_t>(std::max(code, 0));
      }
      cell = cell * families.cardinalities[v] + static_cast<std::size_t>(std::max(rows.column(v)[r], 0));
      found[r * num_variables_ + v] =
          known < 0 ? kNoCell : static_cast<std::uint32_t>(families.first_cell(v) + cell);
    }
  }
  count_defaults(families, found);
  for (std::size_t r = 0; r < num_rows_; ++r) {
    for (VariableId v = 0; v < num_variables_; ++v) {
      const std::uint32_t cell = found[r * num_variables_ + v];
      if (cell == kNoCell) {
        gaps_.push_back(v);
      } else if (cell != defaults_[v]) {
        cells_.push_back(cell);
      }
    }
    cell_offsets_.push_back(static_cast<std::int64_t>(cells_.size()));
    gap_offsets_.push_back(static_cast<std::int64_t>(gaps_.size()));
  }
  if (gaps_.empty()) return;
  codes_.resize(found.size());
  for (VariableId v = 0; v < num_variables_; ++v)
    for (std::size_t r = 0; r < num_rows_; ++r) codes_[r * num_variables_ + v] = rows.column(v)[r];
}

void TrainingRows::count_defaults(const SharedFamilies& families, const std::vector<std::uint32_t>& found) {
  std::vector<std::uint32_t> counts(families.num_cells(), 0);
  for (const std::uint32_t cell : found)
    if (cell != kNoCell) ++counts[cell];
  for (VariableId v = 0; v < num_variables_; ++v) {
    const auto first = counts.begin() + static_cast<std::ptrdiff_t>(families.first_cell(v));
    const auto last = counts.begin() + static_cast<std::ptrdiff_t>(families.last_cell(v));
    defaults_.push_back(static_cast<std::uint32_t>(std::max_element(first, last) - counts.begin()));
  }
}

}  // namespace treebound
