// One network that is improved by taking families out and growing them again: the working part of Regrow.
//
// A move names a few variables that have to do with each other, releases their parents, and gives them
// parents again one by one, each the best set that closes no cycle and finds room. It is kept if it gains,
// or, while the search is warm, with the probability of simulated annealing. Four kinds of groups:
// - *around*: a variable that could gain, and others met on a random walk over parents, children, bags, and
//   parents that it would like to have;
// - *towards*: a parent set that a variable would like to have and that does not fit, and what is in its way:
//   a variable on each path that would close a cycle, families along the tree paths that it needs;
// - *inside*: the members of a clique, which get the best arcs that there are inside it (clique_optimum.hpp);
// - *after*: variables that another network has served better, with the parents that they have there.
// Sizes and temperatures come from the problem: the temperature begins at a fraction of what a rejected move
// typically loses and falls to zero with the budget.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "search/regrow/bounded_network.hpp"
#include "search/regrow/clique_optimum.hpp"
#include "search/regrow/family_proposals.hpp"

namespace treebound {

class RegrowIsland {
 public:
  /// `proposals` may be null: then the pool is all there is.
  RegrowIsland(FamilyPool& pool, BagBound bound, std::span<const std::uint32_t> cardinalities,
               std::unique_ptr<FamilyProposals> proposals);

  /// Gives every variable, those with most to gain first, the best parents that find room.
  void plant();
  void load(std::span<const EntryId> chosen, std::span<const VariableId> elimination_order) {
    network_.load(chosen, elimination_order);
    begin();
  }

  /// Makes one move; `spent` is the part of the budget used.
  void move(double spent, RandomStream& random);

  /// Another network to take families from, or null.
  struct Family {
    double score;
    std::vector<VariableId> parents;
  };
  using Families = std::vector<Family>;
  void look_at(const Families* other) { other_ = other; }
  Families families() const;

  double score() const;
  const BoundedNetwork& network() const { return network_; }
  const FamilyPool& pool() const { return *pool_; }

 private:
  void begin();
  void explore_one(RandomStream& random);
  double hope(VariableId v) const { return pool_->score(pool_->entries(v)[0]) - network_.score(v); }
  VariableId pick(RandomStream& random) const;
  std::size_t rank(VariableId v, std::size_t limit) const;
  void join(VariableId v);
  void gather_around(VariableId v, std::size_t size, RandomStream& random);
  bool gather_towards(VariableId v, std::size_t size, RandomStream& random);
  bool break_cycles(VariableId v, EntryId wish, RandomStream& random);
  bool gather_after(VariableId v, std::size_t size, RandomStream& random);
  void regrow(RandomStream& random);
  void settle(double spent, RandomStream& random);

  FamilyPool* pool_;
  BoundedNetwork network_;
  std::unique_ptr<FamilyProposals> proposals_;
  CliqueOptimum clique_optimum_;
  const Families* other_ = nullptr;

  std::vector<VariableId> group_;
  std::vector<std::uint8_t> is_in_group_;
  struct Wish {
    VariableId variable;
    EntryId entry;
  };
  std::vector<Wish> wishes_;  // tried before all else
  std::vector<std::pair<double, VariableId>> turns_;
  std::vector<VariableId> path_, companions_;
  std::vector<VariableId> to_explore_;
  double sum_of_losses_ = 0;
  std::uint64_t num_losses_ = 0;
};

}  // namespace treebound
