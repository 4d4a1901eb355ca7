#include "scoring/counting/pair_counter.hpp"

#include <cassert>
#include <cmath>

namespace treebound {
namespace {

// Of a block, if its first variable has no more.
constexpr std::size_t kMaxPlanes = 64;
// Variables without planes, too, share a block.
constexpr std::size_t kMaxVariables = 64;
// Words of each plane that are counted before the next: those of two blocks fill half of a second-level
// cache.
constexpr std::size_t kStretch = 512;

std::size_t num_planes(const Dataset& data, VariableId v) {
  return data.has_planes(v) ? data.cardinality(v) - 1 : 0;
}

std::size_t num_planes(const Dataset& data, const VariableBlock& block) {
  std::size_t sum = 0;
  for (VariableId v = block.first; v < block.end; ++v) sum += num_planes(data, v);
  return sum;
}

template <typename Counts>
Term sum_terms(const Counts& counts, const Term* terms) {
  Term sum = 0;
  for (const std::uint32_t n : counts) sum += terms[n];
  return sum;
}

}  // namespace

PairTiles::PairTiles(const Dataset& data) {
  std::size_t planes = 0;
  for (VariableId v = 0; v < data.num_variables(); ++v) {
    const std::size_t more = num_planes(data, v);
    if (blocks_.empty() || planes + more > kMaxPlanes || blocks_.back().size() == kMaxVariables) {
      blocks_.push_back({v, v});
      planes = 0;
    }
    planes += more;
    blocks_.back().end = v + 1;
  }
}

PairTile PairTiles::operator[](std::size_t index) const {
  assert(index < size());
  // Counted from the end, the tiles of block a begin with number a (a + 1) / 2.
  const std::size_t from_end = size() - 1 - index;
  auto a = static_cast<std::size_t>((std::sqrt(8.0 * static_cast<double>(from_end) + 1) - 1) / 2);
  while (a * (a + 1) / 2 > from_end) --a;
  while ((a + 1) * (a + 2) / 2 <= from_end) ++a;
  return {blocks_[a], blocks_[from_end - a * (a + 1) / 2]};
}

std::size_t PairTiles::block_of(VariableId v) const {
  const auto after = std::ranges::upper_bound(blocks_, v, {}, &VariableBlock::first);
  return static_cast<std::size_t>(after - blocks_.begin()) - 1;
}

PairCounter::PairCounter(const Dataset& data, const LocalScore& score)
    : data_(&data),
      score_(score.clone()),
      whole_(data),
      first_plane_{0},
      cost_(score.penalty(2, 2) - score.penalty(2, 1)),
      joint_(data),
      joint_variable_(static_cast<VariableId>(data.num_variables())) {
  whole_.gather();
  for (VariableId v = 0; v < data.num_variables(); ++v) {
    first_plane_.push_back(first_plane_.back() + num_planes(data, v));
    const auto marginal = data.marginal(v);
    spreads_.push_back(marginal.size() == 2 ? static_cast<double>(marginal[0]) * marginal[1] : 0);
  }
}

Term PairCounter::empty() { return score_->tables(1, 1).joint[data_->num_rows()]; }

Term PairCounter::single(VariableId v) {
  return sum_terms(data_->marginal(v), score_->tables(data_->cardinality(v), 1).joint);
}

void PairCounter::count_planes(const PairTile& tile) {
  const std::size_t num_a = num_planes(*data_, tile.a), num_b = num_planes(*data_, tile.b);
  both_.assign(num_a * num_b, 0);
  in_stretch_.resize(num_b);
  const Word* planes_a = data_->planes(tile.a.first);
  const Word* planes_b = data_->planes(tile.b.first);
  data_->for_each_stretch(kStretch, [&](std::size_t first, std::size_t num_words, unsigned shift) {
    for (std::size_t i = 0; i < num_a; ++i) {
      popcount_kernels().count_intersections(planes_b + first, num_b, data_->num_words(),
                                             planes_a + i * data_->num_words() + first, num_words,
                                             in_stretch_.data());
      std::uint32_t* sums = both_.data() + i * num_b;
      for (std::size_t j = 0; j < num_b; ++j) sums[j] += in_stretch_[j] << shift;
    }
  });
}

// A likelihood has a penalty, and gains N times the mutual information of the two. That is at most N chi^2,
// the squared correlation of the two states (relative entropy is at most chi^2; Gibbs and Su 2002, theorem
// 5), which takes no logarithm: chi^2 = (N n_ab - n_a n_b)^2 / (n_a n_a' n_b n_b').
bool PairCounter::may_gain(const PairTile& tile, VariableId a, VariableId b) const {
  if (cost_ <= 0 || data_->cardinality(a) != 2 || data_->cardinality(b) != 2 || !data_->has_planes(a) ||
      !data_->has_planes(b))
    return true;
  constexpr double kRounding = 1 - 1e-9;
  const auto num_rows = static_cast<double>(data_->num_rows());
  const double off =
      num_rows * *both(tile, a, b) - static_cast<double>(data_->marginal(a)[1]) * data_->marginal(b)[1];
  return off * off * num_rows > kRounding * cost_ * spreads_[a] * spreads_[b];
}

Term PairCounter::term_of_two_states(std::uint32_t both, VariableId a, VariableId b) {
  const Term* terms = score_->tables(4, 1).joint;
  const auto of_a = data_->marginal(a), of_b = data_->marginal(b);
  return terms[both] + terms[of_a[1] - both] + terms[of_b[1] - both] + terms[of_a[0] + both - of_b[1]];
}

Term PairCounter::term_of_codes(VariableId a, VariableId b) {
  if (joint_variable_ != a) {
    joint_.set(whole_, a);
    joint_variable_ = a;
  }
  joint_.count(b, data_->marginal(b).data(), table_);
  const double joint_states = static_cast<double>(data_->cardinality(a)) * data_->cardinality(b);
  return sum_terms(table_, score_->tables(joint_states, 1).joint);
}

Term PairCounter::term(const PairTile& tile, VariableId a, VariableId b) {
  if (!data_->has_planes(a) || !data_->has_planes(b)) return term_of_codes(a, b);
  const std::size_t stride = in_stretch_.size();
  const std::uint32_t* both = this->both(tile, a, b);
  const std::uint32_t states_a = data_->cardinality(a), states_b = data_->cardinality(b);
  if (states_a == 2 && states_b == 2) return term_of_two_states(*both, a, b);
  // State 0 of either is what the planes leave.
  const Term* terms = score_->tables(double{1} * states_a * states_b, 1).joint;
  const auto of_a = data_->marginal(a), of_b = data_->marginal(b);
  table_.assign(of_b.begin(), of_b.end());
  Term sum = 0;
  for (std::uint32_t s = 1; s < states_a; ++s) {
    std::uint32_t left = of_a[s];
    for (std::uint32_t t = 1; t < states_b; ++t) {
      const std::uint32_t n = both[(s - 1) * stride + t - 1];
      sum += terms[n];
      left -= n;
      table_[t] -= n;
    }
    sum += terms[left];
    table_[0] -= left;
  }
  return sum + sum_terms(table_, terms);
}

}  // namespace treebound
