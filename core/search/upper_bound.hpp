// What no structure of a problem can exceed: the sum of best scores, less what conflicts between the best
// sets cost at least.
//
// The *loss* of an entry is what it scores below the best of its variable. In any set C of variables, a
// cluster, one has no parent inside (Jaakkola, Sontag, Globerson, Meila 2010). So if each entry of a member
// that has no parent in C costs at least d, every structure loses d. The d can be taken off these entries,
// and what is left of their costs can be lost to another cluster: this is ascent in the dual of the linear
// program over families with all cluster inequalities, one coordinate at a time.
//
// An entry is *tight* if nothing is left of its cost. Variables are *placed* one after another, each as soon
// as all parents in one of its tight entries are. If all can be, the ascent is at its end. If not, the tight
// entries of those that are stuck all have a parent among them: they hold a cluster. Small ones are found by
// growth from each stuck variable, as in Troesser, de Givry and Katsirelos (2021), and made minimal; a
// cluster of two variables that want each other is the smallest.
//
// For treewidth 1 the optimum itself is the bound: every variable has one parent at most, and the best
// branching takes little time (forest/branching.hpp). Otherwise a bound on the treewidth only drops sets of
// more than k parents. No two families conflict by width: two cliques that overlap are a chordal graph, whose
// width is that of the larger. And what width k allows in arcs, k n - k (k + 1) / 2, is what acyclic sets of
// up to k parents have at most anyway. It takes several families at once to exceed a width; no inequality
// over them was found that is cheap and cuts much off. Entries, not seconds, are counted to end the ascent,
// so the bound is the same on every machine; it is valid whenever the ascent ends.
#pragma once

#include "base/run.hpp"
#include "search/problem.hpp"

namespace treebound {

/// An upper bound on the score of a structure over the entries of the problem. Where the run has a deadline,
/// it takes at most a tenth of its time.
double upper_bound(const SearchProblem& problem, const Run& run);

}  // namespace treebound
