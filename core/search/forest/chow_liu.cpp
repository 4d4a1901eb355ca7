#include "search/forest/chow_liu.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/parallel.hpp"
#include "scoring/family_scorer.hpp"
#include "scoring/pair_tiles.hpp"
#include "search/forest/branching.hpp"
#include "search/forest/spanning_forest.hpp"
#include "search/witness.hpp"

namespace treebound {
namespace {

/// Pairs are counted in tiles, between which the run is asked whether to stop.
class PairForest {
 public:
  PairForest(const ChowLiuOptions& options, Run& run) : options_(options), data_(*options.data), run_(run) {}

  /// The edges of the forest, and whether all pairs were counted.
  bool count() {
    const std::size_t n = data_.num_variables();
    PairCounter own(data_, *options_.score);
    empty_ = own.empty();
    for (VariableId v = 0; v < n; ++v) singles_.push_back(own.single(v));
    std::vector<std::unique_ptr<Worker>> workers(run_.num_threads());
    const PairTiles tiles(data_);
    const bool is_complete = parallel_for(run_, tiles.size(), [&](std::size_t id, std::size_t item) {
      if (!workers[id]) workers[id] = std::make_unique<Worker>(data_, *options_.score);
      count_tile(*workers[id], tiles[item]);
    });
    for (const auto& worker : workers)
      if (worker)
        for (const auto& [weight, a, b] : worker->forest.edges()) forest_.add(a, b, weight);
    return is_complete;
  }

  Families families() {
    const auto n = static_cast<VariableId>(data_.num_variables());
    const std::vector<VariableId> parents = directed(n);
    FamilyScorer scorer(data_, *options_.score);
    Families families;
    for (VariableId v = 0; v < n; ++v) {
      scorer.begin(v);
      const std::span chosen(&parents[v], parents[v] == v ? 0 : 1);
      families.add(chosen, scorer.score(chosen));
    }
    return families;
  }

 private:
  struct Worker {
    Worker(const Dataset& data, const LocalScore& score)
        : counter(data, score), forest(data.num_variables()) {}
    PairCounter counter;
    SpanningForest forest;
  };

  void count_tile(Worker& worker, const PairTile& tile) {
    worker.counter.count_gaining(tile, [&](VariableId a, VariableId b, Term pair) {
      if (options_.bound.allows(a, b)) worker.forest.add(a, b, gain(a, b, pair));
    });
  }

  double gain(VariableId a, VariableId b, Term pair) const {
    const double states_a = data_.cardinality(a), states_b = data_.cardinality(b);
    const LocalScore& score = *options_.score;
    return score.score({pair, singles_[b], 0}, states_a, states_b) -
           score.score({singles_[a], empty_, 0}, states_a, 1);
  }

  /// The parent of each variable when the lowest index of each tree is its root; of a root itself.
  std::vector<VariableId> directed(VariableId n) {
    std::vector<std::vector<VariableId>> neighbours(n);
    for (const auto& [weight, a, b] : forest_.edges()) {
      neighbours[a].push_back(b);
      neighbours[b].push_back(a);
    }
    std::vector<VariableId> parents(n, n), reached;
    for (VariableId root = 0; root < n; ++root) {
      if (parents[root] != n) continue;
      parents[root] = root;
      reached.assign(1, root);
      while (!reached.empty()) {
        const VariableId v = reached.back();
        reached.pop_back();
        for (const VariableId u : neighbours[v]) {
          if (parents[u] != n) continue;
          parents[u] = v;
          reached.push_back(u);
        }
      }
    }
    return parents;
  }

  const ChowLiuOptions& options_;
  const Dataset& data_;
  Run& run_;
  Term empty_ = 0;
  std::vector<Term> singles_;
  SpanningForest forest_{data_.num_variables()};
};

void offer(SearchTask& task, Families families) {
  double score = 0;
  for (const double local : families.local_scores) score += local;
  task.incumbent.offer(score, 0, [&](Found& found) {
    // Leaves first: each has its parent as the only neighbour left.
    found.elimination_order = topological_order(families);
    std::ranges::reverse(found.elimination_order);
    found.families = std::move(families);
  });
}

}  // namespace

bool PairBound::allows(VariableId a, VariableId b) const {
  return max_cells == HUGE_VAL || double{1} * cardinalities[a] * cardinalities[b] <= max_cells;
}

std::vector<EntryId> best_forest(const SearchProblem& problem, const PairBound& bound) {
  std::vector<WeightedArc> arcs;
  std::vector<EntryId> entries;
  for (VariableId v = 0; v < problem.num_variables(); ++v) {
    const EntryId empty = problem.empty_entry(v);
    for (EntryId entry = problem.best_entry(v); entry < empty; ++entry) {
      const auto parents = problem.parents(entry);
      if (parents.size() != 1 || !bound.allows(v, parents[0])) continue;
      arcs.push_back({parents[0], v, problem.score(entry) - problem.score(empty)});
      entries.push_back(entry);
    }
  }
  std::vector<EntryId> chosen;
  const auto taken = maximum_branching(problem.num_variables(), arcs);
  for (VariableId v = 0; v < problem.num_variables(); ++v)
    chosen.push_back(taken[v] == kNoArc ? problem.empty_entry(v) : entries[taken[v]]);
  return chosen;
}

Statistics search_chow_liu(SearchTask& task, const ChowLiuOptions& options) {
  const SearchProblem& problem = task.problem;
  Families families;
  for (const EntryId entry : best_forest(problem, options.bound))
    families.add(problem.parents(entry), problem.score(entry));
  offer(task, std::move(families));
  bool is_complete = true;
  if (options.data != nullptr && problem.width() > 0) {
    PairForest forest(options, task.run);
    is_complete = forest.count();
    offer(task, forest.families());
  }
  task.run.num_steps = 1;
  if (!is_complete) task.run.end(task.run.stop_requested() ? StopReason::kInterrupted : StopReason::kSeconds);
  return {{"has_counted_all_pairs", is_complete && options.data != nullptr}};
}

}  // namespace treebound
