// k-MAX (International Journal of Approximate Reasoning, 2018), the later method of the paper's authors: no
// order is sampled; inserted next is the variable whose best available parent set has the smallest relative
// loss. The root clique grows from a random variable by random picks among candidate parents of its members.
//
// A new clique contains the variable u that made it, so after inserting u only sets that contain u can become
// available. An index from u to the entries that contain it makes a construction touch each entry a few times
// in all, where the Java reference scans all lists after every insertion.
//
// A variable that takes k parents fixes its whole separator, and the greedy rule takes what loses least
// without counting that cost: on some caches constructions with fewer parents end higher (the reference,
// which stops at k-1, profits without knowing). With `varies_limit` every other construction draws a limit
// below k for choosing what to insert; a variable then still takes the best set that its separator happens to
// hold.
//
// Independent constructions stop improving soon. With `refines` only the first step of a round is one; the
// others perturb the order of the best structure so far and decode it as k-G does, at a fraction of the cost.
#pragma once

#include "search/anytime.hpp"
#include "search/ktree/clique_policy.hpp"
#include "search/ktree/growing_ktree.hpp"
#include "search/ktree/parent_index.hpp"
#include "search/ktree/required_neighbours.hpp"
#include "search/ktree/root_clique.hpp"

namespace treebound {

struct KMaxOptions {
  CliquePolicy policy;
  bool varies_limit;
  bool refines;
  std::vector<VariableId> given;  // if not empty, the only priority list
};

class KMaxDecoder {
 public:
  KMaxDecoder(const SearchProblem& problem, const ParentIndex& index, const Partners& partners,
              CliquePolicy policy);

  /// `priority` holds all variables: the first k+1 form the root, and of equal losses the earlier goes first.
  /// Sets of more than `limit` parents are not offered, unless as many are required.
  void decode(std::span<const VariableId> priority, std::uint32_t limit, RandomStream& random);

  double score() const { return score_; }
  const GrowingKTree& tree() const { return tree_; }
  const std::vector<EntryId>& chosen() const { return chosen_; }

 private:
  void set_limit(std::uint32_t limit);
  void offer_sets_with(VariableId u);
  void insert(VariableId v, RandomStream& random);
  EntryId best_in_separator(VariableId v) const;
  std::uint64_t key(VariableId v) const;
  VariableId take_next();
  void move_up(std::size_t slot, std::uint64_t key);
  void place(std::size_t slot, std::uint64_t key);

  const SearchProblem& problem_;
  const ParentIndex& index_;
  GrowingKTree tree_;
  CliqueChooser chooser_;
  RootSolver root_solver_;
  RequiredNeighbours required_;
  std::vector<VariableId> root_;
  std::uint32_t limit_ = 0;
  std::uint32_t most_required_ = 0;   // parents of a variable
  std::vector<double> best_scores_;   // of entries within the limit
  std::vector<double> spans_;         // from there down to the least allowed sets
  std::vector<EntryId> available_;    // best entry that fits; kPlaced, below all entries, once inserted
  std::vector<std::uint32_t> ranks_;  // place in the priority list
  std::span<const VariableId> priority_;
  std::vector<std::uint64_t> heap_;   // (relative loss, rank) of the variables not inserted, smallest first
  std::vector<std::uint32_t> slots_;  // in the heap, by rank
  std::vector<EntryId> chosen_;
  double score_ = 0;
};

/// A random priority list whose first k+1 variables are a root clique of candidate parents.
void sample_priority(const SearchProblem& problem, std::span<VariableId> priority, RandomStream& random);

Statistics search_k_max(SearchTask& task, const KMaxOptions& options);

}  // namespace treebound
