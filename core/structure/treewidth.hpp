// The treewidth of a graph: a lower bound for any graph, and the exact value for small ones.
#pragma once

#include <cstdint>
#include <vector>

#include "structure/graph.hpp"

namespace treebound {

/// The degree of the graph and of minors of it (minor-min-width of Gogate and Dechter, UAI 2004): contract a
/// vertex of least degree with the neighbour that shares fewest neighbours with it, and remember the largest
/// degree.
std::size_t treewidth_lower_bound(const GraphView& graph);

constexpr std::size_t most_vertices_for_exact_treewidth = 20;

/// An elimination order of least width, by dynamic programming over the subsets that were eliminated first
/// (Bodlaender, Fomin, Koster, Kratsch, Thilikos, On exact algorithms for treewidth, 2006). Time 2^n, hence
/// the limit.
std::vector<VariableId> best_elimination_order(const GraphView& graph);

}  // namespace treebound
