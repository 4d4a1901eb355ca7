#include "scoring/pair_terms.hpp"

#include <algorithm>
#include <memory>

#include "base/parallel.hpp"
#include "scoring/tail_counts.hpp"

namespace treebound {
namespace {

struct Worker {
  Worker(const Dataset& data, const LocalScore& prototype)
      : score(prototype.clone()), whole(data), tail(data) {
    whole.gather();
  }
  std::unique_ptr<LocalScore> score;
  Partition whole;
  TailCounts tail;
  std::vector<std::uint32_t> table;
};

template <typename Counts>
Term sum_terms(const Counts& counts, const Term* terms) {
  Term sum = 0;
  for (const std::uint32_t n : counts) sum += terms[n];
  return sum;
}

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
  const auto own = score.clone();
  empty_ = own->tables(1, 1).joint[data.num_rows()];
  for (VariableId v = 0; v < n; ++v) {
    const auto marginal = data.marginal(v);
    singles_.push_back(sum_terms(marginal, own->tables(data.cardinality(v), 1).joint));
    num_occurring_.push_back(static_cast<std::uint32_t>(
        std::count_if(marginal.begin(), marginal.end(), [](auto m) { return m > 0; })));
  }
  rows_.resize(n);
  std::vector<std::unique_ptr<Worker>> workers(run.num_threads());
  // Long rows first, so that threads finish together.
  const std::size_t num_rows = num_fitting_rows(n, max_pairs);
  is_complete_ = parallel_for(run, num_rows, [&](std::size_t worker_id, std::size_t item) {
    auto& worker = workers[worker_id];
    if (!worker) worker = std::make_unique<Worker>(data, score);
    const auto a = static_cast<VariableId>(n - 1 - item);
    worker->tail.set(worker->whole, a);
    std::vector<Term> row(a);
    for (VariableId b = 0; b < a; ++b) {
      worker->tail.count(b, data.marginal(b).data(), worker->table);
      const double joint_states = static_cast<double>(data.cardinality(a)) * data.cardinality(b);
      row[b] = sum_terms(worker->table, worker->score->tables(joint_states, 1).joint);
    }
    rows_[a] = std::move(row);
  });
  for (VariableId a = 0; a < n; ++a) {
    if (!rows_[a].empty()) known_rows_.push_back(a);
  }
}

}  // namespace treebound
