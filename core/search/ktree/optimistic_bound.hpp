// The optimistic bound of k-A*: an upper bound on what the variables still to come can score.
//
// Each of them counts with its *optimistic set*: its best feasible set in the order (paper, section 3.1) or,
// if the bound is tight, the best one that the k-tree so far allows too: the members already inserted lie in
// one clique. Edges between inserted variables never appear, so along a path the bound only falls.
//
// Two optimistic sets can exclude each other. If b is the latest member of the optimistic set of c, the other
// members must be in the separator of b; so must be the optimistic set of b itself, and the members beside b
// in the sets of others. When two such demands on one separator have more than k members between them, or
// inserted members that lie in no clique, one of the two variables must take a worse set: at least the
// smaller of the two differences to their next sets is lost. Conflicts that share no variable add up; they
// are matched greedily, the largest loss first.
#pragma once

#include <span>
#include <vector>

#include "search/ktree/feasible_sets.hpp"
#include "search/ktree/growing_ktree.hpp"
#include "search/problem.hpp"

namespace treebound {

class OptimisticBound {
 public:
  /// All three must outlive the bound, which reads them as they change.
  OptimisticBound(const SearchProblem& problem, const GrowingKTree& tree, const FeasibleSets& feasible,
                  bool is_tight)
      : problem_(problem),
        tree_(tree),
        feasible_(feasible),
        is_tight_(is_tight),
        sets_(problem.num_variables()),
        demands_(problem.num_variables()),
        shares_(problem.num_variables()) {}

  /// Finds the optimistic set of each variable to come; false if one has no feasible set left.
  bool update(std::span<const VariableId> to_come);
  EntryId optimistic_set(VariableId v) const { return sets_[v]; }

  /// How much the bound of the others falls when v joins a separator; first prepare for v.
  void prepare_insertion(VariableId v, std::span<const VariableId> others);
  double loss_after_insertion(VariableId v, std::span<const VariableId> separator);

  /// What conflicts between the optimistic sets cost at least, and the part of it that involves v.
  double count_conflicts(std::span<const VariableId> to_come);
  double share_of_conflicts(VariableId v) const { return shares_[v]; }

 private:
  struct Conflict {
    double loss;
    VariableId first, second;
  };

  bool is_possible(EntryId entry) const;
  bool is_possible_after(VariableId v, std::span<const VariableId> separator, EntryId entry) const;
  double loss_to_next(VariableId v) const;
  void list_demands(std::span<const VariableId> to_come);
  void list_conflicts(VariableId b);
  bool is_in_conflict(VariableId b, VariableId first, VariableId second);

  const SearchProblem& problem_;
  const GrowingKTree& tree_;
  const FeasibleSets& feasible_;
  bool is_tight_;
  std::vector<EntryId> sets_;
  std::vector<VariableId> affected_, union_;
  std::vector<std::vector<VariableId>>
      demands_;  // on the separator of b: by the optimistic sets of these variables
  std::vector<Conflict> conflicts_;
  std::vector<double> shares_;
};

}  // namespace treebound
