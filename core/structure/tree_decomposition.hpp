// Tree decompositions from an elimination order: the vertex that leaves and the neighbours that it still has
// form a bag, which hangs on the bag of the neighbour that leaves next. Bags inside others are merged away.
// This is the one place where an order becomes bags; the witness of a structure (Python) and the junction
// tree (inference/clique_tree.hpp) both come from it. Only the checker does not use it, on purpose.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "structure/graph.hpp"

namespace treebound {

using BagId = std::uint32_t;
inline constexpr BagId kNoBag = std::numeric_limits<BagId>::max();

/// A forest with one root for each connected part. Bags are numbered by their vertex that leaves first.
struct TreeDecomposition {
  std::vector<std::vector<VariableId>> bags;        // in the order of elimination
  std::vector<std::vector<VariableId>> separators;  // to the parent, in this order too; empty at a root
  std::vector<BagId> parents;                       // kNoBag at a root
  std::vector<BagId> homes;                         // per vertex: a bag with it and its later neighbours
};

TreeDecomposition decompose(const GraphView& graph, std::span<const VariableId> order);

}  // namespace treebound
