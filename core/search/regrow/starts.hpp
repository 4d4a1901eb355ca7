// Networks to begin from.
//
// - *greedy*: every variable in turn, those with most to gain first, takes the best parents that find room;
// - *tree*: the best spanning forest of single parents (Chow and Liu 1968), then as greedy for all variables;
// - *k-MAX*: a construction of k_max.hpp, loaded with its own elimination order.
// None of them is best everywhere: greedy leads on sparse problems and at large bounds, k-MAX on dense ones
// at small bounds. All are made, and the islands share out the best.
#pragma once

#include "search/problem.hpp"
#include "search/regrow/island.hpp"
#include "search/regrow/regrow.hpp"

namespace treebound {

/// Plants all starts one after another and leaves the best, or for odd turns the second best. Greedy comes
/// first and is always made; when the time is up the others are left out.
void plant_best(const SearchProblem& problem, const RegrowOptions& options, std::uint64_t turn,
                RandomStream& random, RegrowIsland& island, const SearchContext& context);

/// Loads a network whose families may be missing in the pool; those no better than no parents are dropped.
void load_start(const RegrowStart& start, FamilyPool& pool, RegrowIsland& island);

}  // namespace treebound
