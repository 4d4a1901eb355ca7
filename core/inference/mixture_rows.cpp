#include "inference/mixture_rows.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel.hpp"
#include "base/vector_clones.hpp"
#include "inference/family_cell.hpp"

namespace treebound {
namespace {

constexpr std::size_t kBlockRows = 64;
constexpr std::size_t kChunkLanes = 32;
constexpr double kNegligible = -50;
constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// For asserts.
[[maybe_unused]] bool is_consistent(const MixtureView& mixture) {
  return mixture.is_consistent() && mixture.num_lanes() > 0 &&
         mixture.log_tables.size() == mixture.num_cells() * mixture.num_lanes();
}

/// The default cell of each family, its most frequent one, and the logarithms of a row with all families in
/// these.
///
/// Most families of wide tables are in them, so a row adds only what its other cells change. A cell that is
/// impossible in some component is not a default: the change from it would be infinite.
class DefaultCells {
 public:
  DefaultCells(const MixtureView& mixture, RowsView rows)
      : base_(mixture.log_weights.begin(), mixture.log_weights.end()) {
    std::vector<std::size_t> found;
    for (VariableId v = 0; v < mixture.num_variables(); ++v) {
      found.clear();
      const std::size_t step = std::max<std::size_t>(1, rows.num_rows / kSeenRows);
      for (std::size_t r = 0; r < rows.num_rows; r += step)
        found.push_back(cell_of(mixture, rows, v, r).cell);
      cells_.push_back(add(mixture, most_frequent(found)));
    }
  }

  /// Whether this is the default cell of the family.
  bool is_default(VariableId v, std::size_t cell) const { return cells_[v] == cell; }
  /// The default cell of the family, or kNone.
  std::size_t of(VariableId v) const { return cells_[v]; }
  const double* base() const { return base_.data(); }

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

 private:
  static constexpr std::size_t kSeenRows = 256;

  static std::size_t most_frequent(std::vector<std::size_t>& cells) {
    std::sort(cells.begin(), cells.end());
    std::size_t best = kNone, most = 0;
    for (std::size_t i = 0, first = 0; i < cells.size(); ++i) {
      if (cells[i] != cells[first]) first = i;
      if (i - first + 1 > most) {
        most = i - first + 1;
        best = cells[i];
      }
    }
    return best;
  }

  std::size_t add(const MixtureView& mixture, std::size_t cell) {
    if (cell == kNone) return kNone;
    const auto run = mixture.log_tables.subspan(cell * mixture.num_lanes(), mixture.num_lanes());
    if (std::find(run.begin(), run.end(), kImpossible) != run.end()) return kNone;
    for (std::size_t lane = 0; lane < run.size(); ++lane) base_[lane] += run[lane];
    return cell;
  }

  std::vector<std::size_t> cells_;
  std::vector<double> base_;
};

/// A block of rows: the cell of each family in each row, and the logarithms of each row in all components.
class LaneBlock {
 public:
  LaneBlock(const MixtureView& mixture, const DefaultCells& defaults, RowsView rows, std::size_t first,
            std::size_t size)
      : mixture_(mixture), defaults_(defaults), first_(first), size_(size) {
    find_cells(rows);
    logs_.resize(size * mixture.num_lanes());
    for (std::size_t lane = 0; lane < mixture.num_lanes(); lane += kChunkLanes) add_chunk(lane);
  }

  std::size_t size() const { return size_; }
  std::size_t first() const { return first_; }
  std::span<double> logs_of(std::size_t i) {
    return std::span(logs_).subspan(i * mixture_.num_lanes(), mixture_.num_lanes());
  }
  /// The run of the cell of family v in row i.
  const double* run_of(VariableId v, std::size_t i) const {
    return mixture_.log_tables.data() + cells_[i * mixture_.num_variables() + v] * mixture_.num_lanes();
  }

 private:
  /// A cell of a row, and the default cell that it replaces.
  struct Change {
    std::size_t cell, replaced;
  };

  void find_cells(RowsView rows) {
    const std::size_t num_variables = mixture_.num_variables();
    cells_.resize(size_ * num_variables);
    for (VariableId v = 0; v < num_variables; ++v)
      for (std::size_t i = 0; i < size_; ++i) {
        const FamilyCell found = cell_of(mixture_, rows, v, first_ + i);
        assert(!found.is_missing);
        cells_[i * num_variables + v] = found.cell;
      }
    for (std::size_t i = 0; i < size_; ++i) {
      for (VariableId v = 0; v < num_variables; ++v) {
        const std::size_t cell = cells_[i * num_variables + v];
        if (!defaults_.is_default(v, cell)) changes_.push_back({cell, defaults_.of(v)});
      }
      ends_.push_back(changes_.size());
    }
  }

  void add_chunk(std::size_t first_lane) {
    const std::size_t num_lanes = mixture_.num_lanes();
    const std::size_t width = std::min(kChunkLanes, num_lanes - first_lane);
    for (std::size_t i = 0, begin = 0; i < size_; begin = ends_[i], ++i) {
      add_runs(mixture_.log_tables.data() + first_lane, num_lanes, changes_.data() + begin, ends_[i] - begin,
               defaults_.base() + first_lane, width, logs_.data() + i * num_lanes + first_lane);
    }
  }

  /// out[l] = base[l] + the sum of what each change adds.
  TREEBOUND_VECTOR_CLONES static void add_runs(const double* runs, std::size_t stride, const Change* changes,
                                               std::size_t num_changes, const double* base, std::size_t width,
                                               double* out) {
    double sums[kChunkLanes] = {};
    for (std::size_t c = 0; c < num_changes; ++c) {
      const double* run = runs + changes[c].cell * stride;
      if (changes[c].replaced == DefaultCells::kNone) {
        for (std::size_t l = 0; l < width; ++l) sums[l] += run[l];
        continue;
      }
      const double* replaced = runs + changes[c].replaced * stride;
      if (width == kChunkLanes) {
        for (std::size_t l = 0; l < kChunkLanes; ++l) sums[l] += run[l] - replaced[l];
      } else {
        for (std::size_t l = 0; l < width; ++l) sums[l] += run[l] - replaced[l];
      }
    }
    for (std::size_t l = 0; l < width; ++l) out[l] = base[l] + sums[l];
  }

  const MixtureView& mixture_;
  const DefaultCells& defaults_;
  std::size_t first_, size_;
  std::vector<std::size_t> cells_, ends_;
  std::vector<Change> changes_;
  std::vector<double> logs_;
};

/// Calls work(block) for all blocks of rows.
template <typename Work>
void for_each_lane_block(const MixtureView& mixture, RowsView rows, Run& run, Work work) {
  const DefaultCells defaults(mixture, rows);
  const std::size_t num_blocks = (rows.num_rows + kBlockRows - 1) / kBlockRows;
  parallel_for(run, num_blocks, [&](std::size_t, std::size_t item) {
    const std::size_t first = item * kBlockRows;
    LaneBlock block(mixture, defaults, rows, first, std::min(kBlockRows, rows.num_rows - first));
    work(block);
    run.num_finished += block.size();
  });
}

/// Turns logarithms into shares that sum to one, and returns the logarithm of the sum of their exponentials.
/// They stay as they are if all are minus infinity.
double to_shares(std::span<double> logs) {
  const double highest = *std::max_element(logs.begin(), logs.end());
  if (highest == kImpossible) return kImpossible;
  double sum = 0;
  // All the others together are less than the last digit of the sum.
  for (double& log : logs) sum += log = log - highest > kNegligible ? std::exp(log - highest) : 0.0;
  for (double& share : logs) share /= sum;
  return highest + std::log(sum);
}

/// Components that the row rules out do not count: their logarithms may be minus infinity.
double mean_log(std::span<const double> shares, const double* logs) {
  double mean = 0;
  for (std::size_t lane = 0; lane < shares.size(); ++lane) {
    if (shares[lane] > 0) mean += shares[lane] * logs[lane];
  }
  return mean;
}

}  // namespace

void mixture_log_likelihood_rows(const MixtureView& mixture, RowsView rows, Run& run, std::span<double> out) {
  assert(is_consistent(mixture) && out.size() == rows.num_rows);
  for_each_lane_block(mixture, rows, run, [&](LaneBlock& block) {
    for (std::size_t i = 0; i < block.size(); ++i) out[block.first() + i] = to_shares(block.logs_of(i));
  });
}

void mixture_family_logs(const MixtureView& mixture, RowsView rows, Run& run, std::span<double> out) {
  assert(is_consistent(mixture) && out.size() == rows.num_rows * mixture.num_variables());
  for_each_lane_block(mixture, rows, run, [&](LaneBlock& block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::span<double> shares = block.logs_of(i);
      const bool is_possible = to_shares(shares) > kImpossible;
      for (VariableId v = 0; v < mixture.num_variables(); ++v) {
        out[v * rows.num_rows + block.first() + i] =
            is_possible ? mean_log(shares, block.run_of(v, i)) : std::numeric_limits<double>::quiet_NaN();
      }
    }
  });
}

}  // namespace treebound
