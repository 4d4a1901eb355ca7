#include "data/partition.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/asserts.hpp"

namespace treebound {
namespace {

// What a pass over a plane costs, in look-ups of a position: per word, and to start a segment. Measured by
// benchmarks/paths.py, benchmarks/constants.py.
constexpr double kLookUpsPerWord = 0.0625;
constexpr double kLookUpsPerPass = 4;

template <typename Visit>
void for_each_bit(const Word* plane, std::size_t num_words, Visit&& visit) {
  for (std::size_t w = 0; w < num_words; ++w) {
    for (Word word = plane[w]; word != 0; word &= word - 1) {
      visit(static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(word))));
    }
  }
}

}  // namespace

// A list is read once for any variable, a plane once for every state but one. Which variables will be counted
// is not known here, so their mean number of planes is used.
Partition::Partition(const Dataset& data) : data_(&data) {
  const double pass = static_cast<double>(data.num_words()) * kLookUpsPerWord +
                      static_cast<double>(data.num_segments()) * kLookUpsPerPass;
  max_sparse_positions_ = static_cast<std::uint32_t>(pass * data.mean_planes());
}

void Partition::gather() {
  cells_.assign(1, Cell{static_cast<std::uint32_t>(data_->num_rows()),
                        static_cast<std::uint32_t>(data_->num_positions()), 0, 0, 0, 0, true});
  num_groups_ = 1;
  planes_.assign(data_->all_rows(), data_->all_rows() + data_->num_words());
  dense_cells_.assign(1, 0);
  positions_.clear();
}

void Partition::split(const Partition& coarse, VariableId v, std::uint32_t first_state, Groups groups) {
  assert(&coarse != this && coarse.data_ == data_);
  const std::uint32_t num_states = data_->cardinality(v);
  assert(first_state <= num_states);
  cells_.clear();
  dense_cells_.clear();
  positions_.clear();
  num_groups_ = 0;

  for (std::size_t begin = 0, end = 0; begin < coarse.cells_.size(); begin = end) {
    while (end < coarse.cells_.size() && coarse.cells_[end].group == coarse.cells_[begin].group) ++end;
    parts_.assign((end - begin) * num_states, Cell{});
    for (std::size_t c = begin; c < end; ++c) {
      const Cell& cell = coarse.cells_[c];
      Cell* parts = parts_.data() + (c - begin) * num_states;
      if (cell.is_dense && data_->has_planes(v)) {
        split_dense(coarse, cell, v, first_state, parts);
      } else if (cell.is_dense) {
        bits_.clear();
        for_each_bit(coarse.plane(cell), data_->num_words(), [&](std::uint32_t p) { bits_.push_back(p); });
        split_listed(cell, bits_, v, first_state, parts);
      } else {
        split_listed(cell, coarse.positions(cell), v, first_state, parts);
      }
    }
    for (std::uint32_t state = first_state; state < num_states; ++state) {
      bool any = false;
      for (std::size_t c = begin; c < end; ++c) {
        Cell part = parts_[(c - begin) * num_states + state];
        if (part.num_positions == 0) continue;
        part.group = num_groups_;
        part.origin = static_cast<std::uint32_t>(c);
        part.state = state;
        if (part.is_dense) dense_cells_[part.storage] = static_cast<std::uint32_t>(cells_.size());
        cells_.push_back(part);
        any = true;
      }
      if (any && groups == Groups::part) ++num_groups_;
    }
    if (groups == Groups::keep) ++num_groups_;
  }
  TREEBOUND_ASSERT_VALID(*this);
}

bool Partition::is_valid() const {
  std::size_t num_dense = 0, num_listed = 0;
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    const Cell& cell = cells_[c];
    if (cell.num_positions == 0 || cell.num_positions > data_->num_positions()) return false;
    if (cell.group >= num_groups_ || (c > 0 && cell.group < cells_[c - 1].group)) return false;
    std::uint32_t num_rows = 0, num_positions = 0;
    const auto count = [&](std::uint32_t p) {
      ++num_positions;
      num_rows += data_->weight(p);
    };
    if (cell.is_dense) {
      if (cell.storage >= dense_cells_.size() || dense_cells_[cell.storage] != c) return false;
      ++num_dense;
      for_each_bit(plane(cell), data_->num_words(), count);
    } else {
      num_listed += cell.num_positions;
      for (const std::uint32_t p : positions(cell)) count(p);
    }
    if (num_rows != cell.num_rows || num_positions != cell.num_positions) return false;
  }
  return num_dense == dense_cells_.size() && num_listed == positions_.size();
}

void Partition::split_dense(const Partition& coarse, const Cell& cell, VariableId v,
                            std::uint32_t first_state, Cell* parts) {
  const std::size_t num_words = data_->num_words();
  const Word* whole = coarse.plane(cell);
  const Word* planes = data_->planes(v);
  Dataset::Size left{cell.num_positions, cell.num_rows};
  for (std::uint32_t state = 1; state < data_->cardinality(v); ++state) {
    const Dataset::Size size = data_->intersect(whole, planes + (state - 1) * num_words, next_plane());
    if (size.positions == 0) continue;
    left = {left.positions - size.positions, left.rows - size.rows};
    adopt_next_plane(size, parts[state]);
  }
  if (first_state > 0 || left.positions == 0) return;
  Word* rest = next_plane();
  if (data_->cardinality(v) == 2) {
    for (std::size_t w = 0; w < num_words; ++w) rest[w] = whole[w] & ~planes[w];
  } else {
    std::copy_n(whole, num_words, rest);
    for (std::uint32_t state = 1; state < data_->cardinality(v); ++state, planes += num_words)
      if (parts[state].num_positions > 0)
        for (std::size_t w = 0; w < num_words; ++w) rest[w] &= ~planes[w];
  }
  adopt_next_plane(left, parts[0]);
}

Word* Partition::next_plane() {
  const std::size_t begin = dense_cells_.size() * data_->num_words();
  if (planes_.size() < begin + data_->num_words()) planes_.resize(begin + data_->num_words());
  return planes_.data() + begin;
}

void Partition::adopt_next_plane(Dataset::Size size, Cell& part) {
  part.num_rows = size.rows;
  part.num_positions = size.positions;
  part.is_dense = size.positions > max_sparse_positions_;
  if (part.is_dense) {
    part.storage = static_cast<std::uint32_t>(dense_cells_.size());
    dense_cells_.push_back(0);
  } else {
    part.storage = static_cast<std::uint32_t>(positions_.size());
    positions_.resize(positions_.size() + size.positions);
    std::uint32_t* to = positions_.data() + part.storage;
    for_each_bit(next_plane(), data_->num_words(), [&](std::uint32_t p) { *to++ = p; });
  }
}

void Partition::split_listed(const Cell& cell, std::span<const std::uint32_t> positions, VariableId v,
                             std::uint32_t first_state, Cell* parts) {
  if (data_->cardinality(v) == 2)
    split_by_bits(cell, positions, v, first_state, parts);
  else
    split_by_codes(positions, v, first_state, parts);
}

Dataset::Size Partition::count_ones(std::span<const std::uint32_t> positions, VariableId v) const {
  const PlaneCodes codes(data_->planes(v));
  Dataset::Size ones{0, 0};
  for (const std::uint32_t p : positions) ones.positions += codes[p];
  if (!data_->is_collapsed()) return {ones.positions, ones.positions};
  for (const std::uint32_t p : positions) ones.rows += codes[p] * data_->weight(p);
  return ones;
}

void Partition::split_by_bits(const Cell& cell, std::span<const std::uint32_t> positions, VariableId v,
                              std::uint32_t first_state, Cell* parts) {
  assert(first_state <= 1 && positions.size() == cell.num_positions);
  const Dataset::Size ones = count_ones(positions, v);
  const auto first = static_cast<std::uint32_t>(positions_.size());
  const std::uint32_t num_zeros = cell.num_positions - ones.positions;
  const std::uint32_t num_kept = first_state == 0 ? num_zeros : 0;
  parts[0].num_rows = cell.num_rows - ones.rows;
  parts[0].num_positions = num_zeros;
  parts[0].storage = first;
  parts[1].num_rows = ones.rows;
  parts[1].num_positions = ones.positions;
  parts[1].storage = first + num_kept;
  const std::size_t end = std::size_t{first} + num_kept + ones.positions;
  // One more place, which takes the positions that are not kept once all ones are found: cheaper than a
  // branch for each.
  positions_.resize(end + 1);
  const PlaneCodes codes(data_->planes(v));
  std::uint32_t zero = first, one = first + num_kept;
  for (const std::uint32_t p : positions) {
    const std::uint32_t bit = codes[p];
    positions_[bit != 0 || first_state == 1 ? one : zero] = p;
    one += bit;
    zero += 1 - bit;
  }
  positions_.resize(end);
}

void Partition::split_by_codes(std::span<const std::uint32_t> positions, VariableId v,
                               std::uint32_t first_state, Cell* parts) {
  data_->with_codes(v, [&](const auto& codes) {
    for (const std::uint32_t p : positions) {
      ++parts[codes[p]].num_positions;
      parts[codes[p]].num_rows += data_->weight(p);
    }
    auto next = static_cast<std::uint32_t>(positions_.size());
    for (std::uint32_t state = 0; state < data_->cardinality(v); ++state) {
      parts[state].is_dense = false;
      parts[state].storage = next;
      if (state >= first_state) next += parts[state].num_positions;
    }
    positions_.resize(next);
    for (const std::uint32_t p : positions) {
      if (codes[p] >= first_state) positions_[parts[codes[p]].storage++] = p;
    }
    for (std::uint32_t state = first_state; state < data_->cardinality(v); ++state) {
      parts[state].storage -= parts[state].num_positions;
    }
  });
}

void Partition::count_cell(const Cell& cell, VariableId v, std::uint32_t* counts) const {
  if (cell.is_dense && data_->has_planes(v)) {
    const std::uint32_t num_others = data_->cardinality(v) - 1;
    data_->count_intersections(data_->planes(v), num_others, plane(cell), counts + 1);
    counts[0] = cell.num_rows - std::accumulate(counts + 1, counts + 1 + num_others, 0u);
    return;
  }
  if (!cell.is_dense && data_->cardinality(v) == 2) {
    const std::uint32_t ones = count_ones(positions(cell), v).rows;
    counts[0] += cell.num_rows - ones;
    counts[1] += ones;
    return;
  }
  data_->with_codes(v, [&](const auto& codes) {
    if (cell.is_dense) {
      for_each_bit(plane(cell), data_->num_words(),
                   [&](std::uint32_t p) { counts[codes[p]] += data_->weight(p); });
    } else if (data_->is_collapsed()) {
      for (const std::uint32_t p : positions(cell)) counts[codes[p]] += data_->weight(p);
    } else {
      for (const std::uint32_t p : positions(cell)) ++counts[codes[p]];
    }
  });
}

}  // namespace treebound
