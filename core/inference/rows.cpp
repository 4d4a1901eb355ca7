#include "inference/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "inference/elimination_run.hpp"

namespace treebound {
namespace {

// Rows handled at once: their running products and indices stay in the nearest cache.
constexpr std::size_t kBlockRows = 1024;
// A product is turned into its logarithm before it gets as small as this; smaller factors are so at once.
constexpr double kSmall = 1e-140;

struct Block {
  std::size_t first;
  std::size_t size;
};

/// Calls work(run, block) for all blocks of rows; `run` belongs to the thread.
template <typename Work>
void for_each_block(const Model& model, std::size_t num_rows, std::size_t num_threads, Work work) {
  std::vector<std::unique_ptr<EliminationRun>> runs(num_threads);
  // Enough blocks that threads finish together even if there are few rows.
  const std::size_t share = (num_rows + 4 * num_threads - 1) / (4 * num_threads);
  const std::size_t size = std::clamp<std::size_t>(share, 1, kBlockRows);
  parallel_for(num_threads, (num_rows + size - 1) / size, [&](std::size_t worker, std::size_t item) {
    if (!runs[worker]) runs[worker] = std::make_unique<EliminationRun>(model);
    work(*runs[worker], Block{item * size, std::min(size, num_rows - item * size)});
  });
}

/// Logarithms of products of table entries for the rows of a block, column by column.
class BlockLikelihood {
 public:
  BlockLikelihood(const Model& model, RowsView rows, Block block, std::span<double> out)
      : model_(model), rows_(rows), block_(block), out_(out.subspan(block.first, block.size)) {
    std::ranges::fill(out_, 0.0);
    std::fill_n(products_, block.size, 1.0);
    std::fill_n(has_gap_, block.size, 0);
    for (VariableId v = 0; v < model.num_variables(); ++v) multiply(v);
    take_logarithms();
  }

  bool has_gap(std::size_t i) const { return has_gap_[i] < 0; }

 private:
  /// Multiplies in P(child | parents) where the whole family is known.
  void multiply(VariableId child) {
    const TableView table = model_.table_of(child);
    find_positions(table.axes);
    double smallest = 1;
    for (std::size_t i = 0; i < block_.size; ++i) {
      entries_[i] = unknown_[i] < 0 ? 1.0 : table.values[positions_[i]];
      smallest = std::min(smallest, entries_[i]);
    }
    // Neither the product so far nor the entry may be tiny when they meet.
    if (smallest < kSmall) take_logarithms();
    smallest = 1;
    for (std::size_t i = 0; i < block_.size; ++i) {
      products_[i] *= entries_[i];
      smallest = std::min(smallest, products_[i]);
    }
    if (smallest < kSmall) take_logarithms();
  }

  void find_positions(std::span<const Axis> axes) {
    std::fill_n(positions_, block_.size, 0);
    std::fill_n(unknown_, block_.size, 0);
    for (const Axis& axis : axes) {
      const std::int32_t* codes = rows_.column(axis.variable) + block_.first;
      const auto stride = static_cast<std::uint32_t>(axis.stride);
      for (std::size_t i = 0; i < block_.size; ++i) {
        positions_[i] += stride * static_cast<std::uint32_t>(codes[i]);
        unknown_[i] |= codes[i];
      }
    }
    for (std::size_t i = 0; i < block_.size; ++i) has_gap_[i] |= unknown_[i];
  }

  void take_logarithms() {
    for (std::size_t i = 0; i < block_.size; ++i) {
      out_[i] += std::log(products_[i]);
      products_[i] = 1;
    }
  }

  const Model& model_;
  RowsView rows_;
  Block block_;
  std::span<double> out_;
  std::uint32_t positions_[kBlockRows];
  std::int32_t unknown_[kBlockRows], has_gap_[kBlockRows];
  double entries_[kBlockRows], products_[kBlockRows];
};

void normalise(std::span<double> values) {
  double total = 0;
  for (const double value : values) total += value;
  for (double& value : values) value /= total;
}

void copy_row(const Model& model, const RowView& row, std::int32_t* out, std::size_t stride) {
  for (VariableId v = 0; v < model.num_variables(); ++v) out[v * stride] = row.knows(v) ? row[v] : -1;
}

/// Copies all rows to `out`, writes the logarithms of the families that they know, and calls complete(run, r)
/// for each row with gaps, which are in the run.
template <typename Complete>
void for_each_gappy_row(const Model& model, RowsView rows, std::size_t num_threads, std::int32_t* out,
                        std::span<double> log_probabilities, Complete complete) {
  for_each_block(model, rows.num_rows, num_threads, [&](EliminationRun& run, Block block) {
    const BlockLikelihood known(model, rows, block, log_probabilities);
    for (std::size_t i = 0; i < block.size; ++i) {
      const std::size_t r = block.first + i;
      copy_row(model, rows.row(r), out + r, rows.num_rows);
      if (!known.has_gap(i)) continue;
      run.start(rows.row(r), {});
      run.include_all();
      complete(run, r);
    }
  });
}

}  // namespace

void log_likelihood_rows(const Model& model, RowsView rows, std::size_t num_threads, std::span<double> out) {
  for_each_block(model, rows.num_rows, num_threads, [&](EliminationRun& run, Block block) {
    const BlockLikelihood known(model, rows, block, out);
    for (std::size_t i = 0; i < block.size; ++i) {
      if (!known.has_gap(i)) continue;
      run.start(rows.row(block.first + i), {});
      run.include_all();
      run.drop_barren({});
      run.load_tables();
      run.eliminate(Fold::sum, {}, Fold::sum, {});
      out[block.first + i] += run.log_scale();
    }
  });
}

void posterior_rows(const Model& model, VariableId target, RowsView rows, std::size_t num_threads,
                    std::span<double> out) {
  const std::size_t num_states = model.cardinalities()[target];
  const std::span<const VariableId> kept(&target, 1);
  for_each_block(model, rows.num_rows, num_threads, [&](EliminationRun& run, Block block) {
    for (std::size_t r = block.first; r < block.first + block.size; ++r) {
      run.start({rows.codes + r, rows.num_rows, target}, {});
      run.include_around(kept);
      run.drop_barren(kept);
      run.load_tables();
      run.eliminate(Fold::sum, {}, Fold::sum, kept);
      const auto answer = out.subspan(r * num_states, num_states);
      run.remaining(kept, answer.data());
      normalise(answer);
    }
  });
}

void most_probable_rows(const Model& model, RowsView rows, std::size_t num_threads, std::int32_t* out,
                        std::span<double> log_probabilities) {
  for_each_gappy_row(model, rows, num_threads, out, log_probabilities,
                     [&](EliminationRun& run, std::size_t r) {
                       run.load_tables();
                       run.eliminate(Fold::max, {}, Fold::max, {});
                       log_probabilities[r] += run.log_scale();
                       run.take_best(out + r, rows.num_rows, run.num_steps());
                     });
}

void sample_rows_given(const Model& model, RowsView rows, std::uint64_t seed, std::size_t num_threads,
                       std::int32_t* out) {
  const RandomStream streams(seed, SeedStream::kCompletions);
  std::vector<double> log_probabilities(rows.num_rows);
  for_each_gappy_row(model, rows, num_threads, out, log_probabilities,
                     [&](EliminationRun& run, std::size_t r) {
                       run.drop_barren({});
                       run.load_tables();
                       run.eliminate(Fold::sum, {}, Fold::sum, {});
                       std::vector<double> weights;
                       if (log_probabilities[r] + run.log_scale() > -std::numeric_limits<double>::infinity())
                         run.draw(out + r, rows.num_rows, streams.split(r), weights);
                     });
}

}  // namespace treebound
