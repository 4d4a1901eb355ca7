#include "density/batch_slopes.hpp"

#include <algorithm>
#include <cassert>
#include <memory>

#include "base/parallel.hpp"
#include "density/fused_clones.hpp"
#include "density/lane_math.hpp"
#include "density/lane_sums.hpp"

namespace treebound {
namespace {

constexpr std::size_t kBlockRows = 16;
constexpr std::size_t kBlockFamilies = 8;
constexpr std::size_t kBlockLanes = 64;

/// Probabilities and their logarithms, one run of lanes for each state, from the logits of all states but the
/// first, which has zero.
TREEBOUND_FUSED_CLONES void softmax(const float* logits, std::size_t num_states, std::size_t num_lanes,
                                    float* shares, float* logs) {
  for (std::size_t first = 0; first < num_lanes; first += kBlockLanes) {
    const std::size_t size = std::min(kBlockLanes, num_lanes - first);
    float highest[kBlockLanes] = {}, total[kBlockLanes], log_total[kBlockLanes];
    for (std::size_t s = 1; s < num_states; ++s) {
      const float* z = logits + (s - 1) * num_lanes + first;
      for (std::size_t l = 0; l < size; ++l) highest[l] = z[l] > highest[l] ? z[l] : highest[l];
    }
    for (std::size_t l = 0; l < size; ++l) shares[first + l] = total[l] = lane_exp(-highest[l]);
    for (std::size_t s = 1; s < num_states; ++s) {
      const float* z = logits + (s - 1) * num_lanes + first;
      float* share = shares + s * num_lanes + first;
      for (std::size_t l = 0; l < size; ++l) total[l] += share[l] = lane_exp(z[l] - highest[l]);
    }
    for (std::size_t l = 0; l < size; ++l) {
      log_total[l] = highest[l] + lane_log(total[l]);
      total[l] = 1 / total[l];
    }
    for (std::size_t l = 0; l < size; ++l) {
      shares[first + l] *= total[l];
      logs[first + l] = -log_total[l];
    }
    for (std::size_t s = 1; s < num_states; ++s) {
      const float* z = logits + (s - 1) * num_lanes + first;
      float *share = shares + s * num_lanes + first, *log = logs + s * num_lanes + first;
      for (std::size_t l = 0; l < size; ++l) {
        share[l] *= total[l];
        log[l] = z[l] - log_total[l];
      }
    }
  }
}

/// The same for two states, with one exponential: that of minus the distance of the logit from zero.
TREEBOUND_FUSED_CLONES void softmax_of_two(const float* __restrict__ logits, std::size_t num_lanes,
                                           float* __restrict__ shares, float* __restrict__ logs) {
  float* __restrict__ other_shares = shares + num_lanes, * __restrict__ other_logs = logs + num_lanes;
  for (std::size_t l = 0; l < num_lanes; ++l) {
    const float z = logits[l], highest = z > 0 ? z : 0.0f;
    const float small = lane_exp(z > 0 ? -z : z), total = 1 + small;
    const float large_share = 1 / total, small_share = small * large_share;
    const float log_total = highest + lane_log(total);
    shares[l] = z > 0 ? small_share : large_share;
    other_shares[l] = z > 0 ? large_share : small_share;
    logs[l] = -log_total;
    other_logs[l] = z - log_total;
  }
}

}  // namespace

BatchSlopes::BatchSlopes(const OrderedFamilies& families) : families_(families), logit_offsets_{0} {
  assert(families.is_consistent());
  for (VariableId v = 0; v < families.num_variables(); ++v) {
    const std::size_t contexts = (families.last_cell(v) - families.first_cell(v)) / families.cardinalities[v];
    logit_offsets_.push_back(logit_offsets_.back() + contexts * (families.cardinalities[v] - 1));
  }
}

void BatchSlopes::load(const Matrix& logits, std::span<const std::uint32_t> defaults, Run& run) {
  assert(logits.num_rows == num_logits() && defaults.size() == families_.num_variables());
  if (num_lanes_ != logits.num_columns) {
    num_lanes_ = logits.num_columns;
    tables_ = Matrix(families_.num_cells(), num_lanes_);
    differences_ = Matrix(families_.num_cells(), num_lanes_);
    default_logs_ = Matrix(families_.num_variables(), num_lanes_);
    slopes_ = Matrix(num_logits(), num_lanes_);
  }
  const std::size_t n = families_.num_variables();
  parallel_for(run.num_threads(), (n + kBlockFamilies - 1) / kBlockFamilies, [&](std::size_t, std::size_t b) {
    for (std::size_t v = b * kBlockFamilies; v < std::min(n, (b + 1) * kBlockFamilies); ++v)
      load_family(static_cast<VariableId>(v), logits, defaults[v]);
  });
  base_.assign(num_lanes_, 0.0f);
  for (std::size_t v = 0; v < n; ++v) lanes_add(base_.data(), default_logs_.row(v), num_lanes_);
}

void BatchSlopes::release() {
  num_lanes_ = 0;
  tables_ = differences_ = default_logs_ = slopes_ = row_shares_ = Matrix();
  expected_ = {};
}

void BatchSlopes::load_family(VariableId v, const Matrix& logits, std::uint32_t default_cell) {
  const std::size_t states = families_.cardinalities[v];
  const std::size_t first = families_.first_cell(v), last = families_.last_cell(v);
  const float* own = logits.values.data() + logit_offsets_[v] * num_lanes_;
  for (std::size_t cell = first; cell < last; cell += states, own += (states - 1) * num_lanes_) {
    if (states == 2) {
      softmax_of_two(own, num_lanes_, tables_.row(cell), differences_.row(cell));
    } else {
      softmax(own, states, num_lanes_, tables_.row(cell), differences_.row(cell));
    }
  }
  float* defaults = default_logs_.row(v);
  std::copy_n(differences_.row(default_cell), num_lanes_, defaults);
  for (std::size_t cell = first; cell < last; ++cell)
    lanes_subtract(differences_.row(cell), defaults, num_lanes_);
}

void BatchSlopes::log_likelihoods(const Batch& batch, std::span<const float> log_weights, Run& run,
                                  std::span<double> out) {
  const std::size_t size = batch.places.size();
  assert(batch.weights.size() == size && out.size() == size && log_weights.size() == num_lanes_);
  assert(std::ranges::all_of(batch.places, [&](std::uint32_t r) { return r < batch.rows.num_rows(); }));
  if (row_shares_.num_rows != size || row_shares_.num_columns != num_lanes_)
    row_shares_ = Matrix(size, num_lanes_);
  expected_.assign(size, {});
  std::vector<std::unique_ptr<GapElimination>> gaps(run.num_threads());
  parallel_for(run.num_threads(), (size + kBlockRows - 1) / kBlockRows,
               [&](std::size_t worker, std::size_t b) {
                 if (!gaps[worker]) gaps[worker] = std::make_unique<GapElimination>(families_, num_lanes_);
                 for (std::size_t i = b * kBlockRows; i < std::min(size, (b + 1) * kBlockRows); ++i)
                   out[i] = weigh_row(batch, i, log_weights, *gaps[worker]);
               });
}

double BatchSlopes::weigh_row(const Batch& batch, std::size_t i, std::span<const float> log_weights,
                              GapElimination& gaps) {
  const std::size_t r = batch.places[i];
  float* logs = row_shares_.row(i);
  std::copy_n(base_.data(), num_lanes_, logs);
  lanes_add(logs, log_weights.data(), num_lanes_);
  lanes_add_rows(logs, differences_.row(0), num_lanes_, batch.rows.cells_of(r), num_lanes_);
  if (!batch.rows.gaps_of(r).empty()) {
    for (const VariableId v : batch.rows.gaps_of(r)) lanes_subtract(logs, default_logs_.row(v), num_lanes_);
    gaps.add_logs(batch.rows, r, tables_, logs);
    Expected& found = expected_[i];
    gaps.visit_expected([&](std::uint32_t cell, const float* counts) {
      found.cells.push_back(cell);
      found.counts.insert(found.counts.end(), counts, counts + num_lanes_);
    });
  }
  if (batch.sharpness != 1.0f) lanes_scale(logs, batch.sharpness, num_lanes_);
  return lanes_to_shares(logs, batch.weights[i], num_lanes_);
}

const Matrix& BatchSlopes::slopes(const Batch& batch, Run& run) {
  assert(row_shares_.num_rows == batch.places.size());  // log_likelihoods() of this batch came before
  sort_cells(batch);
  masses_.assign(num_lanes_, 0.0f);
  for (std::size_t i = 0; i < batch.places.size(); ++i)
    lanes_add(masses_.data(), row_shares_.row(i), num_lanes_);
  const std::size_t n = families_.num_variables();
  std::vector<Matrix> counts(run.num_threads());
  parallel_for(run.num_threads(), (n + kBlockFamilies - 1) / kBlockFamilies,
               [&](std::size_t worker, std::size_t b) {
                 for (std::size_t v = b * kBlockFamilies; v < std::min(n, (b + 1) * kBlockFamilies); ++v)
                   slope_family(batch, static_cast<VariableId>(v), counts[worker]);
               });
  return slopes_;
}

void BatchSlopes::sort_cells(const Batch& batch) {
  const std::size_t size = batch.places.size();
  cell_starts_.assign(families_.num_cells() + 1, 0);
  expected_by_cell_.assign(families_.num_cells(), {});
  gaps_by_family_.assign(families_.num_variables(), {});
  for (const std::uint32_t r : batch.places)
    for (const std::uint32_t cell : batch.rows.cells_of(r)) ++cell_starts_[cell + 1];
  for (std::size_t cell = 0; cell < families_.num_cells(); ++cell)
    cell_starts_[cell + 1] += cell_starts_[cell];
  rows_by_cell_.resize(cell_starts_.back());
  std::vector<std::size_t> next(cell_starts_.begin(), cell_starts_.end() - 1);
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t r = batch.places[i];
    for (const std::uint32_t cell : batch.rows.cells_of(r)) rows_by_cell_[next[cell]++] = i;
    for (const VariableId v : batch.rows.gaps_of(r)) gaps_by_family_[v].push_back(i);
    for (std::size_t place = 0; place < expected_[i].cells.size(); ++place)
      expected_by_cell_[expected_[i].cells[place]].emplace_back(i, place);
  }
}

void BatchSlopes::count_family(const Batch& batch, VariableId v, Matrix& counts) {
  const std::size_t first = families_.first_cell(v), size = families_.last_cell(v) - first;
  const std::size_t default_cell = batch.rows.defaults()[v] - first;
  float* left = counts.row(default_cell);
  std::copy_n(masses_.data(), num_lanes_, left);
  for (const std::uint32_t i : gaps_by_family_[v]) lanes_subtract(left, row_shares_.row(i), num_lanes_);
  for (std::size_t c = 0; c < size; ++c) {
    if (c == default_cell) continue;
    lanes_fill(counts.row(c), 0.0f, num_lanes_);
    const std::span<const std::uint32_t> rows(rows_by_cell_.data() + cell_starts_[first + c],
                                              rows_by_cell_.data() + cell_starts_[first + c + 1]);
    if (rows.empty()) continue;
    lanes_add_rows(counts.row(c), row_shares_.row(0), num_lanes_, rows, num_lanes_);
    lanes_subtract(left, counts.row(c), num_lanes_);
  }
  for (std::size_t c = 0; c < size; ++c) {
    for (const auto& [i, place] : expected_by_cell_[first + c]) {
      lanes_add_product(counts.row(c), row_shares_.row(i), expected_[i].counts.data() + place * num_lanes_,
                        num_lanes_);
    }
  }
}

void BatchSlopes::slope_family(const Batch& batch, VariableId v, Matrix& counts) {
  const std::size_t first = families_.first_cell(v), size = families_.last_cell(v) - first;
  const std::size_t states = families_.cardinalities[v];
  if (counts.num_rows < size || counts.num_columns != num_lanes_) counts = Matrix(size, num_lanes_);
  count_family(batch, v, counts);
  std::vector<float> total(num_lanes_), expected(num_lanes_);
  float* out = slopes_.values.data() + logit_offsets_[v] * num_lanes_;
  for (std::size_t c = 0; c < size; c += states) {
    std::copy_n(counts.row(c), num_lanes_, total.data());
    for (std::size_t s = 1; s < states; ++s) lanes_add(total.data(), counts.row(c + s), num_lanes_);
    for (std::size_t s = 1; s < states; ++s, out += num_lanes_) {
      lanes_multiply(expected.data(), total.data(), tables_.row(first + c + s), num_lanes_);
      std::copy_n(counts.row(c + s), num_lanes_, out);
      lanes_subtract(out, expected.data(), num_lanes_);
    }
  }
}

}  // namespace treebound
