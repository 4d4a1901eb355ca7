// Networks to begin from where there is no table to climb with (../hcet/hc_et.hpp).
//
// - *greedy*: every variable in turn, those with the largest possible gain first, takes the best parents that
//   the elimination tree can cover;
// - *forest*: the best forest of single parents (../forest), then as greedy for all variables;
// - *k-MAX*: a construction of ktree/k_max.hpp, loaded with its own elimination order.
// None of them is best everywhere: greedy leads on sparse problems and at large bounds, k-MAX on dense ones
// at small bounds. All are made, and the islands take the best and the second best in turn.
#pragma once

#include "search/anytime.hpp"
#include "search/regrow/island.hpp"

namespace treebound {

/// Makes all starts one after another and loads the best, or for odd turns the second best. Greedy comes
/// first and is always made; when the time is up the others are skipped.
void initialise(const SearchProblem& problem, std::uint64_t turn, RandomStream& random, RegrowIsland& island,
                const SearchContext& context);

/// The families of a given start, added to the pool where they are missing; those no better than the least
/// allowed set are replaced by it.
std::vector<FamilyId> add_start(const Families& start, FamilyPool& pool);

}  // namespace treebound
