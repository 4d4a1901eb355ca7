// Families scored while the search goes on: neighbours of the parent sets in use.
//
// A cache holds what looked good before anything was known about the structure; in a network of bounded
// treewidth the sets that matter are those that the tree can cover, and they are found next to the ones in
// use. From the parents P of a variable v come P with one more, P with one less and P with one exchanged,
// where the further parents are the favourites of v by themselves and the variables that share a bag with its
// family, which some bag often holds already. What beats P joins the pool; subsets join too, as sets that are
// easier to cover. Each pair (v, P) is explored once.
//
// Favourites are learned: now and then all variables, or a random thousand of them, are tried next to P, and
// those that score best there become favourites of v. A variable that scores well alone often adds nothing to
// P.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "scoring/families/bag_scores.hpp"
#include "scoring/families/family_scorer.hpp"
#include "search/regrow/family_pool.hpp"

namespace treebound {

class FamilyProposals {
 public:
  /// The problem of the pool must have a source. Once `max_added` sets have joined the pool, further ones are
  /// scored but not kept.
  FamilyProposals(FamilyPool& pool, std::size_t max_added);

  /// Scores the neighbours of a family of v, `nearby` among the further parents; returns whether the pool has
  /// grown.
  bool explore(VariableId v, FamilyId family, std::span<const VariableId> nearby, RandomStream& random);

  /// The scores of all families inside a bag of ascending variables; null if it is too large, or if no more
  /// sets may join the pool.
  const BagScores* scores_inside(std::span<const VariableId> bag);
  /// The family of v with these parents, which joins the pool if it is not there; the least allowed one if
  /// that is no worse, as it may be where the scores of the pool were rounded in a file.
  FamilyId join(VariableId v, std::span<const VariableId> parents, double score) {
    return pool_->find_or_add(v, parents, score);
  }

 private:
  struct Trial {
    double score;
    VariableId parent;
  };
  double offer(VariableId v, std::span<const VariableId> parents, double floor);
  void gather_further(VariableId v, std::span<const VariableId> nearby, bool is_wide, RandomStream& random);
  void learn_favourites(VariableId v);
  bool is_new(VariableId v, std::span<const VariableId> parents);

  FamilyPool* pool_;
  FamilyScorer scorer_;
  BagScores bag_scores_;
  std::size_t max_added_;
  std::vector<std::vector<VariableId>> favourites_;  // best single parents
  std::vector<std::uint8_t> is_explored_;            // per family
  std::vector<std::uint64_t> seen_;                  // hashes of families scored, by their last bits
  std::vector<VariableId> base_, set_, further_;
  std::vector<Trial> trials_;
  bool has_grown_ = false;
};

}  // namespace treebound
