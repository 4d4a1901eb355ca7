// The best structure of bounded treewidth, by dynamic programming over tree decompositions (Korhonen and
// Parviainen 2013).
//
// A DAG has treewidth at most k if its families lie in the bags of a k-tree, and arcs inside a k-tree make no
// cycle if they make none inside each bag. So the rest needs to know of a subtree of a tree decomposition:
//   - the bag Q, of k+1 variables, and the order o of its members in which arcs may point;
//   - R, the variables below: those that the subtree holds and Q does not;
//   - F, the members of Q that have got their parents in the subtree.
// The best score of the families of R and F, as a function of these, is the *table* of Q. A subtree leaves
// its bag through a separator S of k variables: one member of F is dropped from Q, and becomes one of R. The
// best score as a function of S, o, R and F is the table of S. Then
//   - table of S, R:  the best over the member u of R that left last, of the table of S + u, R - u;
//   - table of Q, R:  R is shared out among subtrees, each of which comes through a separator of Q. The one
//   that
//                     holds the smallest member of R comes last, so no way of sharing is tried twice.
//                     Then members of Q take parents that stand before them in o.
// Both go from fewer variables below to more. Any bag may be the root, so let it be one with variable 0: it
// is then never below. The best choice is found again from the tables at the end; nothing else is kept.
//
// There are C(n, k+1) (k+1)! 2^(k+1) 2^(n-k-1) entries of tables, of eight bytes, and 3^n n^O(k) steps.
#pragma once

#include <cstdint>
#include <optional>

#include "search/anytime.hpp"

namespace treebound {

/// Bytes that the tables take, at most; infinity where they cannot be counted.
double tree_dp_bytes(std::uint32_t num_variables, std::uint32_t max_treewidth);

/// Sums that are compared, about; a thread does some hundred million per second.
double tree_dp_operations(std::uint32_t num_variables, std::uint32_t max_treewidth);

/// Offers the best structure to the task and returns true; false if the run had to stop before. The problem
/// must have no more than 24 variables, and a width below their number.
bool search_tree_dp(SearchTask& task);

}  // namespace treebound
