// Acyclic-selection order-based search (ASOBS; Scanagatta, de Campos, Corani, Zaffalon, NIPS 2015).
//
// The variables choose in turn. Each takes the best set that closes no cycle with what was chosen before: a
// parent may also be a variable whose turn comes later, which order-based search does not allow.
#pragma once

#include <span>
#include <vector>

#include "base/run.hpp"
#include "search/problem.hpp"

namespace treebound {

/// An order in which the parents of all variables stand before them. When the run should stop, the rest
/// of the variables get no parents.
std::vector<VariableId> asobs_order(const SearchProblem& problem, std::span<const VariableId> turns,
                                    const Run& run);

}  // namespace treebound
