// Elimination orders: taking a vertex away joins its remaining neighbours to a clique; the largest number of
// neighbours met on the way is an upper bound on the treewidth, and the cliques form a tree decomposition.
// The two greedy orders are those of every survey (Bodlaender and Koster, Treewidth computations I, 2010):
// next goes the vertex of least degree, or the one whose removal adds fewest edges; the lower index on ties.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "structure/graph.hpp"

namespace treebound {

std::vector<VariableId> min_degree_order(const GraphView& graph);

/// Next goes the vertex for which the weights of itself and its neighbours sum to least; with logarithms of
/// numbers of states as weights, the one with the smallest table.
std::vector<VariableId> min_weight_order(const GraphView& graph, std::span<const std::int64_t> weights);

/// Counts of missing edges are kept up to date edge by edge, so a hub is never counted anew.
std::vector<VariableId> min_fill_order(const GraphView& graph);

/// An added edge counts as the product of the weights of its ends.
std::vector<VariableId> min_fill_order(const GraphView& graph, std::span<const std::int64_t> weights);

/// The neighbours that each vertex still has when its turn comes, fill edges included, ascending: a
/// graph with every edge from its earlier end only.
Graph eliminate(const GraphView& graph, std::span<const VariableId> order);

}  // namespace treebound
