#include "network/count_families.hpp"

#include <algorithm>
#include <cassert>
#include <type_traits>
#include <vector>

#include "base/parallel.hpp"

namespace treebound {
namespace {

constexpr std::size_t kBlockRows = 2048;

template <typename Code>
class FamilyCounter {
 public:
  FamilyCounter(const FamiliesView& families, const Code* codes, std::size_t num_rows,
                std::span<const double> weights)
      : families_(families), codes_(codes), num_rows_(num_rows), weights_(weights) {}

  void count(VariableId v, double* counts, const Run& run) {
    for (std::size_t first = 0; first < num_rows_ && !run.is_stopped(); first += kBlockRows) {
      count_block(v, first, std::min(kBlockRows, num_rows_ - first), counts);
    }
  }

 private:
  void count_block(VariableId v, std::size_t first, std::size_t count, double* counts) {
    std::fill_n(states_.begin(), count, 0u);
    std::fill_n(is_missing_.begin(), count, std::uint8_t{0});
    for (const VariableId parent : families_.parents_of(v)) add_digit(parent, first, count);
    add_digit(v, first, count);
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_missing_[i]) counts[states_[i]] += weights_.empty() ? 1.0 : weights_[first + i];
    }
  }

  /// Appends the states of v to the joint states, as the digit that runs fastest so far.
  void add_digit(VariableId v, std::size_t first, std::size_t count) {
    const std::uint32_t cardinality = families_.cardinalities[v];
    const Code* states = codes_ + std::size_t{v} * num_rows_ + first;
    for (std::size_t i = 0; i < count; ++i) {
      states_[i] = states_[i] * cardinality + static_cast<std::uint32_t>(states[i]);
    }
    if constexpr (std::is_signed_v<Code>) {
      for (std::size_t i = 0; i < count; ++i) is_missing_[i] |= states[i] < 0;
    }
  }

  const FamiliesView& families_;
  const Code* codes_;
  std::size_t num_rows_;
  std::span<const double> weights_;
  std::vector<std::uint32_t> states_ = std::vector<std::uint32_t>(kBlockRows);
  std::vector<std::uint8_t> is_missing_ = std::vector<std::uint8_t>(kBlockRows);
};

}  // namespace

template <typename Code>
void count_families(const FamiliesView& families, const Code* codes, std::size_t num_rows,
                    std::span<const double> weights, Run& run, std::span<double> counts) {
  assert(families.is_consistent() && families.num_cells() == counts.size());
  assert(weights.empty() || weights.size() == num_rows);
  const std::size_t num_variables = families.num_variables();
  std::vector<FamilyCounter<Code>> workers(std::min<std::size_t>(run.num_threads(), num_variables),
                                           FamilyCounter<Code>(families, codes, num_rows, weights));
  parallel_for(run, num_variables, [&](std::size_t worker, std::size_t item) {
    const auto v = static_cast<VariableId>(item);
    workers[worker].count(v, counts.data() + families.first_cell(v), run);
    ++run.num_finished;
  });
}

template void count_families(const FamiliesView&, const std::uint8_t*, std::size_t, std::span<const double>,
                             Run&, std::span<double>);
template void count_families(const FamiliesView&, const std::uint16_t*, std::size_t, std::span<const double>,
                             Run&, std::span<double>);
template void count_families(const FamiliesView&, const std::int32_t*, std::size_t, std::span<const double>,
                             Run&, std::span<double>);

}  // namespace treebound
