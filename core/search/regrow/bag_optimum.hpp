// The best arcs inside one bag, everything else unchanged: re-optimisation of the network within its tree
// decomposition.
//
// Members of a bag whose families lie inside it may exchange their parents freely without any change of
// width; the only constraint is the order among the members that paths outside the bag force. Dynamic
// programming over the subsets of the bag (subset_program.hpp) finds the best choice exactly. An orientation
// of a chordal graph is acyclic if and only if it is so on every clique, so doing this for every bag would
// re-optimise the whole network within its decomposition.
//
// Where the rows are available the bag is filled up with random members of the bag above, and all families
// inside it are scored at once; what is chosen joins the pool. Otherwise the choice is among those of the
// pool.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "search/regrow/best_inside.hpp"
#include "search/regrow/bounded_network.hpp"
#include "search/regrow/family_proposals.hpp"
#include "search/subset_program.hpp"

namespace treebound {

class BagOptimum {
 public:
  static constexpr std::size_t kMaxMembers = 10;

  explicit BagOptimum(const SearchProblem& problem);

  /// Gives the members of the bag of u the best parents that they can have inside it; the caller decides
  /// whether to keep them. False, and nothing changed, if the bag is too large or has one member. `proposals`
  /// may be null.
  bool improve(BoundedNetwork& network, VariableId u, FamilyProposals* proposals, RandomStream& random);

 private:
  using Mask = SubsetMask;

  void fill_bag(const EliminationTree& tree, VariableId u, RandomStream& random);
  bool is_inside(std::span<const VariableId> variables) const;
  Mask to_mask(std::span<const VariableId> variables) const;
  void collect_choices(const FamilyPool& pool);
  void collect_order(BoundedNetwork& network);
  template <typename ScoreOf, typename FamilyOf>
  void solve(ScoreOf score_of, FamilyOf family_of);
  void choose_listed(const FamilyPool& pool);
  void choose_scored(FamilyProposals& proposals);

  const SearchProblem* problem_;
  std::vector<std::uint8_t> slots_;       // of members in the bag
  std::vector<std::uint8_t> is_outside_;  // of the bag, and a zero behind the last variable
  std::vector<VariableId> members_;
  std::vector<std::uint8_t> is_free_;
  std::vector<std::vector<SubsetChoice<FamilyId>>> choices_;  // inside the bag, best first
  BestInside best_inside_;
  std::vector<Mask> before_;  // members that must be placed before
  SubsetProgram program_;
  std::vector<FamilyId> chosen_;
  std::vector<VariableId> parents_, candidates_;
};

}  // namespace treebound
