// Orders that follow from the families alone: one of the arcs, and an elimination order of the moral graph
// for solvers that do not keep one.
#pragma once

#include <vector>

#include "search/found.hpp"

namespace treebound {

/// Parents before their children; of those that are ready, the lower index first.
std::vector<VariableId> topological_order(const Families& families);

/// The min-fill order of the moral graph.
std::vector<VariableId> witness_order(const Families& families);

}  // namespace treebound
