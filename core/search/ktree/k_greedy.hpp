// k-G (paper, section 3.2): the variables enter the k-tree in the given order; the first k+1 are solved
// exactly, each further one takes the best parent set that lies in an existing k-clique.
//
// A candidate of at most k parents lies in a k-clique iff it lies in a clique, so the test of GrowingKTree
// decides, and the first entry of the best-first list that passes is the choice.
#pragma once

#include <limits>

#include "search/anytime.hpp"
#include "search/ktree/clique_policy.hpp"
#include "search/ktree/growing_ktree.hpp"
#include "search/ktree/order_source.hpp"
#include "search/ktree/required_neighbours.hpp"
#include "search/ktree/root_clique.hpp"

namespace treebound {

struct KGreedyOptions {
  CliquePolicy policy;
  OrderOptions orders;
};

/// First entry of v whose parents lie in a clique of the tree.
EntryId first_that_fits(const SearchProblem& problem, const GrowingKTree& tree, VariableId v);

/// Sets, order and separators of a finished construction.
void write_structure(const SearchProblem& problem, const GrowingKTree& tree, std::span<const EntryId> chosen,
                     Found& found);

/// Decodes one order after another, reusing its memory.
class GreedyDecoder {
 public:
  GreedyDecoder(const SearchProblem& problem, const Partners& partners, CliquePolicy policy);

  /// Returns whether it came to the end: an order that cannot reach the floor is given up on the way.
  bool decode(std::span<const VariableId> order, RandomStream& random,
              double floor = -std::numeric_limits<double>::infinity());

  /// Decodes the order and keeps the outcome: orders that begin like it are then decoded from where they
  /// differ. Does nothing if the order is the last one remembered, if the policy is random, or if parents are
  /// required: then later variables change the choice of earlier ones.
  void remember(std::span<const VariableId> order, RandomStream& random);

  double score() const { return score_; }
  const GrowingKTree& tree() const { return tree_; }
  const std::vector<EntryId>& chosen() const { return chosen_; }

 private:
  std::size_t begin(std::span<const VariableId> order);
  double loss(VariableId v) const;
  void insert_with_demand(VariableId v, RandomStream& random);

  struct Remembered {
    std::vector<VariableId> order;
    GrowingKTree tree;
    std::vector<EntryId> chosen;
    std::vector<double> lost;  // by the variables up to each place
  };

  const SearchProblem& problem_;
  GrowingKTree tree_;
  CliqueChooser chooser_;
  RootSolver root_solver_;
  RequiredNeighbours required_;
  std::vector<VariableId> root_;
  std::vector<EntryId> chosen_;
  double score_ = 0;
  Remembered remembered_;
};

Statistics search_k_greedy(SearchTask& task, const KGreedyOptions& options);

}  // namespace treebound
