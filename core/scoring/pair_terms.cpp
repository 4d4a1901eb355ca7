#include "scoring/pair_terms.hpp"

#include <algorithm>
#include <memory>

#include "base/parallel.hpp"
#include "scoring/pair_row.hpp"

namespace treebound {
namespace {

/// How many rows fit, the longest first.
std::size_t num_fitting_rows(std::size_t num_variables, std::size_t max_pairs) {
  std::size_t num_rows = 0, num_pairs = 0;
  for (std::size_t a = num_variables; a-- > 0; ++num_rows) {
    num_pairs += a;
    if (num_pairs > max_pairs) break;
  }
  return num_rows;
}

}  // namespace

PairTerms::PairTerms(const Dataset& data, const LocalScore& score, Run& run, std::size_t max_pairs) {
  const std::size_t n = data.num_variables();
  PairRow own(data, score);
  empty_ = own.empty();
  for (VariableId v = 0; v < n; ++v) {
    const auto marginal = data.marginal(v);
    singles_.push_back(own.single(v));
    num_occurring_.push_back(static_cast<std::uint32_t>(
        std::count_if(marginal.begin(), marginal.end(), [](auto m) { return m > 0; })));
  }
  rows_.resize(n);
  std::vector<std::unique_ptr<PairRow>> workers(run.num_threads());
  // Long rows first, so that threads finish together.
  const std::size_t num_rows = num_fitting_rows(n, max_pairs);
  is_complete_ = parallel_for(run, num_rows, [&](std::size_t worker_id, std::size_t item) {
    auto& worker = workers[worker_id];
    if (!worker) worker = std::make_unique<PairRow>(data, score);
    const auto a = static_cast<VariableId>(n - 1 - item);
    rows_[a] = worker->count(a);
  });
  for (VariableId a = 0; a < n; ++a) {
    if (!rows_[a].empty()) known_rows_.push_back(a);
  }
}

}  // namespace treebound
