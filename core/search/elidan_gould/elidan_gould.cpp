#include "search/elidan_gould/elidan_gould.hpp"

#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "search/elidan_gould/growing_network.hpp"
#include "search/forest/chow_liu.hpp"

namespace treebound {
namespace {

/// The entry of a child with this parent alone, if the cache has one.
std::optional<EntryId> single_parent(const SearchProblem& problem, VariableId child, VariableId parent) {
  for (EntryId entry = problem.best_entry(child); entry < problem.last_entry(child); ++entry) {
    const auto parents = problem.parents(entry);
    if (parents.size() == 1 && parents[0] == parent) return entry;
  }
  return std::nullopt;
}

/// Makes v the root of its tree by reversing the arcs above it, if the cache has them all in the other
/// direction.
void reroot(const SearchProblem& problem, std::vector<EntryId>& forest, VariableId v) {
  std::vector<std::pair<VariableId, EntryId>> reversed;
  bool is_possible = true;
  VariableId child = v;
  for (auto above = problem.parents(forest[v]); !above.empty(); above = problem.parents(forest[child])) {
    const auto entry = single_parent(problem, above[0], child);
    is_possible = is_possible && entry;
    if (entry) reversed.emplace_back(above[0], *entry);
    child = above[0];
  }
  if (!is_possible) return;
  forest[v] = problem.last_entry(v);
  for (const auto& [variable, entry] : reversed) forest[variable] = entry;
}

/// Draws a root for every tree, all its variables with equal probability.
void draw_roots(const SearchProblem& problem, std::vector<EntryId>& forest, RandomStream& random) {
  const std::uint32_t n = problem.num_variables();
  std::vector<VariableId> turns(n);
  std::iota(turns.begin(), turns.end(), 0u);
  for (std::uint32_t i = n; i > 1; --i) std::swap(turns[i - 1], turns[random.below(i)]);
  // The root of a tree may change while its other variables wait for their turn.
  std::vector<std::uint8_t> has_turned(n, 0);
  for (const VariableId v : turns) {
    VariableId root = v;
    for (auto above = problem.parents(forest[v]); !above.empty(); above = problem.parents(forest[root]))
      root = above[0];
    if (has_turned[root]) continue;
    reroot(problem, forest, v);
    has_turned[problem.parents(forest[v]).empty() ? v : root] = 1;
  }
}

/// The optimal forest, or no arcs where others are required, which may close cycles with its own.
std::vector<EntryId> first_forest(const SearchProblem& problem) {
  if (!problem.rules().has_required()) return best_forest(problem);
  std::vector<EntryId> forest;
  for (VariableId v = 0; v < problem.num_variables(); ++v) forest.push_back(problem.last_entry(v));
  return forest;
}

class ElidanGouldConstructor final : public Constructor {
 public:
  ElidanGouldConstructor(const SearchTask& task, const std::vector<EntryId>& forest)
      : problem_(task.problem), run_(task.run), forest_(forest), gains_(task.problem) {}

  Proof construct(std::uint64_t step, RandomStream& random, const SearchContext&) override {
    std::vector<EntryId> forest = forest_;
    if (step > 0) draw_roots(problem_, forest, random);
    network_.emplace(problem_, forest, gains_);
    const std::size_t bound = problem_.width();
    network_->add_required(bound);
    while (network_->width() < bound && !run_.should_stop())
      if (network_->add_chain(network_->random_places(random), run_) == 0) break;
    network_->add_greedily(bound, run_);
    return Proof::kNone;
  }

  double score() const override { return network_->score(); }
  void write(Found& found) const override { network_->write(found); }

 private:
  const SearchProblem& problem_;
  const Run& run_;
  const std::vector<EntryId>& forest_;
  ArcAdditions gains_;
  std::optional<GrowingNetwork> network_;
};

}  // namespace

Statistics search_elidan_gould(SearchTask& task) {
  const std::vector<EntryId> forest = first_forest(task.problem);
  SearchPlan plan;
  plan.make_constructor = [&] { return std::make_unique<ElidanGouldConstructor>(task, forest); };
  run_search(plan, task);
  return {};
}

}  // namespace treebound
