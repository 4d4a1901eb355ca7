#include "structure/graph.hpp"

#include <algorithm>
#include <cassert>

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
