// The tables of dynamic programming over tree decompositions (see tree_dp.hpp): one for each bag and for each
// separator, filled from fewer variables below to more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/run.hpp"
#include "search/exact/slot_orders.hpp"
#include "search/problem.hpp"

namespace treebound::tree_dp {

constexpr double kNone = -std::numeric_limits<double>::infinity();

/// Best scores by order, variables below and members with parents.
struct Table {
  Table(Mask members, std::uint32_t num_variables, std::size_t num_orders);

  std::span<double> at(std::size_t order, Mask below) {
    return {scores.data() + (((order << this->below.size()) + below) * num_subsets), num_subsets};
  }
  std::uint32_t slot(VariableId v) const { return position(members, v); }
  Mask all_below() const { return bit(static_cast<std::uint32_t>(below.size())) - 1; }
  static std::uint32_t position(const std::vector<VariableId>& sorted, VariableId v);

  Mask mask;
  std::vector<VariableId> members;
  std::vector<VariableId> below;  // that can be: neither members nor variable 0
  std::size_t num_subsets;        // of the members
  std::vector<double> scores;
};

class TreeTables {
 public:
  explicit TreeTables(const SearchProblem& problem);

  /// False if the run had to stop before.
  bool fill(Run& run);

  std::uint32_t bag_size() const { return size_; }
  std::span<Table> bags() { return bags_; }
  const SlotOrders& bag_orders() const { return bag_orders_; }
  /// The number of a bag's order without a slot, among the orders of its separator.
  std::uint32_t dropped(std::uint32_t slot, std::size_t order) const { return dropped_[slot][order]; }
  /// The separator that is left when the member in this slot is dropped from the bag.
  Table& separator(const Table& bag, std::uint32_t slot) {
    return separators_[numbers_[bag.mask ^ bit(bag.members[slot])]];
  }
  Table& bag_with(const Table& separator, VariableId v) { return bags_[numbers_[separator.mask | bit(v)]]; }
  /// The row of the separator without the member in this slot, for variables below the bag.
  std::span<double> separator_row(const Table& bag, std::uint32_t slot, std::size_t order, Mask below) {
    return separator(bag, slot).at(dropped(slot, order), below_separator(bag, slot, below));
  }
  /// Variables below a bag as those below its separator without the member in this slot, which is not below.
  static Mask below_separator(const Table& bag, std::uint32_t slot, Mask below);

  /// The best entry of a member with parents that stand before it in the bag.
  EntryId best_entry(const Table& bag, std::size_t order, std::uint32_t slot) const;
  /// The score of this entry for each member.
  std::vector<double> own_scores(const Table& bag, std::size_t order) const;
  /// The best score of a subtree with these variables below that comes to the bag through a separator: for
  /// each subset of members with parents.
  void read_subtree(const Table& bag, std::size_t order, Mask below, std::span<double> scores);
  /// Adds two parts side by side to the row: no member has parents in both.
  static void join(std::span<const double> first, std::span<const double> rest, std::span<double> row);

  /// Calls visit(below_first, below_rest) for each way to divide these variables between a first subtree,
  /// which has the smallest, and the rest.
  template <typename Visit>
  static void divide(Mask below, Visit&& visit) {
    const Mask smallest = below & (~below + 1), others = below ^ smallest;
    for (Mask part = others;; part = (part - 1) & others) {
      visit(part | smallest, others ^ part);
      if (part == 0) return;
    }
  }

 private:
  void fill_bag(Table& bag, std::uint32_t num_below, const Run& run);
  void fill_separator(Table& table, std::uint32_t num_below);
  static void give_parents(std::span<const double> own, std::span<double> row);

  const SearchProblem& problem_;
  const std::uint32_t n_;
  const std::uint32_t size_;  // of a bag
  const SlotOrders bag_orders_, separator_orders_;
  std::vector<std::vector<std::uint32_t>> dropped_;  // by slot and order of a bag: the order of the separator
  std::vector<std::uint32_t> numbers_;               // of the table, by the mask of its members
  std::vector<Table> bags_, separators_;
};

}  // namespace treebound::tree_dp
