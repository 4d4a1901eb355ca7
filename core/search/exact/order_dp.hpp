// The best DAG of any treewidth, by dynamic programming over subsets (Silander and Myllymäki 2006).
//
// Its score is an upper bound for every treewidth limit, and its optimum wherever the DAG keeps the limit.
// Dynamic programming over tree decompositions (tree_dp.hpp) takes n^k times as long.
#pragma once

#include <vector>

#include "search/problem.hpp"

namespace treebound {

/// More variables are not supported: the tables of so many take about 40 MB.
inline constexpr std::uint32_t kMostVariablesInOrder = 22;

/// The entry of each variable in a best DAG over the entries of the problem.
std::vector<EntryId> best_dag(const SearchProblem& problem);

/// How many entries are read, at most.
double best_dag_looks(const SearchProblem& problem);

}  // namespace treebound
