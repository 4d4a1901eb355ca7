#include "search/regrow/starts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/ktree/k_max.hpp"

namespace treebound {
namespace {

struct Planted {
  double score;
  std::vector<EntryId> chosen;
  std::vector<VariableId> elimination_order;
};

Planted planted(const RegrowIsland& island) {
  return {island.score(), island.network().all_chosen(), island.network().tree().elimination_order()};
}

/// Single parents that make a forest, the greatest gains first, and an order that strips its leaves.
Planted best_forest(const SearchProblem& problem, const RegrowOptions& options) {
  struct Edge {
    double gain;
    VariableId child;
    EntryId entry;
  };
  const std::uint32_t n = problem.num_variables();
  std::vector<Edge> edges;
  const auto fits = [&](VariableId v, VariableId parent) {
    return options.max_states == HUGE_VAL ||
           double{1} * options.cardinalities[v] * options.cardinalities[parent] <= options.max_states;
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

  Planted result;
  std::vector<std::uint8_t> is_seen(n, 0);
  std::vector<VariableId> order;
  result.chosen.resize(n);
  const auto single = [&](VariableId child, VariableId parent) {
    for (EntryId entry = problem.best_entry(child); entry < problem.empty_entry(child); ++entry) {
      const auto parents = problem.parents(entry);
      if (parents.size() == 1 && parents[0] == parent) return entry;
    }
    return problem.empty_entry(child);
  };
  for (VariableId root = 0; root < n; ++root) {
    if (is_seen[root]) continue;
    is_seen[root] = 1;
    result.chosen[root] = problem.empty_entry(root);
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

Planted by_k_max(const SearchProblem& problem, RandomStream& random) {
  const Partners partners(problem,
                          CliquePolicy::kPartners);  // before the index, since it makes one for itself
  const ParentIndex index(problem);
  KMaxDecoder decoder(problem, index, partners, CliquePolicy::kPartners);
  std::vector<VariableId> priority(problem.num_variables());
  sample_priority(problem, priority, random);
  decoder.decode(priority, problem.width(), random);
  const auto& inserted = decoder.tree().order();
  return {decoder.score(), decoder.chosen(), {inserted.rbegin(), inserted.rend()}};
}

}  // namespace

void plant_best(const SearchProblem& problem, const RegrowOptions& options, std::uint64_t turn,
                RandomStream& random, RegrowIsland& island, const SearchContext& context) {
  if (problem.width() == 0) return;
  std::vector<Planted> starts;
  island.plant();
  starts.push_back(planted(island));
  if (context.should_stop()) return;
  const Planted forest = best_forest(problem, options);
  island.load(forest.chosen, forest.elimination_order);
  if (!context.should_stop()) island.plant();
  starts.push_back(planted(island));
  // The cliques of k-MAX know no bound on states.
  if (options.max_states == HUGE_VAL && !context.should_stop()) starts.push_back(by_k_max(problem, random));
  std::stable_sort(starts.begin(), starts.end(),
                   [](const Planted& a, const Planted& b) { return a.score > b.score; });
  const Planted& taken = starts[turn % 2];
  island.load(taken.chosen, taken.elimination_order);
}

void load_start(const RegrowStart& start, FamilyPool& pool, RegrowIsland& island) {
  std::vector<EntryId> chosen;
  for (VariableId v = 0; v < pool.num_variables(); ++v) {
    const std::span parents(start.parents.begin() + start.parent_offsets[v],
                            start.parents.begin() + start.parent_offsets[v + 1]);
    EntryId entry = pool.find(v, parents);
    // The pool ends with the empty set: what is no better is left out, here as everywhere.
    if (entry == FamilyPool::kNone)
      entry = start.local_scores[v] > pool.score(pool.empty_entry(v))
                  ? pool.add(v, parents, start.local_scores[v])
                  : pool.empty_entry(v);
    chosen.push_back(entry);
  }
  island.load(chosen, start.elimination_order);
}

}  // namespace treebound
