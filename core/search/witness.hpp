// What follows from the families alone: an order of the arcs, and an elimination order of the moral graph for
// solvers that do not carry one along.
#pragma once

#include <vector>

#include "search/found.hpp"

namespace treebound {

/// Parents before their children; of those that are ready, the lower index first.
std::vector<VariableId> topological_order(const Families& families);

/// The min-fill order of the moral graph.
std::vector<VariableId> witness_order(const Families& families);

}  // namespace treebound
