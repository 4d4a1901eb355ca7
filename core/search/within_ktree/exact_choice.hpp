// The best DAG inside a tree decomposition, exactly, by dynamic programming up its tree.
//
// An orientation of a chordal graph is acyclic if and only if it is so on every clique: the shortest directed
// cycle has a chord, which makes a shorter one. So a DAG whose families lie in bags is the same as linear
// orders of the bags that agree where bags overlap, and for each variable a parent set inside one bag that
// precedes it there. (The paper solves the same problem with the integer program of Gobnilp.)
//
// The bags are made from the sets to choose from, by eliminating the variables along the order given, latest
// first: the separator of v are its neighbours then. In a k-tree this drops the members of cliques that no
// set needs, which makes most bags far smaller. A family belongs to the bag of its latest member.
//
// The table of v has a value for each order of its separator and each subset of it: the best sum of scores of
// the variables eliminated so far below it and of those of the subset, which have taken their parents there.
// The table of a bag comes from those of its children, joined over disjoint subsets, and from the families
// that belong to it, for each place of v in the order. With r members of the separator this takes about
// (r+1)! 3^r operations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/run.hpp"
#include "search/within_ktree/parent_choices.hpp"

namespace treebound {

class ExactChoice {
 public:
  static constexpr std::size_t kMaxSeparator = 9;
  /// About a second or two.
  static constexpr double kMaxWork = 5e8;

  explicit ExactChoice(std::uint32_t num_variables);

  /// Plans the work for these sets along an insertion order and returns about how many operations it will
  /// take; infinity if a separator has more than kMaxSeparator members. The choices must stay as they are
  /// until solve() has been called.
  double plan(std::span<const VariableId> insertion_order, const ParentChoices& choices);

  /// Writes chosen[v], the number of a choice; false, and nothing written, if the run stopped it.
  bool solve(const Run& run, std::span<std::uint32_t> chosen);

 private:
  using Mask = std::uint32_t;
  using Slot = std::uint8_t;

  struct Local {
    VariableId child;
    std::uint32_t choice;
  };
  /// Slots 0..r-1 are the separator, in the order of insertion; slot r is the variable itself.
  struct Bag {
    std::vector<VariableId> separator;
    std::vector<VariableId> children;
    std::vector<Local> locals;
    std::vector<double> table;  // [order of the separator][subset of it]
    // As found by choose(), for the bags below: the order of the separator and the subset that took parents.
    std::vector<Slot> order;
    Mask subset = 0;
  };
  /// A child as its parent's bag sees it.
  struct Child {
    const Bag* bag;
    std::vector<Slot> slot_of;  // by slot of the parent's bag; kNoSlot outside the child's separator
    std::vector<Mask> lifted;   // subsets of the child's separator as subsets of the parent's bag
  };
  static constexpr Slot kNoSlot = 0xFF;

  void collect_locals(const ParentChoices& choices);
  void find_separators();
  void open(VariableId v);
  bool fill_table(VariableId v, const Run& run);
  double* join_children(std::span<const Slot> order, bool keeps_stages);
  void add_local(Slot slot, Mask before, const double* from, double* to) const;
  const double* evaluate(std::span<const Slot> order);
  void evaluate_stages(std::span<const Slot> order);
  void choose(VariableId v, std::span<std::uint32_t> chosen);
  void trace(VariableId v, std::span<const Slot> order, Mask subset, std::span<std::uint32_t> chosen);
  std::uint32_t choice_of(const Bag& bag, Slot slot, Mask before) const;
  static std::size_t rank_within(const Child& child, std::span<const Slot> order);

  const ParentChoices* choices_ = nullptr;
  std::vector<VariableId> order_;
  std::vector<std::uint32_t> positions_;
  std::vector<Bag> bags_;

  // Of the bag that is open.
  std::size_t num_slots_ = 0;
  std::vector<Child> children_;
  std::vector<double> local_best_;           // [slot][set of slots before it]
  std::vector<std::vector<double>> stages_;  // sums by subset: after nothing, each child, each slot
  std::vector<Slot> slot_of_;                // by variable
  std::vector<std::uint8_t> is_marked_;
};

}  // namespace treebound
