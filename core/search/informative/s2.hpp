// S2 (Nie, de Campos and Ji 2015; paper, "Our implementation of S2 and S2+"): k-trees are drawn uniformly and
// accepted with probability min(1, IS / IS*), where IS* is the largest informative score so far; inside each
// accepted one the best DAG is found. A step is one accepted k-tree.
//
// IS* is that of the rounds before, the same for all steps of a round, so the outcome does not depend on
// the threads. S_l, which the informative score needs anyway, is an upper bound of all DAGs inside: a k-tree
// whose bound does not beat the incumbent need not be solved.
#pragma once

#include "search/informative/ktree_step.hpp"

namespace treebound {

Statistics search_s2(SearchTask& task, const KTreeStepOptions& options);

}  // namespace treebound
