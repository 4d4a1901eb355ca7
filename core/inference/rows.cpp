#include "inference/rows.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "inference/conflicts.hpp"
#include "inference/elimination_run.hpp"
#include "inference/normalise.hpp"
#include "inference/same_evidence.hpp"

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

/// Calls work(elimination, block) for all blocks of rows; `elimination` belongs to the thread.
template <typename Work>
void for_each_block(const Model& model, std::size_t num_rows, Run& run, Work work) {
  const std::size_t num_threads = run.num_threads();
  std::vector<std::unique_ptr<EliminationRun>> eliminations(num_threads);
  // Enough blocks that threads finish together even if there are few rows.
  const std::size_t share = (num_rows + 4 * num_threads - 1) / (4 * num_threads);
  const std::size_t size = std::clamp<std::size_t>(share, 1, kBlockRows);
  parallel_for(run, (num_rows + size - 1) / size, [&](std::size_t worker, std::size_t item) {
    if (!eliminations[worker]) eliminations[worker] = std::make_unique<EliminationRun>(model);
    const Block block{item * size, std::min(size, num_rows - item * size)};
    work(*eliminations[worker], block);
    run.num_finished += block.size;
  });
}

/// Calls work(r) for the rows of a block until the run should stop: a row with many gaps may take long.
template <typename Work>
void for_each_row(Block block, const Run& run, Work work) {
  for (std::size_t i = 0; i < block.size && !run.is_stopped(); ++i) work(block.first + i);
}

/// The probability of the families that are known as a whole, for the rows of a block, column by column.
class KnownFamilies {
 public:
  KnownFamilies(const Model& model, RowsView rows, Block block) : model_(model), rows_(rows), block_(block) {
    std::fill_n(logs_, block.size, 0.0);
    std::fill_n(products_, block.size, 1.0);
    std::fill_n(has_gap_, block.size, 0);
  }

  /// Takes in all families; log_probability() and has_gap() are about them.
  void multiply_all() {
    for (VariableId v = 0; v < model_.num_variables(); ++v) multiply(v);
    take_logarithms([](std::size_t) { return true; });
  }

  double log_probability(std::size_t r) const { return logs_[r - block_.first]; }
  bool is_possible(std::size_t r) const {
    return log_probability(r) > -std::numeric_limits<double>::infinity();
  }
  bool has_gap(std::size_t r) const { return has_gap_[r - block_.first] < 0; }

 private:
  /// Multiplies in P(child | parents) where the whole family is known.
  void multiply(VariableId child) {
    const TableView table = model_.table_of(child);
    find_positions(table.axes);
    double smallest = 1;
    for (std::size_t i = 0; i < block_.size; ++i) {
      entries_[i] = unknown_[i] < 0 ? 1.0 : table.cells.plain[positions_[i]];
      smallest = std::min(smallest, entries_[i]);
    }
    // Neither the product so far nor the entry may be tiny when they meet. Each row is treated on its own, so
    // its result does not depend on the others of the block.
    if (smallest < kSmall) take_logarithms([&](std::size_t i) { return entries_[i] < kSmall; });
    smallest = 1;
    for (std::size_t i = 0; i < block_.size; ++i) {
      products_[i] *= entries_[i];
      smallest = std::min(smallest, products_[i]);
    }
    if (smallest < kSmall) take_logarithms([&](std::size_t i) { return products_[i] < kSmall; });
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

  template <typename IsDue>
  void take_logarithms(IsDue is_due) {
    for (std::size_t i = 0; i < block_.size; ++i) {
      if (!is_due(i)) continue;
      logs_[i] += std::log(products_[i]);
      products_[i] = 1;
    }
  }

  const Model& model_;
  RowsView rows_;
  Block block_;
  std::uint32_t positions_[kBlockRows];
  std::int32_t unknown_[kBlockRows], has_gap_[kBlockRows];
  double entries_[kBlockRows], products_[kBlockRows], logs_[kBlockRows];
};

void copy_row(const Model& model, const RowView& row, std::int32_t* out, std::size_t stride) {
  for (VariableId v = 0; v < model.num_variables(); ++v) out[v * stride] = row.knows(v) ? row[v] : -1;
}

/// Calls visit(r) for each row of a block and, if it returns true, eliminates the row's gaps and calls
/// finish(r). All gaps are taken in when plan() is called, once for all rows in a run with the same gaps.
template <typename Visit, typename Plan, typename Finish>
void eliminate_gaps(RowsView rows, Block block, const Run& run, EliminationRun& elimination, Visit visit,
                    Plan plan, Finish finish) {
  const SameEvidence runs(elimination.model(), rows, block.first, block.size);
  std::optional<std::uint32_t> planned;
  for_each_row(block, run, [&](std::size_t r) {
    if (!visit(r)) return;
    if (planned != runs.number_of(r)) {
      planned = runs.number_of(r);
      elimination.start(rows.row(r), {});
      elimination.include_all();
      plan();
    }
    elimination.eliminate(rows.row(r), run);
    finish(r);
  });
}

/// Copies all rows to `out` and calls complete(elimination, r) for those that have gaps and are possible,
/// after plan(elimination).
template <typename Plan, typename Complete>
void complete_rows(const Model& model, RowsView rows, Run& run, std::int32_t* out,
                   std::span<std::uint8_t> is_possible, Plan plan, Complete complete) {
  assert(is_possible.size() == rows.num_rows);
  for_each_block(model, rows.num_rows, run, [&](EliminationRun& elimination, Block block) {
    KnownFamilies known(model, rows, block);
    known.multiply_all();
    const auto copy = [&](std::size_t r) {
      copy_row(model, rows.row(r), out + r, rows.num_rows);
      is_possible[r] = known.is_possible(r);
      return known.has_gap(r) && is_possible[r];
    };
    const auto finish = [&](std::size_t r) {
      is_possible[r] = elimination.is_possible();
      if (is_possible[r]) complete(elimination, r);
    };
    eliminate_gaps(rows, block, run, elimination, copy, [&] { plan(elimination); }, finish);
  });
}

}  // namespace

void log_likelihood_rows(const Model& model, RowsView rows, Run& run, std::span<double> out) {
  assert(out.size() == rows.num_rows);
  for_each_block(model, rows.num_rows, run, [&](EliminationRun& elimination, Block block) {
    KnownFamilies known(model, rows, block);
    known.multiply_all();
    const auto start = [&](std::size_t r) {
      out[r] = known.log_probability(r);
      return known.has_gap(r);
    };
    const auto plan = [&] {
      elimination.drop_barren({});
      elimination.plan(Fold::sum, {}, Fold::sum, {});
    };
    eliminate_gaps(rows, block, run, elimination, start, plan,
                   [&](std::size_t r) { out[r] += elimination.log_total(); });
  });
}

void posterior_rows(const Model& model, VariableId target, RowsView rows, Run& run, std::span<double> out) {
  assert(target < model.num_variables());
  const std::size_t num_states = model.cardinalities()[target];
  assert(out.size() == rows.num_rows * num_states);
  const std::span<const VariableId> kept(&target, 1);
  for_each_block(model, rows.num_rows, run, [&](EliminationRun& elimination, Block block) {
    const SameEvidence runs(model, rows, block.first, block.size, target);
    const Conflicts conflicts(model, rows, block.first, block.size, target);
    std::optional<std::uint32_t> planned;
    std::span<const VariableId> planned_conflicts;
    bool is_possible = true;
    for_each_row(block, run, [&](std::size_t r) {
      const auto answer = out.subspan(r * num_states, num_states);
      const RowView row{rows.codes + r, rows.num_rows, target};
      if (planned != runs.number_of(r) || !std::ranges::equal(planned_conflicts, conflicts.of(r))) {
        planned = runs.number_of(r);
        planned_conflicts = conflicts.of(r);
        elimination.start(row, {});
        elimination.include_around(kept);
        // Known cells that others cut off from the target do not change its distribution, but may be
        // impossible.
        is_possible = std::ranges::all_of(planned_conflicts,
                                          [&](VariableId child) { return elimination.include_table(child); });
        elimination.drop_barren(kept);
        elimination.plan(Fold::sum, {}, Fold::sum, kept);
      }
      elimination.eliminate(row, run);
      elimination.remaining(kept, answer, run);
      if (is_possible && elimination.is_possible())
        normalise(answer);  // NaN if all are zero
      else
        std::ranges::fill(answer, std::numeric_limits<double>::quiet_NaN());
    });
  });
}

void most_probable_rows(const Model& model, RowsView rows, Run& run, std::int32_t* out,
                        std::span<std::uint8_t> is_possible) {
  complete_rows(
      model, rows, run, out, is_possible,
      [](EliminationRun& elimination) { elimination.plan(Fold::max, {}, Fold::max, {}); },
      [&](EliminationRun& elimination, std::size_t r) {
        elimination.take_best(out + r, rows.num_rows, elimination.num_steps());
      });
}

void sample_rows_given(const Model& model, RowsView rows, std::uint64_t seed, Run& run, std::int32_t* out,
                       std::span<std::uint8_t> is_possible) {
  const RandomStream streams(seed, SeedStream::kCompletions);
  complete_rows(
      model, rows, run, out, is_possible,
      [](EliminationRun& elimination) {
        elimination.drop_barren({});
        elimination.plan(Fold::sum, {}, Fold::sum, {});
      },
      [&](EliminationRun& elimination, std::size_t r) {
        std::vector<double> weights;
        elimination.draw(out + r, rows.num_rows, streams.split(r), weights);
      });
}

}  // namespace treebound
