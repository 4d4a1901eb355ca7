#include "search/forest/spanning_forest.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace treebound {

SpanningForest::SpanningForest(std::size_t num_vertices)
    : num_vertices_(num_vertices), capacity_(16 * num_vertices) {}

void SpanningForest::reduce() {
  std::ranges::sort(edges_, {}, [](const WeightedEdge& e) { return std::tuple(-e.weight, e.a, e.b); });
  std::vector<VariableId> trees(num_vertices_);
  std::iota(trees.begin(), trees.end(), 0u);
  const auto find = [&](VariableId v) {
    while (trees[v] != v) v = trees[v] = trees[trees[v]];
    return v;
  };
  std::erase_if(edges_, [&](const WeightedEdge& edge) {
    const VariableId a = find(edge.a), b = find(edge.b);
    trees[a] = b;
    return a == b;
  });
}

}  // namespace treebound
