// The optimal forest: every variable has one parent at most (Chow and Liu 1968).
//
// From the single parents of a cache it is a maximum branching, since caches may have different gains for the
// two directions of an edge, or only one of them. From rows it is a maximum spanning forest over all pairs:
// the scores that are counted from rows are score-equivalent, so that an edge gains the same in both
// directions.
#pragma once

#include <cstdint>
#include <vector>

#include "data/dataset.hpp"
#include "scoring/local_score.hpp"
#include "search/anytime.hpp"

namespace treebound {

/// Which pairs of variables a bag may hold.
struct PairBound {
  double max_cells;                          // infinity for no bound
  std::vector<std::uint32_t> cardinalities;  // may be empty if there is none

  bool allows(VariableId a, VariableId b) const;
};

/// For each variable the entry that it has in the best forest of single parents.
std::vector<EntryId> best_forest(const SearchProblem& problem, const PairBound& bound);

struct ChowLiuOptions {
  PairBound bound;
  const Dataset* data;  // with the score, or both null
  const LocalScore* score;
};

/// Offers the forest of the cache; with rows then that of all pairs, or of those that could be counted in
/// time.
Statistics search_chow_liu(SearchTask& task, const ChowLiuOptions& options);

}  // namespace treebound
