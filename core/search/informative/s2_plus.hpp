// S2+ (Nie, de Campos and Ji 2016; paper, "Our implementation of S2 and S2+"): the k-tree of largest
// informative score is looked for by A*, first from the most informative clique, then from random ones;
// inside each the best DAG is found. A step is one k-tree.
#pragma once

#include "search/informative/ktree_step.hpp"

namespace treebound {

/// `max_nodes` bounds the states of A*, see guided_growth.hpp.
struct S2PlusOptions {
  std::uint32_t max_nodes;  // of one k-tree
  bool finishes_first;      // the first k-tree, also if the time is up
};

Statistics search_s2_plus(SearchTask& task, const KTreeStepOptions& options, const S2PlusOptions& s2_plus);

}  // namespace treebound
