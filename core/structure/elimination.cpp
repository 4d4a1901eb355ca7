#include "structure/elimination.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace treebound {

namespace {

/// Hands out the vertex of least cost, the lower index on ties. Outdated entries stay in the heap and are
/// passed over, which costs less than moving them.
class CheapestFirst {
 public:
  explicit CheapestFirst(std::vector<std::int64_t> costs)
      : costs_(std::move(costs)), touched_(costs_.size()) {
    for (std::size_t v = 0; v < costs_.size(); ++v) heap_.emplace(costs_[v], static_cast<VariableId>(v));
  }

  VariableId take() {
    flush();
    while (costs_[heap_.top().second] != heap_.top().first) heap_.pop();
    const VariableId v = heap_.top().second;
    heap_.pop();
    costs_[v] = gone;
    return v;
  }

  void change(VariableId v, std::int64_t by) {
    costs_[v] += by;
    if (touched_[v]) return;
    touched_[v] = 1;
    changed_.push_back(v);
  }

 private:
  static constexpr std::int64_t gone = -1;

  void flush() {
    for (const VariableId v : changed_) {
      touched_[v] = 0;
      heap_.emplace(costs_[v], v);
    }
    changed_.clear();
  }

  using Entry = std::pair<std::int64_t, VariableId>;
  std::vector<std::int64_t> costs_;
  std::vector<char> touched_;
  std::vector<VariableId> changed_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
};

/// Calls `join(a, b)` for every pair of neighbours of v that is not an edge yet.
template <typename Join>
void for_each_missing_edge(const ShrinkingGraph& graph, VariableId v, Join join) {
  const auto& around = graph.neighbours_of(v);
  for (std::size_t i = 0; i < around.size(); ++i) {
    for (std::size_t j = i + 1; j < around.size(); ++j) {
      if (!graph.has_edge(around[i], around[j])) join(around[i], around[j]);
    }
  }
}

std::int64_t ssize(const std::vector<VariableId>& row) { return static_cast<std::int64_t>(row.size()); }

}  // namespace

std::vector<VariableId> min_degree_order(const GraphView& view) {
  ShrinkingGraph graph(view);
  std::vector<std::int64_t> degrees(graph.num_vertices());
  for (VariableId v = 0; v < degrees.size(); ++v) degrees[v] = ssize(graph.neighbours_of(v));
  CheapestFirst queue(std::move(degrees));
  std::vector<VariableId> order;
  while (order.size() < graph.num_vertices()) {
    const VariableId v = queue.take();
    order.push_back(v);
    for_each_missing_edge(graph, v, [&](VariableId a, VariableId b) {
      graph.add_edge(a, b);
      queue.change(a, +1);
      queue.change(b, +1);
    });
    for (const VariableId u : graph.neighbours_of(v)) queue.change(u, -1);
    graph.remove(v);
  }
  return order;
}

std::vector<VariableId> min_fill_order(const GraphView& view) {
  ShrinkingGraph graph(view);
  std::vector<std::int64_t> missing(graph.num_vertices());
  for (VariableId v = 0; v < missing.size(); ++v) {
    const auto& around = graph.neighbours_of(v);
    std::int64_t twice_present = 0;
    for (const VariableId u : around)
      twice_present += static_cast<std::int64_t>(graph.num_common_neighbours(u, v));
    missing[v] = (ssize(around) * (ssize(around) - 1) - twice_present) / 2;
  }
  CheapestFirst queue(std::move(missing));
  std::vector<VariableId> order;
  while (order.size() < graph.num_vertices()) {
    const VariableId v = queue.take();
    order.push_back(v);
    for_each_missing_edge(graph, v, [&](VariableId a, VariableId b) {
      const auto common = graph.common_neighbours(a, b);
      for (const VariableId u : common) {
        if (u != v) queue.change(u, -1);
      }
      // The new neighbour lacks an edge to every old one that is not a common neighbour.
      queue.change(a, ssize(graph.neighbours_of(a)) - ssize(common));
      queue.change(b, ssize(graph.neighbours_of(b)) - ssize(common));
      graph.add_edge(a, b);
    });
    for (const VariableId u : graph.neighbours_of(v)) {
      const auto common = static_cast<std::int64_t>(graph.num_common_neighbours(u, v));
      queue.change(u, common - (ssize(graph.neighbours_of(u)) - 1));
    }
    graph.remove(v);
  }
  return order;
}

LaterNeighbours eliminate(const GraphView& view, std::span<const VariableId> order) {
  ShrinkingGraph graph(view);
  for (const VariableId v : order) {
    for_each_missing_edge(graph, v, [&](VariableId a, VariableId b) { graph.add_edge(a, b); });
    graph.remove(v);
  }
  LaterNeighbours later;
  for (VariableId v = 0; v < graph.num_vertices(); ++v) {
    const auto& row = graph.neighbours_of(v);
    later.neighbours.insert(later.neighbours.end(), row.begin(), row.end());
    later.offsets.push_back(ssize(later.neighbours));
  }
  return later;
}

}  // namespace treebound
