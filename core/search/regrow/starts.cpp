#include "search/regrow/starts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/ktree/k_max.hpp"

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

/// Single parents that make a forest, the greatest gains first, and an order that eliminates its leaves
/// first.
Start best_forest(const SearchProblem& problem, const RegrowOptions& options, const FamilyPool& pool) {
  struct Edge {
    double gain;
    VariableId child;
    EntryId entry;
  };
  const std::uint32_t n = problem.num_variables();
  std::vector<Edge> edges;
  const auto fits = [&](VariableId v, VariableId parent) {
    return options.max_cells == HUGE_VAL ||
           double{1} * options.cardinalities[v] * options.cardinalities[parent] <= options.max_cells;
  };
  for (VariableId v = 0; v < n; ++v) {
    const EntryId empty = problem.empty_entry(v);
    for (EntryId entry = problem.best_entry(v); entry < empty; ++entry) {
      const auto parents = problem.parents(entry);
      if (parents.size() == 1 && fits(v, parents[0]))
        edges.push_back({problem.score(entry) - problem.score(empty), v, entry});
    }
  }
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.gain > b.gain; });

  std::vector<VariableId> group(n);
  std::iota(group.begin(), group.end(), 0u);
  const auto find = [&](VariableId v) {
    while (group[v] != v) v = group[v] = group[group[v]];
    return v;
  };
  std::vector<std::vector<VariableId>> neighbours(n);
  for (const Edge& edge : edges) {
    const VariableId parent = problem.parents(edge.entry)[0];
    const VariableId a = find(edge.child), b = find(parent);
    if (a == b) continue;
    group[a] = b;
    neighbours[edge.child].push_back(parent);
    neighbours[parent].push_back(edge.child);
  }

  Start result;
  std::vector<std::uint8_t> is_seen(n, 0);
  std::vector<VariableId> order;
  result.chosen.resize(n);
  const auto single = [&](VariableId child, VariableId parent) {
    for (EntryId entry = problem.best_entry(child); entry < problem.empty_entry(child); ++entry) {
      const auto parents = problem.parents(entry);
      if (parents.size() == 1 && parents[0] == parent) return pool.of_entry(entry);
    }
    return pool.empty_family(child);
  };
  for (VariableId root = 0; root < n; ++root) {
    if (is_seen[root]) continue;
    is_seen[root] = 1;
    result.chosen[root] = pool.empty_family(root);
    std::size_t next = order.size();
    order.push_back(root);
    for (; next < order.size(); ++next) {
      for (const VariableId child : neighbours[order[next]]) {
        if (is_seen[child]) continue;
        is_seen[child] = 1;
        result.chosen[child] = single(child, order[next]);
        order.push_back(child);
      }
    }
  }
  result.elimination_order.assign(order.rbegin(), order.rend());
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

void initialise(const SearchProblem& problem, const RegrowOptions& options, std::uint64_t turn,
                RandomStream& random, RegrowIsland& island, const SearchContext& context) {
  if (problem.width() == 0) return;
  std::vector<Start> starts;
  island.initialise();
  starts.push_back(current(island));
  if (context.should_stop()) return;
  const Start forest = best_forest(problem, options, island.pool());
  island.load(forest.chosen, forest.elimination_order);
  if (!context.should_stop()) island.initialise();
  starts.push_back(current(island));
  // k-MAX does not bound the states of a clique.
  if (options.max_cells == HUGE_VAL && !context.should_stop())
    starts.push_back(by_k_max(problem, island.pool(), random));
  std::stable_sort(starts.begin(), starts.end(),
                   [](const Start& a, const Start& b) { return a.score > b.score; });
  const Start& taken = starts[turn % 2];
  island.load(taken.chosen, taken.elimination_order);
}

std::vector<FamilyId> add_start(const Families& start, FamilyPool& pool) {
  std::vector<FamilyId> chosen;
  for (VariableId v = 0; v < pool.num_variables(); ++v) {
    const std::span parents(start.parents.begin() + start.parent_offsets[v],
                            start.parents.begin() + start.parent_offsets[v + 1]);
    FamilyId family = pool.find(v, parents);
    // Lists end with the empty set: what is no better is left out, here as everywhere.
    if (family == kNoFamily)
      family = start.local_scores[v] > pool.score(pool.empty_family(v))
                   ? pool.add(v, parents, start.local_scores[v])
                   : pool.empty_family(v);
    chosen.push_back(family);
  }
  return chosen;
}

}  // namespace treebound
