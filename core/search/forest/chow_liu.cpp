#include "search/forest/chow_liu.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/parallel.hpp"
#include "scoring/counting/pair_counter.hpp"
#include "scoring/families/family_scorer.hpp"
#include "search/forest/branching.hpp"
#include "search/forest/spanning_forest.hpp"
#include "search/witness.hpp"

namespace treebound {
namespace {

/// Pairs are counted in tiles; between tiles the run may stop.
class PairForest {
 public:
  PairForest(const SearchProblem& problem, Run& run)
      : problem_(problem), data_(*problem.source().data), score_(*problem.source().score), run_(run) {}

  /// The edges of the forest, and whether all pairs were counted.
  bool count() {
    const std::size_t n = data_.num_variables();
    PairCounter own(data_, score_);
    empty_ = own.empty();
    for (VariableId v = 0; v < n; ++v) singles_.push_back(own.single(v));
    std::vector<std::unique_ptr<Worker>> workers(run_.num_threads());
    const PairTiles tiles(data_);
    const bool is_complete = parallel_for(run_, tiles.size(), [&](std::size_t id, std::size_t item) {
      if (!workers[id]) workers[id] = std::make_unique<Worker>(data_, score_);
      count_tile(*workers[id], tiles[item]);
    });
    for (const auto& worker : workers)
      if (worker) add_pairs(*worker);
    return is_complete;
  }

  Families families() {
    const auto n = static_cast<VariableId>(data_.num_variables());
    const std::vector<VariableId> parents = problem_.rules().is_trivial() ? directed(n) : branching(n);
    FamilyScorer scorer(data_, score_);
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
    std::vector<WeightedArc> arcs;  // where there are rules
  };

  void count_tile(Worker& worker, const PairTile& tile) {
    worker.counter.count_gaining(tile, [&](VariableId a, VariableId b, Term pair) {
      const bool to_a = problem_.allows(a, std::span(&b, 1)), to_b = problem_.allows(b, std::span(&a, 1));
      if (!to_a && !to_b) return;
      const double weight = gain(a, b, pair);
      if (problem_.rules().is_trivial()) return worker.forest.add(a, b, weight);
      if (to_a) worker.arcs.push_back({b, a, weight});
      if (to_b) worker.arcs.push_back({a, b, weight});
    });
  }

  void add_pairs(Worker& worker) {
    for (const auto& [weight, a, b] : worker.forest.edges()) forest_.add(a, b, weight);
    arcs_.insert(arcs_.end(), worker.arcs.begin(), worker.arcs.end());
  }

  double gain(VariableId a, VariableId b, Term pair) const {
    const double states_a = data_.cardinality(a), states_b = data_.cardinality(b);
    return score_.score({pair, singles_[b], 0}, states_a, states_b) -
           score_.score({singles_[a], empty_, 0}, states_a, 1);
  }

  /// The parent of each variable in the best branching of the pairs; of a root itself. Required parents need
  /// not gain, so they come from the problem.
  std::vector<VariableId> branching(VariableId n) {
    std::erase_if(arcs_, [&](const WeightedArc& arc) { return !problem_.rules().required(arc.to).empty(); });
    for (VariableId v = 0; v < n; ++v)
      for (const VariableId p : problem_.rules().required(v))
        arcs_.push_back({p, v, problem_.loss_of_hole()});
    std::ranges::sort(arcs_, {}, [](const WeightedArc& arc) { return std::pair(arc.to, arc.from); });
    const auto taken = maximum_branching(n, arcs_);
    std::vector<VariableId> parents;
    for (VariableId v = 0; v < n; ++v) parents.push_back(taken[v] == kNoArc ? v : arcs_[taken[v]].from);
    return parents;
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

  const SearchProblem& problem_;
  const Dataset& data_;
  const LocalScore& score_;
  Run& run_;
  Term empty_ = 0;
  std::vector<Term> singles_;
  SpanningForest forest_{data_.num_variables()};
  std::vector<WeightedArc> arcs_;
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

std::vector<EntryId> best_forest(const SearchProblem& problem) {
  std::vector<WeightedArc> arcs;
  std::vector<EntryId> entries;
  for (VariableId v = 0; v < problem.num_variables(); ++v) {
    const EntryId last = problem.last_entry(v);
    for (EntryId entry = problem.best_entry(v); entry < last; ++entry) {
      const auto parents = problem.parents(entry);
      if (parents.size() != 1 || !problem.allows(v, parents)) continue;
      arcs.push_back({parents[0], v, problem.score(entry) - problem.score(last)});
      entries.push_back(entry);
    }
  }
  std::vector<EntryId> chosen;
  const auto taken = maximum_branching(problem.num_variables(), arcs);
  for (VariableId v = 0; v < problem.num_variables(); ++v)
    chosen.push_back(taken[v] == kNoArc ? problem.last_entry(v) : entries[taken[v]]);
  return chosen;
}

Statistics search_chow_liu(SearchTask& task) {
  const SearchProblem& problem = task.problem;
  Families families;
  for (const EntryId entry : best_forest(problem)) families.add(problem.parents(entry), problem.score(entry));
  offer(task, std::move(families));
  bool is_complete = true;
  if (problem.source().is_given() && problem.width() > 0) {
    PairForest forest(problem, task.run);
    is_complete = forest.count();
    offer(task, forest.families());
  }
  task.run.num_steps = 1;
  if (!is_complete) task.run.end(task.run.stop_requested() ? StopReason::kInterrupted : StopReason::kSeconds);
  return {{"has_counted_all_pairs", is_complete && problem.source().is_given()}};
}

}  // namespace treebound
