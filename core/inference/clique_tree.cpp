#include "inference/clique_tree.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "structure/elimination.hpp"
#include "structure/moral_graph.hpp"

namespace treebound {
namespace {

Graph graph_of(const Scopes& scopes) {
  return moral_graph(scopes.size(), [&](VariableId v) { return scopes.of(v); });
}

constexpr VariableId kNobody = std::numeric_limits<VariableId>::max();

// Logarithms become integers in this unit, so that costs stay exact.
constexpr double kLogarithmUnit = 1 << 20;

/// Elimination cliques and the tree they hang in, before any are merged: one per variable.
class EliminationTree {
 public:
  EliminationTree(const GraphView& graph, std::span<const VariableId> order)
      : rank_(order.size()), later_(eliminate(graph, order)), stand_in_(order.size()) {
    for (std::uint32_t i = 0; i < order.size(); ++i) rank_[order[i]] = i;
    std::vector<VariableId> inside(order.size(), kNobody);
    for (const VariableId v : order) {
      stand_in_[v] = inside[v] == kNobody ? v : stand_in_[inside[v]];
      const VariableId next = above(v);
      // All of `next`'s clique is in this one exactly if this one has just one neighbour more.
      if (next != kNobody && inside[next] == kNobody && later(v).size() == later(next).size() + 1)
        inside[next] = v;
    }
  }

  std::uint32_t rank(VariableId v) const { return rank_[v]; }
  std::span<const VariableId> later(VariableId v) const {
    return GraphView{later_.offsets, later_.neighbours}.neighbours_of(v);
  }
  std::vector<VariableId> later_by_rank(VariableId v) const {
    std::vector<VariableId> sorted(later(v).begin(), later(v).end());
    std::ranges::sort(sorted, {}, [&](VariableId u) { return rank_[u]; });
    return sorted;
  }
  /// The later neighbour that leaves first.
  VariableId above(VariableId v) const {
    const auto around = later(v);
    const auto first = std::ranges::min_element(around, {}, [&](VariableId u) { return rank_[u]; });
    return first == around.end() ? kNobody : *first;
  }
  /// The variable whose clique is kept and holds that of v.
  VariableId stand_in(VariableId v) const { return stand_in_[v]; }

 private:
  std::vector<std::uint32_t> rank_;
  LaterNeighbours later_;
  std::vector<VariableId> stand_in_;
};

/// Hangs the children of a clique that share a separator on each other, as a heap under the first of them.
void hang_as_heaps(CliqueTree& tree) {
  std::vector<std::map<std::vector<VariableId>, std::vector<CliqueId>>> groups(tree.num_cliques());
  for (CliqueId c = 0; c < tree.num_cliques(); ++c) {
    if (tree.parents[c] != CliqueTree::none) groups[tree.parents[c]][tree.separators[c]].push_back(c);
  }
  for (const auto& by_separator : groups) {
    for (const auto& [separator, group] : by_separator) {
      for (std::size_t i = 1; i < group.size(); ++i) tree.parents[group[i]] = group[(i - 1) / 2];
    }
  }
}

void link_children(CliqueTree& tree) {
  tree.children.resize(tree.num_cliques());
  for (CliqueId c = 0; c < tree.num_cliques(); ++c) {
    if (tree.parents[c] == CliqueTree::none)
      tree.roots.push_back(c);
    else
      tree.children[tree.parents[c]].push_back(c);
  }
}

CliqueTree build(const Scopes& scopes, const GraphView& graph, std::span<const VariableId> order) {
  const EliminationTree elimination(graph, order);
  CliqueTree tree;
  tree.order.assign(order.begin(), order.end());
  std::vector<CliqueId> clique_of(order.size());
  for (const VariableId v : order) {
    if (elimination.stand_in(v) == v) {
      clique_of[v] = static_cast<CliqueId>(tree.members.size());
      tree.members.push_back(elimination.later_by_rank(v));
      tree.members.back().insert(tree.members.back().begin(), v);
    } else {
      clique_of[v] = clique_of[elimination.stand_in(v)];
    }
  }
  tree.parents.assign(tree.num_cliques(), CliqueTree::none);
  tree.separators.resize(tree.num_cliques());
  for (const VariableId v : order) {
    const VariableId above = elimination.above(v);
    if (above == kNobody || clique_of[above] == clique_of[v]) continue;
    tree.parents[clique_of[v]] = clique_of[above];
    tree.separators[clique_of[v]] = elimination.later_by_rank(v);
  }
  hang_as_heaps(tree);
  link_children(tree);
  tree.homes.resize(order.size());
  tree.guests.resize(tree.num_cliques());
  const auto rank = [&](VariableId v) { return elimination.rank(v); };
  for (VariableId v = 0; v < order.size(); ++v) {
    // The family is joined, so the clique of the member that leaves first holds all of it.
    const auto first = std::ranges::min_element(scopes.of(v), {}, rank);
    tree.homes[v] = clique_of[scopes.of(v).empty() ? v : *first];
    tree.guests[tree.homes[v]].push_back(v);
  }
  return tree;
}

double num_cells(std::span<const VariableId> variables, std::span<const std::uint32_t> cardinalities) {
  double cells = 1;
  for (const VariableId v : variables) cells *= cardinalities[v];
  return cells;
}

}  // namespace

Scopes scopes_of(const NetworkView& network) {
  Scopes scopes;
  for (VariableId v = 0; v < network.cardinalities.size(); ++v) {
    const auto parents = network.parents_of(v);
    scopes.members.insert(scopes.members.end(), parents.begin(), parents.end());
    scopes.members.push_back(v);
    scopes.offsets.push_back(scopes.members.size());
  }
  return scopes;
}

CliqueTree build_clique_tree(const Scopes& scopes, std::span<const VariableId> order) {
  return build(scopes, graph_of(scopes).view(), order);
}

CliqueTree build_smallest_clique_tree(const Scopes& scopes, std::span<const std::uint32_t> cardinalities) {
  const Graph graph = graph_of(scopes);
  const std::vector<std::int64_t> states(cardinalities.begin(), cardinalities.end());
  std::vector<std::int64_t> logarithms;
  for (const std::uint32_t card : cardinalities)
    logarithms.push_back(std::llround(std::log2(card) * kLogarithmUnit));
  CliqueTree smallest = build(scopes, graph.view(), min_fill_order(graph.view()));
  double least = size_of(smallest, cardinalities).all_cliques;
  for (const auto& order :
       {min_fill_order(graph.view(), states), min_weight_order(graph.view(), logarithms)}) {
    CliqueTree tree = build(scopes, graph.view(), order);
    const double cells = size_of(tree, cardinalities).all_cliques;
    if (cells < least) least = cells, smallest = std::move(tree);
  }
  return smallest;
}

TreeSize size_of(const CliqueTree& tree, std::span<const std::uint32_t> cardinalities) {
  TreeSize size;
  for (CliqueId c = 0; c < tree.num_cliques(); ++c) {
    const double cells = num_cells(tree.members[c], cardinalities);
    size.width = std::max(size.width, tree.members[c].size() - 1);
    size.largest_clique = std::max(size.largest_clique, cells);
    size.all_cliques += cells;
    if (tree.parents[c] != CliqueTree::none)
      size.all_separators += num_cells(tree.separators[c], cardinalities);
  }
  return size;
}

}  // namespace treebound
