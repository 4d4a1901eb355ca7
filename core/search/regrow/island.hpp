// One network that is improved by releasing families and choosing them again: the working part of Regrow.
//
// A move selects a group of related variables, releases their parents, and gives them parents again one by
// one, each the best set that closes no cycle and that the elimination tree can cover. It is accepted if the
// score does not fall, or else with the probability of simulated annealing. Four kinds of moves:
// - *around*: a variable that could gain, and others met on a random walk over parents, children, separators,
//   and the parents in better sets;
// - *towards*: a target set of a variable, better than the one in use, and the families that block it: a
//   variable on each path that would close a cycle, families along the tree paths that join its members;
// - *inside*: the members of a bag, which get the best arcs inside it (bag_optimum.hpp);
// - *crossover*: variables whose parents differ in another network, with the parents that they have there.
// The temperature starts at a part of what a move that loses typically loses, and falls to zero over a cycle
// (annealing.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "search/regrow/bag_optimum.hpp"
#include "search/regrow/bounded_network.hpp"
#include "search/regrow/family_proposals.hpp"
#include "search/regrow/move_options.hpp"
#include "search/regrow/tree_optimum.hpp"

namespace treebound {

class RegrowIsland {
 public:
  /// `proposals` may be null: then the pool does not grow.
  RegrowIsland(FamilyPool& pool, std::unique_ptr<FamilyProposals> proposals, const MoveOptions& options);

  /// Gives every variable, those with the largest possible gain first, the best parents that can be covered.
  void initialise();
  /// Releases everything and gives it parents again, in random turns.
  void restart(RandomStream& random);
  void load(std::span<const FamilyId> chosen, std::span<const VariableId> elimination_order);

  /// Makes one move; `spent` is the part of the cycle that is over.
  void move(double spent, RandomStream& random);

  /// Another network to take families from, or null.
  struct ScoredFamily {
    double score;
    std::vector<VariableId> parents;
  };
  using Families = std::vector<ScoredFamily>;
  void set_other(const Families* other) { other_ = other; }
  Families families() const;

  double score() const;
  const BoundedNetwork& network() const { return network_; }
  const FamilyPool& pool() const { return *pool_; }

 private:
  /// What v would gain if it could have its best set.
  double max_gain(VariableId v) const { return pool_->score(pool_->families(v)[0]) - network_.score(v); }
  VariableId pick(RandomStream& random) const;
  std::size_t rank(VariableId v, std::size_t limit) const;
  void add_to_group(VariableId v);
  void select_around(VariableId v, std::size_t size, RandomStream& random);
  bool select_towards(VariableId v, std::size_t size, RandomStream& random);
  bool break_cycles(VariableId v, FamilyId target, RandomStream& random);
  bool select_crossover(VariableId v, std::size_t size, RandomStream& random);
  bool select(double kind, VariableId v, std::size_t size, RandomStream& random);
  void regrow(RandomStream& random);
  void accept_or_reject(double spent, RandomStream& random);
  void explore_all();
  void explore_one(RandomStream& random);
  void improve_whole(RandomStream& random);

  const MoveOptions options_;
  FamilyPool* pool_;
  BoundedNetwork network_;
  std::unique_ptr<FamilyProposals> proposals_;
  BagOptimum bag_optimum_;
  TreeOptimum tree_optimum_;
  double saved_work_ = 0, needed_work_ = 0;  // operations for the next optimum in the whole tree
  const Families* other_ = nullptr;

  std::vector<VariableId> group_;
  std::vector<std::uint8_t> is_in_group_;
  struct Target {
    VariableId variable;
    FamilyId family;
  };
  std::vector<Target> targets_;  // placed before the rest of the group
  std::vector<std::pair<double, VariableId>> turns_;
  std::vector<VariableId> path_, nearby_;
  std::vector<VariableId> to_explore_;
  double sum_of_losses_ = 0;
  std::uint64_t num_losses_ = 0;
};

}  // namespace treebound
