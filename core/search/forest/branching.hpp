// Maximum branching: at most one arc into each vertex, no cycle, and the largest sum of weights (Edmonds
// 1967). Cycles of best arcs are contracted, with heaps that take additions to all their keys at once
// (Tarjan 1977; Gabow, Galil, Spencer, Tarjan 1986): m arcs take m log m time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"

namespace treebound {

struct WeightedArc {
  VariableId from;
  VariableId to;
  double weight;
};

inline constexpr std::uint32_t kNoArc = 0xFFFFFFFFu;

/// For each vertex the number of the arc into it, or kNoArc. Arcs of weight zero or less are never taken.
std::vector<std::uint32_t> maximum_branching(std::uint32_t num_vertices, std::span<const WeightedArc> arcs);

}  // namespace treebound
