#include "inference/expected_counts/expected_counts.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>

#include "base/parallel.hpp"
#include "base/stopped.hpp"
#include "inference/expected_counts/lane_pass.hpp"
#include "inference/family_cell.hpp"

namespace treebound {
namespace {

constexpr std::size_t kLanes = 8;
// Fewer rows of a part are calibrated one by one, more in lanes, some of which may stay empty.
constexpr std::size_t kFewRows = 3;
// Chunks are what threads take at a time. Each has sums of its own, so there are few, of much work.
constexpr double kCellsPerChunk = 1 << 18;
constexpr std::size_t kMostChunks = 256;
// Chunks that are counted before their sums are added up: at most this many, and this many numbers.
constexpr std::size_t kChunksAtOnce = 16;
constexpr std::size_t kNumbersAtOnce = std::size_t{1} << 25;
constexpr double kNever = -std::numeric_limits<double>::infinity();

}  // namespace

/// What a chunk adds to the result.
struct ChunkSums {
  std::vector<double> counts;
  std::vector<double> whole;  // cells of the bags of whole rows
  double log_probability = 0;
  std::size_t impossible_row = ExpectedCounts::kNoRow;

  void reset(std::size_t num_counts, std::size_t num_whole) {
    counts.assign(num_counts, 0.0);
    whole.assign(num_whole, 0.0);
    log_probability = 0;
    impossible_row = ExpectedCounts::kNoRow;
  }
};

struct PassWorkspace {
  LanePass<double, kLanes> lanes;
  LanePass<double, 1> single;
  LanePass<WideNumber, 1> wide;
};

ExpectedCounts::ExpectedCounts(const FamiliesView& families, std::span<const VariableId> order, RowsView rows,
                               std::span<const double> weights, Run& run)
    : families_(families),
      bags_(families, order),
      rows_(rows),
      weights_(weights),
      parts_(find_missing_parts(bags_, rows, weights, run)),
      known_(families.num_cells(), 0.0) {
  assert(weights.size() == rows.num_rows);
  if (!parts_.whole_rows.empty())
    whole_ = plan_part(bags_, bags_.order(), std::vector<bool>(bags_.num_variables(), true));
  count_known(run);
  make_chunks();
}

std::size_t ExpectedCounts::num_passes() const {
  std::size_t sum = parts_.whole_rows.size();
  for (const MissingPart& part : parts_.parts) sum += part.rows.size();
  return sum;
}

void ExpectedCounts::count_known(Run& run) {
  const bool is_done = parallel_for(run, bags_.num_variables(), [&](std::size_t, std::size_t item) {
    const auto child = static_cast<VariableId>(item);
    for (std::size_t r = 0; r < rows_.num_rows; ++r) {
      if (parts_.is_whole[r]) continue;
      const FamilyCell at = cell_of(families_, rows_, child, r);
      if (!at.is_missing) known_[at.cell] += weights_[r];
    }
  });
  if (!is_done) throw Stopped{};
}

void ExpectedCounts::make_chunks() {
  double total = 0;
  std::vector<double> costs;
  const auto add = [&](std::size_t part) {
    const std::size_t num_rows = rows_of(part).size();
    for (std::size_t first = 0; first < num_rows; first += kLanes) {
      const std::size_t last = std::min(num_rows, first + kLanes);
      batches_.push_back({part, first, last});
      costs.push_back(static_cast<double>(plan_of(part).num_cells * (last - first < kFewRows ? 1 : 4)));
      total += costs.back();
    }
  };
  if (!parts_.whole_rows.empty()) add(kWhole);
  for (std::size_t p = 0; p < parts_.parts.size(); ++p) add(p);
  const double share = std::max(kCellsPerChunk, total / static_cast<double>(kMostChunks));
  chunks_.push_back(0);
  double filled = 0;
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    filled += costs[b];
    if (filled < share && b + 1 < batches_.size()) continue;
    chunks_.push_back(b + 1);
    filled = 0;
  }
}

double ExpectedCounts::count(std::span<const double> tables, Run& run, std::span<double> counts) {
  assert(tables.size() == known_.size() && counts.size() == known_.size());
  impossible_row_ = kNoRow;
  double log_probability = log_of_known(tables);
  std::ranges::copy(known_, counts.begin());
  potentials_ = whole_potentials(tables.data());
  std::vector<double> whole(whole_.num_cells, 0.0);
  const std::size_t size = counts.size() + whole.size();
  const std::size_t at_once = std::clamp<std::size_t>(kNumbersAtOnce / size, 1, kChunksAtOnce);
  const std::size_t num_chunks = chunks_.size() - 1;
  std::vector<ChunkSums> sums(std::min(at_once, num_chunks));
  std::vector<std::unique_ptr<PassWorkspace>> spaces(run.num_threads());
  for (std::size_t first = 0; first < num_chunks; first += sums.size()) {
    const std::size_t num = std::min(sums.size(), num_chunks - first);
    const bool is_done = parallel_for(run, num, [&](std::size_t worker, std::size_t i) {
      if (!spaces[worker]) spaces[worker] = std::make_unique<PassWorkspace>();
      sums[i].reset(counts.size(), whole.size());
      for (std::size_t b = chunks_[first + i]; b < chunks_[first + i + 1] && !run.is_stopped(); ++b) {
        count_batch(batches_[b], tables.data(), *spaces[worker], sums[i]);
        run.num_finished += batches_[b].last - batches_[b].first;
      }
    });
    if (!is_done || run.is_stopped()) throw Stopped{};
    for (std::size_t i = 0; i < num; ++i) {
      for (std::size_t c = 0; c < counts.size(); ++c) counts[c] += sums[i].counts[c];
      for (std::size_t c = 0; c < whole.size(); ++c) whole[c] += sums[i].whole[c];
      log_probability += sums[i].log_probability;
      note_impossible(sums[i].impossible_row);
    }
  }
  for (const PartPlan::Bag& bag : whole_.bags) {
    for (std::uint32_t f = bag.first_factor; f < bag.last_factor; ++f) {
      const PartPlan::Factor& factor = whole_.factors[f];
      double* own = counts.data() + families_.first_cell(factor.child);
      for (std::size_t c = 0; c < bag.num_cells(); ++c)
        own[whole_.maps[factor.first_map + c]] += whole[bag.first_cell + c];
    }
  }
  return log_probability;
}

double ExpectedCounts::log_of_known(std::span<const double> tables) {
  double sum = 0;
  for (std::size_t c = 0; c < known_.size(); ++c) {
    if (known_[c] > 0) sum += known_[c] * std::log(tables[c]);
  }
  if (sum > kNever) return sum;
  for (std::size_t r = 0; r < rows_.num_rows && impossible_row_ == kNoRow; ++r) {
    if (parts_.is_whole[r] || weights_[r] == 0) continue;
    for (VariableId child = 0; child < bags_.num_variables(); ++child) {
      const FamilyCell at = cell_of(families_, rows_, child, r);
      if (!at.is_missing && tables[at.cell] == 0) note_impossible(r);
    }
  }
  return sum;
}

/// The product of the tables at home in each bag of the plan of all variables.
std::vector<double> ExpectedCounts::whole_potentials(const double* tables) const {
  std::vector<double> potentials(whole_.num_cells, 1.0);
  for (const PartPlan::Bag& bag : whole_.bags) {
    for (std::uint32_t f = bag.first_factor; f < bag.last_factor; ++f) {
      const PartPlan::Factor& factor = whole_.factors[f];
      const double* table = tables + families_.first_cell(factor.child);
      for (std::size_t c = 0; c < bag.num_cells(); ++c)
        potentials[bag.first_cell + c] *= table[whole_.maps[factor.first_map + c]];
    }
  }
  return potentials;
}

template <typename Pass, std::size_t kNum>
void ExpectedCounts::calibrate(std::size_t part, const double* tables,
                               const std::array<std::size_t, kNum>& lanes, Pass& pass) const {
  if (part == kWhole)
    pass.calibrate_whole(whole_, families_, tables, potentials_, rows_, lanes);
  else
    pass.calibrate(plan_of(part), families_, tables, rows_, lanes);
}

void ExpectedCounts::count_batch(const Batch& batch, const double* tables, PassWorkspace& work,
                                 ChunkSums& sums) const {
  const auto rows = rows_of(batch.part).subspan(batch.first, batch.last - batch.first);
  if (rows.size() >= kFewRows) return count_lanes(batch, rows, tables, work.lanes, work, sums);
  for (std::size_t i = 0; i < rows.size(); ++i)
    count_lanes(batch, rows.subspan(i, 1), tables, work.single, work, sums);
}

template <typename Pass>
void ExpectedCounts::count_lanes(const Batch& batch, std::span<const WeightedRow> rows, const double* tables,
                                 Pass& pass, PassWorkspace& work, ChunkSums& sums) const {
  constexpr std::size_t kNum = std::tuple_size_v<typename Pass::Group>;
  std::array<std::size_t, kNum> lanes;
  std::array<double, kNum> weights{};
  for (std::size_t l = 0; l < kNum; ++l) lanes[l] = rows[std::min(l, rows.size() - 1)].row;
  const PartPlan& plan = plan_of(batch.part);
  calibrate(batch.part, tables, lanes, pass);
  for (std::size_t l = 0; l < rows.size(); ++l) {
    if (pass.is_given_up(l)) {
      count_wide(batch.part, rows[l], tables, work, sums);
    } else {
      weights[l] = rows[l].weight;
      sums.log_probability += weights[l] * pass.log_probability(l);
    }
  }
  if (batch.part == kWhole)
    pass.add_bags(weights, sums.whole);
  else
    pass.add_families(plan, weights, sums.counts.data());
}

void ExpectedCounts::count_wide(std::size_t part, WeightedRow row, const double* tables, PassWorkspace& work,
                                ChunkSums& sums) const {
  const PartPlan& plan = plan_of(part);
  const std::array<std::size_t, 1> lanes{row.row};
  const std::array<double, 1> weights{row.weight};
  calibrate(part, tables, lanes, work.wide);
  sums.log_probability += row.weight * work.wide.log_probability(0);
  if (work.wide.is_given_up(0)) {
    sums.impossible_row = std::min(sums.impossible_row, row.row);
  } else if (part == kWhole) {
    work.wide.add_bags(weights, sums.whole);
  } else {
    work.wide.add_families(plan, weights, sums.counts.data());
  }
}

}  // namespace treebound
