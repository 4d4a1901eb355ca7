#include "network/sample.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "base/parallel.hpp"
#include "base/random.hpp"

namespace treebound {
namespace {

// Rows handled at once: their joint parent states fill a quarter of a small first-level cache.
constexpr std::size_t kBlockRows = 2048;

// Threads get whole cache lines of every column.
constexpr std::size_t kLineRows = 64;

struct RowRange {
  std::size_t first;
  std::size_t last;
};

/// The state whose stretch of the unit interval holds `u`. Rounding may leave the sum of a row just below
/// `u`; the last possible state takes that, never one of probability zero.
inline std::uint32_t pick(const double* row, std::uint32_t cardinality, double u) {
  std::uint32_t state = 0;
  double sum = 0;
  for (std::uint32_t s = 0; s + 1 < cardinality; ++s) {
    sum += row[s];
    state += u >= sum;
  }
  while (row[state] <= 0 && state > 0) --state;
  return state;
}

template <typename Code>
class BlockSampler {
 public:
  BlockSampler(const NetworkView& network, std::uint64_t seed, std::size_t num_rows, Code* codes)
      : network_(network), streams_(seed, SeedStream::kRows), num_rows_(num_rows), codes_(codes) {}

  /// At most kBlockRows.
  void sample(RowRange rows) {
    for (const VariableId v : network_.topological_order) sample_column(v, rows);
  }

 private:
  Code* column(VariableId v) const { return codes_ + v * num_rows_; }

  void sample_column(VariableId v, RowRange rows) {
    find_parent_states(v, rows);
    const RandomStream stream = streams_.split(v);
    const double* table = network_.table_of(v);
    const std::uint32_t cardinality = network_.cardinalities[v];
    Code* out = column(v);
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const double* distribution = table + std::size_t{parent_states_[row - rows.first]} * cardinality;
      out[row] = static_cast<Code>(pick(distribution, cardinality, stream.uniform_at(row)));
    }
  }

  void find_parent_states(VariableId v, RowRange rows) {
    const std::size_t count = rows.last - rows.first;
    std::fill_n(parent_states_.begin(), count, 0u);
    for (const VariableId parent : network_.parents_of(v)) {
      const std::uint32_t cardinality = network_.cardinalities[parent];
      const Code* states = column(parent) + rows.first;
      for (std::size_t i = 0; i < count; ++i) parent_states_[i] = parent_states_[i] * cardinality + states[i];
    }
  }

  const NetworkView& network_;
  RandomStream streams_;
  std::size_t num_rows_;
  Code* codes_;
  std::vector<std::uint32_t> parent_states_ = std::vector<std::uint32_t>(kBlockRows);
};

}  // namespace

template <typename Code>
void sample_rows(const NetworkView& network, std::uint64_t seed, std::size_t num_rows, Run& run,
                 Code* codes) {
  assert(network.is_consistent() && network.tables.size() == network.num_cells());
  assert(network.topological_order.size() == network.num_variables());
  assert(std::ranges::all_of(network.cardinalities, [](auto size) { return size - 1 <= Code(-1); }));
  const std::size_t num_threads = run.num_threads();
  const std::size_t share = (num_rows + num_threads - 1) / num_threads;
  const std::size_t size = std::min(kBlockRows, (share + kLineRows - 1) / kLineRows * kLineRows);
  if (size == 0) return;
  std::vector<BlockSampler<Code>> workers(num_threads, BlockSampler<Code>(network, seed, num_rows, codes));
  parallel_for(run, (num_rows + size - 1) / size, [&](std::size_t worker, std::size_t block) {
    const RowRange rows{block * size, std::min(num_rows, (block + 1) * size)};
    workers[worker].sample(rows);
    run.num_finished += rows.last - rows.first;
  });
}

template void sample_rows(const NetworkView&, std::uint64_t, std::size_t, Run&, std::uint8_t*);
template void sample_rows(const NetworkView&, std::uint64_t, std::size_t, Run&, std::uint16_t*);

}  // namespace treebound
