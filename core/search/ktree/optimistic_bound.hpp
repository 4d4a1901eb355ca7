// What the variables still to come can hope for: the bound of k-A*.
//
// Each wants its best entry that the order allows (paper, section 3.1) or, if the bound is tight, that the
// k-tree so far allows too: the members already inserted lie in one clique. Edges between inserted variables
// never appear, so along a path hopes only fall.
//
// Two hopes can exclude each other. If b is the latest member of the set that c wants, the others must be in
// the separator of b, as must be what b wants for itself, and what others want beside b. When two such
// demands on one separator have more than k members between them, or inserted members that lie in no clique,
// one of the two variables must take less: at least the smaller of the two steps down to their next entries
// is lost. Conflicts that share no variable add up; they are matched greedily, the most expensive first.
#pragma once

#include <span>
#include <vector>

#include "search/ktree/feasible_sets.hpp"
#include "search/ktree/growing_ktree.hpp"
#include "search/problem.hpp"

namespace treebound {

class Outlook {
 public:
  /// All three must outlive the outlook, which follows their changes.
  Outlook(const SearchProblem& problem, const GrowingKTree& tree, const OrderLists& lists, bool is_tight)
      : problem_(problem),
        tree_(tree),
        lists_(lists),
        is_tight_(is_tight),
        wanted_(problem.num_variables()),
        demands_(problem.num_variables()),
        shares_(problem.num_variables()) {}

  /// Finds what each variable to come wants; false if one has nothing left in its list.
  bool look(std::span<const VariableId> to_come);
  EntryId wanted(VariableId v) const { return wanted_[v]; }

  /// Tells how much the hopes of the others fall when v joins a separator; first say for which v.
  void prepare_insertion(VariableId v, std::span<const VariableId> others);
  double loss_after_insertion(VariableId v, std::span<const VariableId> separator);

  /// What conflicts between the hopes cost at least, and the part of it that involves v.
  double count_conflicts(std::span<const VariableId> to_come);
  double share_of_conflicts(VariableId v) const { return shares_[v]; }

 private:
  struct Conflict {
    double loss;
    VariableId first, second;
  };

  bool is_possible(EntryId entry);
  bool is_possible_after(VariableId v, std::span<const VariableId> separator, EntryId entry);
  double step_down(VariableId v);
  void list_demands(std::span<const VariableId> to_come);
  void list_conflicts(VariableId b);
  bool is_in_conflict(VariableId b, VariableId first, VariableId second);

  const SearchProblem& problem_;
  const GrowingKTree& tree_;
  const OrderLists& lists_;
  bool is_tight_;
  std::vector<EntryId> wanted_;
  std::vector<VariableId> affected_, inserted_, union_;
  std::vector<std::vector<VariableId>> demands_;  // on the separator of b: the variables whose hopes need it
  std::vector<Conflict> conflicts_;
  std::vector<double> shares_;
};

}  // namespace treebound
