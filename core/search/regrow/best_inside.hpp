// The best parents that each member of a bag can have in every subset of the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scoring/bag_scores.hpp"

namespace treebound {

class BestInside {
 public:
  using Mask = BagScores::Mask;
  struct Best {
    double score;
    Mask parents;
  };

  /// Fills the tables from the scores of a bag: the best set inside `others` is `others` itself, or that of a
  /// set with one member less; of equal ones the smallest is taken.
  void fill(const BagScores& scores, std::size_t num_members) {
    num_members_ = num_members;
    best_.resize(num_members << num_members);
    for (std::size_t member = 0; member < num_members; ++member) {
      Best* const best = best_.data() + (member << num_members);
      for (Mask others = 0; others < Mask{1} << num_members; ++others) {
        if ((others >> member & 1) != 0) continue;
        best[others] = {scores.score(member, others), others};
        for (Mask left = others; left != 0; left &= left - 1) {
          const Best& smaller = best[others ^ (left & (~left + 1))];
          if (smaller.score >= best[others].score) best[others] = smaller;
        }
      }
    }
  }

  const Best& of(std::size_t member, Mask others) const { return best_[(member << num_members_) + others]; }

 private:
  std::size_t num_members_ = 0;
  std::vector<Best> best_;  // [member][others]; not set where the member is among them
};

/// Writes the members of a bag that a mask tells.
inline void write_members(std::span<const VariableId> bag, BagScores::Mask mask,
                          std::vector<VariableId>& members) {
  members.clear();
  for (std::size_t i = 0; i < bag.size(); ++i)
    if ((mask >> i & 1) != 0) members.push_back(bag[i]);
}

}  // namespace treebound
