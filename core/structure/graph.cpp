#include "structure/graph.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace treebound {

namespace {

template <typename Visit>
void for_each_common(const std::vector<VariableId>& a, const std::vector<VariableId>& b, Visit visit) {
  const auto& small = a.size() <= b.size() ? a : b;
  const auto& large = a.size() <= b.size() ? b : a;
  auto from = large.begin();
  for (const VariableId v : small) {
    from = std::lower_bound(from, large.end(), v);
    if (from == large.end()) return;
    if (*from == v) visit(v);
  }
}

}  // namespace

Graph moral_graph(std::span<const std::int64_t> offsets, std::span<const VariableId> members) {
  const GraphView scopes{offsets, members};
  const std::size_t num_vertices = scopes.num_vertices();
  std::vector<std::vector<std::size_t>> scopes_with(num_vertices);
  for (std::size_t i = 0; i < num_vertices; ++i)
    for (const VariableId v : scopes.neighbours_of(i)) scopes_with[v].push_back(i);
  // Vertex by vertex, so no edge is stored once for each scope that it is in.
  Graph graph;
  std::vector<VariableId> row;
  std::vector<std::size_t> last_seen(num_vertices, num_vertices);
  for (std::size_t v = 0; v < num_vertices; ++v) {
    row.clear();
    last_seen[v] = v;
    for (const std::size_t i : scopes_with[v])
      for (const VariableId u : scopes.neighbours_of(i))
        if (std::exchange(last_seen[u], v) != v) row.push_back(u);
    std::ranges::sort(row);
    graph.add_row(row);
  }
  return graph;
}

ShrinkingGraph::ShrinkingGraph(const GraphView& graph) : rows_(graph.num_vertices()) {
  for (std::size_t v = 0; v < rows_.size(); ++v) {
    const auto neighbours = graph.neighbours_of(v);
    rows_[v].assign(neighbours.begin(), neighbours.end());
    assert(std::ranges::is_sorted(rows_[v]) &&
           !has_edge(static_cast<VariableId>(v), static_cast<VariableId>(v)));
  }
  assert(is_symmetric());
}

bool ShrinkingGraph::has_edge(VariableId a, VariableId b) const {
  return std::ranges::binary_search(rows_[a], b);
}

void ShrinkingGraph::add_edge(VariableId a, VariableId b) {
  assert(a != b && !has_edge(a, b) && !has_edge(b, a));
  rows_[a].insert(std::ranges::lower_bound(rows_[a], b), b);
  rows_[b].insert(std::ranges::lower_bound(rows_[b], a), a);
}

void ShrinkingGraph::remove(VariableId v) {
  for (const VariableId u : rows_[v]) {
    assert(has_edge(u, v));
    rows_[u].erase(std::ranges::lower_bound(rows_[u], v));
  }
}

bool ShrinkingGraph::is_symmetric() const {
  for (VariableId v = 0; v < rows_.size(); ++v)
    if (!std::ranges::all_of(rows_[v], [&](VariableId u) { return u < rows_.size() && has_edge(u, v); }))
      return false;
  return true;
}

std::vector<VariableId> ShrinkingGraph::common_neighbours(VariableId a, VariableId b) const {
  std::vector<VariableId> common;
  for_each_common(rows_[a], rows_[b], [&](VariableId v) { common.push_back(v); });
  return common;
}

std::size_t ShrinkingGraph::num_common_neighbours(VariableId a, VariableId b) const {
  std::size_t count = 0;
  for_each_common(rows_[a], rows_[b], [&](VariableId) { ++count; });
  return count;
}

}  // namespace treebound
