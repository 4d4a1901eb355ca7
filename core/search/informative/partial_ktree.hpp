// A k-tree that is being grown for its informative score, with a bound on what it can become.
//
// However the rest is inserted, a variable still outside brings the mutual information of k edges, at most
// its k largest. And no variable can take a better parent set than its best entry that either lies in a
// clique already or names a variable outside. Both bounds never rise when a variable is inserted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "search/informative/pair_information.hpp"
#include "search/ktree/growing_ktree.hpp"
#include "search/problem.hpp"

namespace treebound {

/// v joins C(clique) without its member number `left_out`, as GrowingKTree::insert_beside() counts.
struct Join {
  VariableId v;
  VariableId clique;
  std::uint32_t left_out;
};

class PartialKTree {
 public:
  PartialKTree(const SearchProblem& problem, const PairInformation& information);

  void start(std::span<const VariableId> root);
  void join(const Join& join);
  /// The same, but from now on only the tree is kept up to date, until the next start().
  void join_tree_only(const Join& join) { tree_.insert_beside(join.v, join.clique, join.left_out); }

  const GrowingKTree& tree() const { return tree_; }
  bool is_complete() const { return tree_.order().size() == problem_.num_variables(); }
  /// The same for all ways to grow the same k-tree from the same root.
  std::uint64_t hash() const { return hash_; }

  /// No complete k-tree that contains this one has a larger informative score; a complete one has this, if
  /// its scores are negative.
  double bound() const { return bound_less(0); }
  /// The same with a loss of information to come.
  double bound_less(double loss) const {
    return (information_sum_ - loss) / std::max(-pseudo_bound_, 1e-300);
  }
  /// What the edges of a join fall short of the largest ones of its variable.
  double loss(const Join& join) const;
  /// The same for all members left out of C(clique) in turn: calls visit(left_out, loss).
  template <typename Visit>
  void for_each_join(VariableId v, VariableId clique, Visit&& visit) const {
    const auto separator = tree_.separator(clique);
    const double sum = information_.of(v, separator) + information_.of(v, clique);
    for (std::uint32_t i = 0; i < separator.size(); ++i)
      visit(i, largest_[v] - (sum - information_.of(v, separator[i])));
    // Without the variable that made the clique it is the one that this variable joined; only the root is
    // new.
    if (is_root(clique)) visit(tree_.width(), largest_[v] - (sum - information_.of(v, clique)));
  }
  /// Calls visit(clique) for each clique.
  std::span<const VariableId> cliques() const { return tree_.order().subspan(tree_.width()); }

 private:
  bool is_root(VariableId clique) const { return tree_.positions()[clique] == tree_.width(); }
  bool is_possible(EntryId entry) const;
  void lower_entries(VariableId inserted);

  const SearchProblem& problem_;
  const PairInformation& information_;
  std::vector<double> largest_;  // by variable, the sum of its k largest pairs
  GrowingKTree tree_;
  std::vector<EntryId> entries_;  // the best that are still possible
  double information_sum_ = 0;    // of the edges, and the largest of all variables outside
  double pseudo_bound_ = 0;
  std::uint64_t hash_ = 0;
};

}  // namespace treebound
