// Which parts of which rows have to be summed out: rows taken apart at their known cells, and equal parts in
// equal states put together, with the sum of their weights.
//
// Rows with many missing cells fall into few large parts that no other row has. Where that costs more than a
// pass over all variables in lanes, such rows are kept whole (see part_plan.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/run.hpp"
#include "inference/expected_counts/part_plan.hpp"
#include "inference/rows.hpp"

namespace treebound {

/// A row that stands for all that look the same to a part, and what they weigh together.
struct WeightedRow {
  std::size_t row;
  double weight;
};

struct MissingPart {
  PartPlan plan;
  std::vector<WeightedRow> rows;
};

struct MissingParts {
  std::vector<MissingPart> parts;
  std::vector<WeightedRow> whole_rows;
  std::vector<bool> is_whole;  // per row
};

/// Rows of weight zero are skipped. Throws Stopped if the run is stopped.
MissingParts find_missing_parts(const EliminationBags& bags, RowsView rows, std::span<const double> weights,
                                const Run& run);

}  // namespace treebound
