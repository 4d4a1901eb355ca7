// The log-likelihood of rows in a mixture over one structure, and its slopes by the logits of all tables.
//
// The logits of a table are those of all states but the first, for each joint state of the parents. In each
// component, the logarithm of a row's probability is that of the row with all families in their default
// cells, plus a difference for each family that is in another one. The slopes need the rows' shares in the
// components, summed for each cell; the sum for a default cell is what the others leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/run.hpp"
#include "density/gap_elimination.hpp"
#include "density/matrix.hpp"
#include "density/training_rows.hpp"

namespace treebound {

/// Some rows of a table, each with how often it counts.
struct Batch {
  const TrainingRows& rows;
  std::span<const std::uint32_t> places;
  std::span<const float> weights;
  /// The power of its probabilities by which a row is shared out among components. Above one, components come
  /// to differ sooner; the slopes are then those of a lower bound of the log-likelihood.
  float sharpness = 1.0f;
};

class BatchSlopes {
 public:
  explicit BatchSlopes(const OrderedFamilies& families);

  std::size_t num_logits() const { return logit_offsets_.back(); }

  /// Makes tables of logits, one column for each component, for rows with these default cells.
  void load(const Matrix& logits, std::span<const std::uint32_t> defaults, Run& run);
  /// Frees the memory of tables and rows; the next call of load() allocates it again.
  void release();
  /// The probability of each cell, one column for each component.
  const Matrix& tables() const { return tables_; }

  /// Writes the log-likelihood of each row; components count by the exponentials of log_weights.
  void log_likelihoods(const Batch& batch, std::span<const float> log_weights, Run& run,
                       std::span<double> out);
  /// The slopes of the weighted sum of these log-likelihoods by the logits.
  const Matrix& slopes(const Batch& batch, Run& run);
  /// How much of the weighted rows each component has; only after slopes().
  std::span<const float> masses() const { return masses_; }

 private:
  /// The cells that a row with gaps is expected in, and how often: one run of lanes each.
  struct Expected {
    std::vector<std::uint32_t> cells;
    std::vector<float> counts;
  };
  using PlaceInRow = std::pair<std::uint32_t, std::size_t>;

  void load_family(VariableId v, const Matrix& logits, std::uint32_t default_cell);
  double weigh_row(const Batch& batch, std::size_t i, std::span<const float> log_weights,
                   GapElimination& gaps);
  void sort_cells(const Batch& batch);
  void slope_family(const Batch& batch, VariableId v, Matrix& counts);
  void count_family(const Batch& batch, VariableId v, Matrix& counts);

  OrderedFamilies families_;
  std::vector<std::size_t> logit_offsets_;
  std::size_t num_lanes_ = 0;
  Matrix tables_, differences_, default_logs_, slopes_;
  std::vector<float> base_, masses_;
  Matrix row_shares_;
  std::vector<Expected> expected_;
  std::vector<std::size_t> cell_starts_;
  std::vector<std::uint32_t> rows_by_cell_;                // places in the batch
  std::vector<std::vector<PlaceInRow>> expected_by_cell_;  // place in the batch, and of the cell in its list
  std::vector<std::vector<std::uint32_t>> gaps_by_family_;
};

}  // namespace treebound
