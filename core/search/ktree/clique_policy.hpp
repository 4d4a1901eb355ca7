// Which k-clique a variable joins when several hold its parents. The paper leaves it open (section 3,
// "Node's addition"); the Java reference takes one at random.
//
// Every policy names a clique C(w) = S(w) + w that holds the parents and which of its k+1 members, not a
// parent, is left out. With k parents there is no choice.
//   random    C(m) of the latest parent m; a random member is left out.
//   newest    the most recent among C(m) and the newest clique of each parent that holds all parents; the
//             earliest-inserted member is left out.
//   partners  the parents are first extended, while they remain a clique, by the partners of the variable:
//             those that stand next to it in the candidate sets of others, heaviest first, so these sets
//             can still be chosen later; the rest as `newest`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "search/ktree/growing_ktree.hpp"
#include "search/problem.hpp"

namespace treebound {

enum class CliquePolicy : std::uint8_t { kRandom, kNewest, kPartners };

/// For each variable those that stand next to it in candidate sets, heaviest first. A set weighs 1 - relative
/// loss: what its child keeps of its possible gain by having it.
class Partners {
 public:
  /// Only kPartners needs them, so for the other policies there are none.
  Partners(const SearchProblem& problem, CliquePolicy policy);
  std::span<const VariableId> of(VariableId v) const {
    return {partners_.data() + offsets_[v], offsets_[v + 1] - offsets_[v]};
  }

 private:
  std::vector<std::uint32_t> offsets_;
  std::vector<VariableId> partners_;
};

class CliqueChooser {
 public:
  /// The partners, which must be those of the policy, are shared by all threads.
  CliqueChooser(const Partners& partners, CliquePolicy policy) : partners_(partners), policy_(policy) {}

  CliquePolicy policy() const { return policy_; }

  /// Inserts v into the tree, which holds the parents, at a k-clique that holds them.
  void insert(GrowingKTree& tree, VariableId v, std::span<const VariableId> parents, RandomStream& random);

 private:
  std::span<const VariableId> extended(const GrowingKTree& tree, VariableId v,
                                       std::span<const VariableId> parents);
  void insert_at_members(GrowingKTree& tree, VariableId v, std::span<const VariableId> members);

  const Partners& partners_;
  CliquePolicy policy_;
  std::vector<VariableId> members_;
};

}  // namespace treebound
