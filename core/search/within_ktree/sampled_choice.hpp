// A good DAG inside a k-tree by sampling partial orders (Nie, Mauá, de Campos and Ji 2014, algorithm 2).
//
// The root clique gets a random order. A clique C(v) takes over the order of S(v) from the clique that v
// joined, and v gets a random place in it. All orders agree where cliques overlap, so the DAG in which each
// variable takes its best parent set that precedes it in a clique is acyclic. Of many such draws the best is
// kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "base/run.hpp"
#include "search/ktree/growing_ktree.hpp"
#include "search/within_ktree/parent_choices.hpp"

namespace treebound {

class SampledChoice {
 public:
  explicit SampledChoice(std::uint32_t num_variables);

  /// The choices must lie in cliques of the tree; both must stay as they are until solve() has been called.
  void plan(const GrowingKTree& tree, const ParentChoices& choices);

  /// Writes chosen[v], the numbers of the best choices of `num_samples` draws, or of fewer if the run ends,
  /// but of at least one.
  void solve(std::uint32_t num_samples, RandomStream& random, const Run& run,
             std::span<std::uint32_t> chosen);

 private:
  using Rank = std::uint32_t;

  /// Cliques have numbers: 0 is the root, the others follow in the order of insertion. Members of a clique
  /// have slots: those of S(v) in the order of insertion, then v.
  std::uint32_t clique_of(VariableId latest) const;
  std::uint32_t slot_in(std::uint32_t clique, VariableId v) const;
  void draw_orders(RandomStream& random);
  double choose();

  const GrowingKTree* tree_ = nullptr;
  const ParentChoices* choices_ = nullptr;
  std::uint32_t num_members_ = 0;      // of a clique
  std::vector<std::uint32_t> joined_;  // by clique, the one that its variable joined
  // [clique][slot in S(v)]: the slot in the clique joined; then that of the member left out.
  std::vector<std::uint32_t> slots_there_;
  std::vector<Rank> ranks_;                          // [clique][slot]: the place in the order of the clique
  std::vector<std::uint32_t> cliques_;               // by choice: the first clique that holds its family
  std::vector<std::uint32_t> slot_offsets_, slots_;  // by choice: the slot of the child, then of the parents
  std::vector<std::uint32_t> current_;
};

}  // namespace treebound
