// The best allowed parents that each member of a bag can have in every subset of the others.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "scoring/families/bag_scores.hpp"
#include "search/problem.hpp"

namespace treebound {

class BestInside {
 public:
  using Mask = BagScores::Mask;
  struct Best {
    double score;
    Mask parents;
  };

  /// Fills the tables from the scores of a bag: the best set inside `others` is `others` itself, or that of a
  /// set with one member less; of equal ones the smallest is taken. Where none is allowed there is a hole.
  void fill(const BagScores& scores, const SearchProblem& problem, std::span<const VariableId> bag) {
    const std::size_t num_members = bag.size();
    num_members_ = num_members;
    best_.resize(num_members << num_members);
    for (std::size_t member = 0; member < num_members; ++member) {
      Best* const best = best_.data() + (member << num_members);
      const Gate gate(problem, bag, bag[member]);
      for (Mask others = 0; others < Mask{1} << num_members; ++others) {
        if ((others >> member & 1) != 0) continue;
        best[others] = gate.allows(others) ? Best{scores.score(member, others), others} : gate.hole();
        for (Mask left = others; left != 0; left &= left - 1) {
          const Best& smaller = best[others ^ (left & (~left + 1))];
          if (smaller.score >= best[others].score) best[others] = smaller;
        }
      }
    }
  }

  const Best& of(std::size_t member, Mask others) const { return best_[(member << num_members_) + others]; }

 private:
  /// The rules for one member, as masks of the bag.
  class Gate {
   public:
    Gate(const SearchProblem& problem, std::span<const VariableId> bag, VariableId child)
        : hole_{problem.score(problem.last_entry(child)), 0} {
      const FamilyRules& rules = problem.rules();
      if (rules.is_trivial()) return;
      is_trivial_ = false;
      max_parents_ = rules.max_parents(child);
      num_required_ = rules.required(child).size();
      for (std::size_t i = 0; i < bag.size(); ++i) {
        required_ |= Mask{rules.is_required(child, bag[i])} << i;
        possible_ |= Mask{rules.allows_parent(child, bag[i])} << i;
      }
    }
    bool allows(Mask parents) const { return is_trivial_ || is_allowed(parents); }
    Best hole() const { return hole_; }

   private:
    bool is_allowed(Mask parents) const {
      return (parents & ~possible_) == 0 && (required_ & ~parents) == 0 &&
             num_bits(required_) == num_required_ && num_bits(parents) <= max_parents_;
    }
    static std::size_t num_bits(Mask mask) { return static_cast<std::size_t>(std::popcount(mask)); }

    bool is_trivial_ = true;
    Mask required_ = 0, possible_ = 0;
    std::size_t num_required_ = 0, max_parents_ = 0;
    Best hole_;
  };

  std::size_t num_members_ = 0;
  std::vector<Best> best_;  // [member][others]; not set where the member is among them
};

/// Writes the members of a bag that a mask selects.
inline void write_members(std::span<const VariableId> bag, BagScores::Mask mask,
                          std::vector<VariableId>& members) {
  members.clear();
  for (std::size_t i = 0; i < bag.size(); ++i)
    if ((mask >> i & 1) != 0) members.push_back(bag[i]);
}

}  // namespace treebound
