#include "density/training_rows.hpp"

#include <algorithm>
#include <cassert>

#include "inference/family_cell.hpp"

namespace treebound {

TrainingRows::TrainingRows(const OrderedFamilies& families, RowsView rows)
    : num_rows_(rows.num_rows), num_variables_(families.num_variables()) {
  assert(families.is_consistent() && families.num_cells() < kNoCell);
  std::vector<std::uint32_t> found(num_rows_ * num_variables_);
  for (VariableId v = 0; v < num_variables_; ++v) {
    for (std::size_t r = 0; r < num_rows_; ++r) {
      const FamilyCell at = cell_of(families, rows, v, r);
      assert(at.is_missing || at.cell < families.last_cell(v));
      found[r * num_variables_ + v] = at.is_missing ? kNoCell : static_cast<std::uint32_t>(at.cell);
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

void TrainingRows::count_defaults(const OrderedFamilies& families, const std::vector<std::uint32_t>& found) {
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
