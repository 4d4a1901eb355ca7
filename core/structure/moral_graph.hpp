// The moral graph of a network: the members of every family are joined.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "structure/graph.hpp"

namespace treebound {

/// A graph that owns what its view shows.
struct Graph {
  std::vector<std::int64_t> offsets{0};
  std::vector<VariableId> neighbours;
  GraphView view() const { return {offsets, neighbours}; }
};

/// family_of(v) holds v and its parents, in any sequence.
template <typename FamilyOf>
Graph moral_graph(std::size_t num_variables, FamilyOf&& family_of) {
  std::vector<std::vector<VariableId>> rows(num_variables);
  for (std::size_t v = 0; v < num_variables; ++v) {
    const auto& family = family_of(static_cast<VariableId>(v));
    for (const VariableId a : family)
      for (const VariableId b : family)
        if (a != b) rows[a].push_back(b);
  }
  Graph graph;
  for (auto& row : rows) {
    std::ranges::sort(row);
    const auto repeats = std::ranges::unique(row);
    graph.neighbours.insert(graph.neighbours.end(), row.begin(), repeats.begin());
    graph.offsets.push_back(static_cast<std::int64_t>(graph.neighbours.size()));
  }
  return graph;
}

}  // namespace treebound
