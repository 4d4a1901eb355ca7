// Rows with the same gaps, one after the other, share one plan of elimination. Often the same cells are
// missing in all rows: in prediction, that of the target alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "inference/rows.hpp"

namespace treebound {

class SameEvidence {
 public:
  /// Those of rows first..first+size-1; the cells of `hidden` are ignored.
  SameEvidence(const Model& model, RowsView rows, std::size_t first, std::size_t size,
               VariableId hidden = kNoVariable)
      : first_(first), numbers_(size, 0) {
    std::vector<std::int32_t> differs(size, 0);
    for (VariableId v = 0; v < model.num_variables(); ++v) {
      if (v == hidden) continue;
      const std::int32_t* codes = rows.column(v) + first;
      // Below zero where one of the two codes is.
      for (std::size_t i = 1; i < size; ++i) differs[i] |= codes[i] ^ codes[i - 1];
    }
    for (std::size_t i = 1; i < size; ++i) numbers_[i] = numbers_[i - 1] + (differs[i] < 0);
  }

  /// Rows in the same run have the same number.
  std::uint32_t number_of(std::size_t row) const { return numbers_[row - first_]; }

 private:
  std::size_t first_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace treebound
