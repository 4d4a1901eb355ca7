// Undirected graphs without loops: how they come in, and one from which vertices are removed one by one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/rows.hpp"

namespace treebound {

/// The neighbours of v are neighbours[offsets[v]]..neighbours[offsets[v+1]-1], ascending; every edge is there
/// from both ends.
struct GraphView {
  std::span<const std::int64_t> offsets;
  std::span<const VariableId> neighbours;

  std::size_t num_vertices() const { return offsets.size() - 1; }
  std::span<const VariableId> neighbours_of(std::size_t v) const { return row_of(neighbours, offsets, v); }
};

/// A graph in the layout of GraphView or, where documented, with every edge stored from one end only.
struct Graph {
  std::vector<std::int64_t> offsets{0};
  std::vector<VariableId> neighbours;

  GraphView view() const { return {offsets, neighbours}; }
  void add_row(std::span<const VariableId> row) {
    neighbours.insert(neighbours.end(), row.begin(), row.end());
    offsets.push_back(static_cast<std::int64_t>(neighbours.size()));
  }
};

/// The graph in which the members of every scope are joined; there are as many scopes as vertices, scope i
/// being members[offsets[i]]..members[offsets[i+1]-1]. With families as scopes it is the moral graph.
Graph moral_graph(std::span<const std::int64_t> offsets, std::span<const VariableId> members);

/// Rows of neighbours stay sorted, so common neighbours are found by merging, and a short row is looked
/// up in a long one by bisection: moral graphs have hubs.
class ShrinkingGraph {
 public:
  explicit ShrinkingGraph(const GraphView& graph);

  std::size_t num_vertices() const { return rows_.size(); }
  const std::vector<VariableId>& neighbours_of(VariableId v) const { return rows_[v]; }
  bool has_edge(VariableId a, VariableId b) const;
  void add_edge(VariableId a, VariableId b);
  /// Removes v and its edges; its own row stays readable.
  void remove(VariableId v);
  std::vector<VariableId> common_neighbours(VariableId a, VariableId b) const;
  std::size_t num_common_neighbours(VariableId a, VariableId b) const;

 private:
  bool is_symmetric() const;

  std::vector<std::vector<VariableId>> rows_;
};

}  // namespace treebound
