#include "search/regrow/starts.hpp"

#include <algorithm>
#include <cmath>

#include "search/forest/chow_liu.hpp"
#include "search/ktree/k_max.hpp"
#include "search/witness.hpp"

namespace treebound {
namespace {

struct Start {
  double score;
  std::vector<FamilyId> chosen;
  std::vector<VariableId> elimination_order;
};

Start current(const RegrowIsland& island) {
  return {island.score(), island.network().all_chosen(), island.network().tree().elimination_order()};
}

/// The best forest of single parents, with an order that eliminates its leaves first.
Start forest_start(const SearchProblem& problem, const FamilyPool& pool) {
  Start result{};
  Families families;
  for (const EntryId entry : best_forest(problem)) {
    families.add(problem.parents(entry), problem.score(entry));
    result.chosen.push_back(pool.of_entry(entry));
  }
  result.elimination_order = topological_order(families);
  std::ranges::reverse(result.elimination_order);
  return result;
}

Start by_k_max(const SearchProblem& problem, const FamilyPool& pool, RandomStream& random) {
  // Before the index, since it makes one for itself.
  const Partners partners(problem, CliquePolicy::kPartners);
  const ParentIndex index(problem);
  KMaxDecoder decoder(problem, index, partners, CliquePolicy::kPartners);
  std::vector<VariableId> priority(problem.num_variables());
  sample_priority(problem, priority, random);
  decoder.decode(priority, problem.width(), random);
  std::vector<FamilyId> chosen;
  for (const EntryId entry : decoder.chosen()) chosen.push_back(pool.of_entry(entry));
  const auto& inserted = decoder.tree().order();
  return {decoder.score(), std::move(chosen), {inserted.rbegin(), inserted.rend()}};
}

}  // namespace

void initialise(const SearchProblem& problem, std::uint64_t turn, RandomStream& random, RegrowIsland& island,
                const SearchContext& context) {
  if (problem.width() == 0) return;
  std::vector<Start> starts;
  island.initialise();
  starts.push_back(current(island));
  if (context.should_stop()) return;
  const Start forest = forest_start(problem, island.pool());
  island.load(forest.chosen, forest.elimination_order);
  if (!context.should_stop()) island.initialise();
  starts.push_back(current(island));
  // k-MAX does not bound the states of a clique.
  if (problem.bound().max_cells == HUGE_VAL && !context.should_stop())
    starts.push_back(by_k_max(problem, island.pool(), random));
  std::stable_sort(starts.begin(), starts.end(),
                   [](const Start& a, const Start& b) { return a.score > b.score; });
  // Greedy has no hole, since it begins with the least allowed sets; the others may.
  const double least = problem.total_score(problem.least_entries());
  while (starts.size() > 1 && starts.back().score < least) starts.pop_back();
  const Start& taken = starts[std::min<std::size_t>(turn % 2, starts.size() - 1)];
  island.load(taken.chosen, taken.elimination_order);
}

std::vector<FamilyId> add_start(const Families& start, FamilyPool& pool) {
  std::vector<FamilyId> chosen;
  for (VariableId v = 0; v < pool.num_variables(); ++v) {
    const std::span parents(start.parents.begin() + start.parent_offsets[v],
                            start.parents.begin() + start.parent_offsets[v + 1]);
    chosen.push_back(pool.find_or_add(v, parents, start.local_scores[v]));
  }
  return chosen;
}

}  // namespace treebound
