#include "inference/clique_tree.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "base/asserts.hpp"
#include "structure/elimination.hpp"

namespace treebound {
namespace {

// Logarithms become integers in this unit, so costs stay exact.
constexpr double kLogarithmUnit = 1 << 20;

bool holds_all(std::span<const VariableId> set, std::span<const VariableId> part) {
  return std::ranges::all_of(part, [&](VariableId v) { return std::ranges::find(set, v) != set.end(); });
}

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
  TreeDecomposition bags = decompose(graph, order);
  CliqueTree tree;
  tree.order.assign(order.begin(), order.end());
  tree.members = std::move(bags.bags);
  tree.separators = std::move(bags.separators);
  tree.parents = std::move(bags.parents);
  hang_as_heaps(tree);
  link_children(tree);
  tree.homes.resize(order.size());
  tree.guests.resize(tree.num_cliques());
  std::vector<std::uint32_t> ranks(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) ranks[order[i]] = i;
  for (VariableId v = 0; v < order.size(); ++v) {
    // The family is joined, so the clique of the member that leaves first holds all of it.
    const auto first = std::ranges::min_element(scopes.of(v), {}, [&](VariableId u) { return ranks[u]; });
    tree.homes[v] = bags.homes[scopes.of(v).empty() ? v : *first];
    tree.guests[tree.homes[v]].push_back(v);
    assert(holds_all(tree.members[tree.homes[v]], scopes.of(v)));
  }
  TREEBOUND_ASSERT_VALID(tree);
  return tree;
}

double num_cells(std::span<const VariableId> variables, std::span<const std::uint32_t> cardinalities) {
  double cells = 1;
  for (const VariableId v : variables) cells *= cardinalities[v];
  return cells;
}

}  // namespace

bool CliqueTree::is_valid() const {
  std::vector<std::size_t> ranks(order.size(), order.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = i;
  const auto is_ranked = [&](const std::vector<VariableId>& row) {
    return std::ranges::is_sorted(row, std::less_equal{}, [&](VariableId v) { return ranks[v]; });
  };
  // The cliques of a variable form a forest, which has as many parts as cliques less separators.
  std::vector<std::size_t> num_parts(order.size(), 0);
  std::vector<CliqueId> reached(roots);
  for (CliqueId c = 0; c < num_cliques(); ++c) {
    const bool is_root = parents[c] == none;
    if (!is_ranked(members[c]) || !is_ranked(separators[c]) || (is_root && !separators[c].empty()))
      return false;
    if (!holds_all(members[c], separators[c])) return false;
    if (!is_root && !holds_all(members[parents[c]], separators[c])) return false;
    for (const VariableId v : members[c]) ++num_parts[v];
    for (const VariableId v : separators[c]) --num_parts[v];
  }
  for (std::size_t i = 0; i < reached.size() && reached.size() <= num_cliques(); ++i)
    reached.insert(reached.end(), children[reached[i]].begin(), children[reached[i]].end());
  return reached.size() == num_cliques() && std::ranges::count(num_parts, 1u) == std::ssize(num_parts);
}

Scopes scopes_of(const NetworkView& network) {
  Scopes scopes;
  for (VariableId v = 0; v < network.cardinalities.size(); ++v) {
    const auto parents = network.parents_of(v);
    scopes.members.insert(scopes.members.end(), parents.begin(), parents.end());
    scopes.members.push_back(v);
    scopes.end_scope();
  }
  return scopes;
}

CliqueTree build_clique_tree(const Scopes& scopes, std::span<const VariableId> order) {
  assert(scopes.offsets.size() == order.size() + 1);
  return build(scopes, moral_graph(scopes.offsets, scopes.members).view(), order);
}

CliqueTree build_smallest_clique_tree(const Scopes& scopes, std::span<const std::uint32_t> cardinalities) {
  assert(scopes.offsets.size() == cardinalities.size() + 1);
  const Graph graph = moral_graph(scopes.offsets, scopes.members);
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
  assert(cardinalities.size() == tree.order.size());
  TreeSize size;
  for (CliqueId c = 0; c < tree.num_cliques(); ++c) {
    size.width = std::max(size.width, tree.members[c].size() - 1);
    size.all_cliques += num_cells(tree.members[c], cardinalities);
    if (tree.parents[c] != CliqueTree::none)
      size.all_separators += num_cells(tree.separators[c], cardinalities);
  }
  return size;
}

}  // namespace treebound
