// The optimal forest: every variable has one parent at most (Chow and Liu 1968).
//
// From the single parents of a cache it is a maximum branching, since caches may have different gains for the
// two directions of an edge, or only one of them. From rows it is a maximum spanning forest over all pairs:
// the scores that are counted from rows are score-equivalent, so an edge gains the same in both
// directions. Rules may allow one direction alone: then the pairs make a maximum branching too. A variable
// that must have a parent loses so much without one (the hole of ../problem.hpp) that the branching gives it
// this one.
#pragma once

#include <vector>

#include "search/anytime.hpp"

namespace treebound {

/// For each variable the entry that it has in the best forest of single parents.
std::vector<EntryId> best_forest(const SearchProblem& problem);

/// Offers the forest of the cache; with rows then that of all pairs, or of those that could be counted in
/// time.
Statistics search_chow_liu(SearchTask& task);

}  // namespace treebound
