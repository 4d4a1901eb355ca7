#include "structure/elimination.hpp"

#include <algorithm>
#include <cassert>
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
    assert(!heap_.empty());
    while (costs_[heap_.top().second] != heap_.top().first) heap_.pop();
    const VariableId v = heap_.top().second;
    heap_.pop();
    costs_[v] = gone;
    return v;
  }

  void change(VariableId v, std::int64_t by) {
    assert(costs_[v] >= 0);
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

using Weights = std::span<const std::int64_t>;

/// The order in which the cheapest vertex goes next; what `leave` does about the costs of the others before
/// it is removed makes the difference.
template <typename Leave>
std::vector<VariableId> cheapest_first(ShrinkingGraph& graph, std::vector<std::int64_t> costs, Leave leave) {
  CheapestFirst queue(std::move(costs));
  std::vector<VariableId> order;
  while (order.size() < graph.num_vertices()) {
    order.push_back(queue.take());
    leave(order.back(), queue);
    graph.remove(order.back());
  }
  return order;
}

std::int64_t sum_of(const std::vector<VariableId>& row, Weights weights) {
  std::int64_t sum = 0;
  for (const VariableId v : row) sum += weights[v];
  return sum;
}

}  // namespace

std::vector<VariableId> min_degree_order(const GraphView& view) {
  return min_weight_order(view, std::vector<std::int64_t>(view.num_vertices(), 1));
}

std::vector<VariableId> min_weight_order(const GraphView& view, Weights weights) {
  assert(weights.size() == view.num_vertices());
  ShrinkingGraph graph(view);
  std::vector<std::int64_t> costs(graph.num_vertices());
  for (VariableId v = 0; v < costs.size(); ++v)
    costs[v] = weights[v] + sum_of(graph.neighbours_of(v), weights);
  return cheapest_first(graph, std::move(costs), [&](VariableId v, CheapestFirst& queue) {
    for_each_missing_edge(graph, v, [&](VariableId a, VariableId b) {
      graph.add_edge(a, b);
      queue.change(a, weights[b]);
      queue.change(b, weights[a]);
    });
    for (const VariableId u : graph.neighbours_of(v)) queue.change(u, -weights[v]);
  });
}

std::vector<VariableId> min_fill_order(const GraphView& view) {
  return min_fill_order(view, std::vector<std::int64_t>(view.num_vertices(), 1));
}

std::vector<VariableId> min_fill_order(const GraphView& view, Weights weights) {
  assert(weights.size() == view.num_vertices());
  ShrinkingGraph graph(view);
  std::vector<std::int64_t> missing(graph.num_vertices(), 0);
  for (VariableId v = 0; v < missing.size(); ++v) {
    const auto& around = graph.neighbours_of(v);
    const std::int64_t all = sum_of(around, weights);
    std::int64_t twice_missing = 0;
    for (const VariableId u : around) {
      const std::int64_t joined = sum_of(graph.common_neighbours(u, v), weights);
      twice_missing += weights[u] * (all - weights[u] - joined);
    }
    missing[v] = twice_missing / 2;
  }
  return cheapest_first(graph, std::move(missing), [&](VariableId v, CheapestFirst& queue) {
    for_each_missing_edge(graph, v, [&](VariableId a, VariableId b) {
      const auto common = graph.common_neighbours(a, b);
      for (const VariableId u : common) {
        if (u != v) queue.change(u, -weights[a] * weights[b]);
      }
      // The new neighbour has no edge to every old one that is not a common neighbour.
      const std::int64_t joined = sum_of(common, weights);
      queue.change(a, weights[b] * (sum_of(graph.neighbours_of(a), weights) - joined));
      queue.change(b, weights[a] * (sum_of(graph.neighbours_of(b), weights) - joined));
      graph.add_edge(a, b);
    });
    // The neighbours of v are joined by now, so u has no edge to exactly its neighbours outside.
    const std::int64_t inside = sum_of(graph.neighbours_of(v), weights) + weights[v];
    for (const VariableId u : graph.neighbours_of(v)) {
      const std::int64_t around = sum_of(graph.neighbours_of(u), weights) + weights[u];
      queue.change(u, -weights[v] * (around - inside));
    }
  });
}

Graph eliminate(const GraphView& view, std::span<const VariableId> order) {
  assert(order.size() == view.num_vertices());
  ShrinkingGraph graph(view);
  for (const VariableId v : order) {
    for_each_missing_edge(graph, v, [&](VariableId a, VariableId b) { graph.add_edge(a, b); });
    graph.remove(v);
  }
  Graph later;
  for (VariableId v = 0; v < graph.num_vertices(); ++v) later.add_row(graph.neighbours_of(v));
  return later;
}

}  // namespace treebound
