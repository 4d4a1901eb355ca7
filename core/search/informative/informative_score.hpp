// The informative score of a k-tree (Nie, de Campos and Ji 2015; paper, "Our implementation of S2 and S2+"):
// IS = S_mi / |S_l|. S_mi is the mutual information of all pairs less that of the pairs that are not edges,
// in other words that of the edges. S_l is the score of the best pseudo-subgraph, acyclic or not: each
// variable takes its best parent set in a clique. No DAG inside the k-tree can exceed S_l.
#pragma once

#include <cmath>

#include "search/informative/pair_information.hpp"
#include "search/ktree/growing_ktree.hpp"
#include "search/within_ktree/covered_entries.hpp"

namespace treebound {

struct InformativeScore {
  double information;   // S_mi
  double pseudo_score;  // S_l

  /// A score of zero cannot be divided by.
  double value() const { return pseudo_score == 0 ? information : information / std::abs(pseudo_score); }
};

/// S_mi of the k-tree so far.
double information_of(const PairInformation& information, const GrowingKTree& tree);

/// Of a complete k-tree, which `covered` must look at.
InformativeScore informative_score(const PairInformation& information, const GrowingKTree& tree,
                                   CoveredEntries& covered);

}  // namespace treebound
