// Elidan and Gould 2008, "Learning bounded treewidth Bayesian networks": from the optimal forest, sets of
// arcs are added that raise the width by one together, until the bound is reached; then single arcs that keep
// it.
//
// A step is one construction. The method leaves open which variable is the root of a tree of the forest, and
// which order of the variables the added arcs follow; every step draws others.
#pragma once

#include "search/anytime.hpp"

namespace treebound {

Statistics search_elidan_gould(SearchTask& task);

}  // namespace treebound
