#include "structure/treewidth.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace treebound {

namespace {

using Subset = std::uint32_t;

Subset single(std::size_t v) { return Subset{1} << v; }

/// How many vertices outside `gone` are reached from v on paths inside `gone`: the degree of v once those
/// have been eliminated, in any order.
int degree_after(const std::vector<Subset>& neighbours, Subset gone, std::size_t v) {
  Subset reached = neighbours[v];
  Subset done = 0;
  for (Subset open = reached & gone; open != 0; open = reached & gone & ~done) {
    const auto u = static_cast<std::size_t>(std::countr_zero(open));
    done |= single(u);
    reached |= neighbours[u];
  }
  return std::popcount(reached & ~gone & ~single(v));
}

}  // namespace

std::size_t treewidth_lower_bound(const GraphView& view) {
  ShrinkingGraph graph(view);
  std::vector<VariableId> left(graph.num_vertices());
  for (VariableId v = 0; v < left.size(); ++v) left[v] = v;
  const auto degree = [&](VariableId v) { return graph.neighbours_of(v).size(); };
  std::size_t bound = 0;
  while (!left.empty()) {
    const auto least = std::ranges::min_element(left, {}, degree);
    const VariableId v = *least;
    *least = left.back();
    left.pop_back();
    bound = std::max(bound, degree(v));
    if (degree(v) > 0) {
      const VariableId u = *std::ranges::min_element(
          graph.neighbours_of(v), {}, [&](VariableId w) { return graph.num_common_neighbours(v, w); });
      for (const VariableId w : graph.neighbours_of(v)) {
        if (w != u && !graph.has_edge(u, w)) graph.add_edge(u, w);
      }
    }
    graph.remove(v);
  }
  return bound;
}

std::vector<VariableId> best_elimination_order(const GraphView& graph) {
  const std::size_t n = graph.num_vertices();
  assert(n <= most_vertices_for_exact_treewidth);
  std::vector<Subset> neighbours(n);
  for (std::size_t v = 0; v < n; ++v) {
    for (const VariableId u : graph.neighbours_of(v)) neighbours[v] |= single(u);
  }
  // best[S]: least width of eliminating S first; last[S]: the vertex of S that goes last then.
  std::vector<std::uint8_t> best(std::size_t{1} << n);
  std::vector<std::uint8_t> last(best.size());
  for (Subset gone = 1; gone < best.size(); ++gone) {
    int least = static_cast<int>(n);
    for (Subset rest = gone; rest != 0; rest &= rest - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(rest));
      const Subset before = gone & ~single(v);
      if (best[before] >= least) continue;
      const int width = std::max<int>(best[before], degree_after(neighbours, before, v));
      if (width >= least) continue;
      least = width;
      last[gone] = static_cast<std::uint8_t>(v);
    }
    best[gone] = static_cast<std::uint8_t>(least);
  }
  std::vector<VariableId> order(n);
  Subset gone = static_cast<Subset>(best.size() - 1);
  for (std::size_t place = n; place-- > 0; gone &= ~single(last[gone])) order[place] = last[gone];
  return order;
}

}  // namespace treebound
