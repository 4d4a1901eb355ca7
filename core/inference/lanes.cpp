#include "inference/lanes.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel.hpp"
#include "base/vector_clones.hpp"

namespace treebound {
namespace {

constexpr std::size_t kBlockRows = 64;
constexpr std::size_t kChunkLanes = 32;
constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// A block of rows: the cell of each family in each row, and the logarithms of each row in all components.
class LaneBlock {
 public:
  LaneBlock(const LanesView& lanes, RowsView rows, std::size_t first, std::size_t size)
      : lanes_(lanes), first_(first), size_(size) {
    find_cells(rows);
    logs_.resize(size * lanes.num_lanes());
    for (std::size_t lane = 0; lane < lanes.num_lanes(); lane += kChunkLanes) add_chunk(lane);
  }

  std::size_t size() const { return size_; }
  std::size_t first() const { return first_; }
  std::span<double> logs_of(std::size_t i) {
    return std::span(logs_).subspan(i * lanes_.num_lanes(), lanes_.num_lanes());
  }
  /// The run of the cell of family v in row i.
  const double* run_of(VariableId v, std::size_t i) const {
    return lanes_.log_tables.data() + cells_[i * lanes_.num_variables() + v] * lanes_.num_lanes();
  }

 private:
  void find_cells(RowsView rows) {
    const std::size_t num_variables = lanes_.num_variables();
    cells_.resize(size_ * num_variables);
    for (VariableId v = 0; v < num_variables; ++v) {
      for (std::size_t i = 0; i < size_; ++i) {
        std::size_t cell = 0;
        for (const VariableId parent : lanes_.parents_of(v)) {
          cell = cell * lanes_.cardinalities[parent] + code(rows, parent, i);
        }
        cell = cell * lanes_.cardinalities[v] + code(rows, v, i);
        cells_[i * num_variables + v] = static_cast<std::size_t>(lanes_.table_offsets[v]) + cell;
      }
    }
  }

  std::size_t code(RowsView rows, VariableId v, std::size_t i) const {
    const std::int32_t known = rows.column(v)[first_ + i];
    assert(known >= 0);
    return static_cast<std::size_t>(known);
  }

  void add_chunk(std::size_t first_lane) {
    const std::size_t num_lanes = lanes_.num_lanes();
    const std::size_t width = std::min(kChunkLanes, num_lanes - first_lane);
    for (std::size_t i = 0; i < size_; ++i) {
      add_runs(lanes_.log_tables.data() + first_lane, num_lanes, cells_.data() + i * lanes_.num_variables(),
               lanes_.num_variables(), lanes_.log_weights.data() + first_lane, width,
               logs_.data() + i * num_lanes + first_lane);
    }
  }

  /// out[l] = weights[l] + the sum of runs[cell * stride + l] over cells.
  TREEBOUND_VECTOR_CLONES static void add_runs(const double* runs, std::size_t stride,
                                               const std::size_t* cells, std::size_t num_cells,
                                               const double* weights, std::size_t width, double* out) {
    double sums[kChunkLanes] = {};
    if (width == kChunkLanes) {
      for (std::size_t c = 0; c < num_cells; ++c) {
        const double* run = runs + cells[c] * stride;
        for (std::size_t l = 0; l < kChunkLanes; ++l) sums[l] += run[l];
      }
    } else {
      for (std::size_t c = 0; c < num_cells; ++c) {
        const double* run = runs + cells[c] * stride;
        for (std::size_t l = 0; l < width; ++l) sums[l] += run[l];
      }
    }
    for (std::size_t l = 0; l < width; ++l) out[l] = weights[l] + sums[l];
  }

  const LanesView& lanes_;
  std::size_t first_, size_;
  std::vector<std::size_t> cells_;
  std::vector<double> logs_;
};

/// Calls work(block) for all blocks of rows.
template <typename Work>
void for_each_lane_block(const LanesView& lanes, RowsView rows, Run& run, Work work) {
  const std::size_t num_blocks = (rows.num_rows + kBlockRows - 1) / kBlockRows;
  parallel_for(run, num_blocks, [&](std::size_t, std::size_t item) {
    const std::size_t first = item * kBlockRows;
    LaneBlock block(lanes, rows, first, std::min(kBlockRows, rows.num_rows - first));
    work(block);
    run.num_finished += block.size();
  });
}

/// Turns logarithms into shares that sum to one, and returns the logarithm of their sum before. They stay as
/// they are if all are minus infinity.
double to_shares(std::span<double> logs) {
  const double highest = *std::max_element(logs.begin(), logs.end());
  if (highest == kImpossible) return kImpossible;
  double sum = 0;
  for (double& log : logs) sum += log = std::exp(log - highest);
  for (double& share : logs) share /= sum;
  return highest + std::log(sum);
}

/// Components that the row rules out have no say, whatever their logarithms are.
double mean_log(std::span<const double> shares, const double* logs) {
  double mean = 0;
  for (std::size_t lane = 0; lane < shares.size(); ++lane) {
    if (shares[lane] > 0) mean += shares[lane] * logs[lane];
  }
  return mean;
}

}  // namespace

void lanes_log_likelihood_rows(const LanesView& lanes, RowsView rows, Run& run, std::span<double> out) {
  for_each_lane_block(lanes, rows, run, [&](LaneBlock& block) {
    for (std::size_t i = 0; i < block.size(); ++i) out[block.first() + i] = to_shares(block.logs_of(i));
  });
}

void lanes_family_logs(const LanesView& lanes, RowsView rows, Run& run, std::span<double> out) {
  for_each_lane_block(lanes, rows, run, [&](LaneBlock& block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::span<double> shares = block.logs_of(i);
      const bool is_possible = to_shares(shares) > kImpossible;
      for (VariableId v = 0; v < lanes.num_variables(); ++v) {
        out[v * rows.num_rows + block.first() + i] =
            is_possible ? mean_log(shares, block.run_of(v, i)) : std::numeric_limits<double>::quiet_NaN();
      }
    }
  });
}

}  // namespace treebound
