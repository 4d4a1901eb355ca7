#include "search/exact/tree_dp.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "search/exact/tree_tables.hpp"

namespace treebound {
namespace tree_dp {
namespace {

/// Finds the best structure again from the tables.
class Unfolding {
 public:
  Unfolding(const SearchProblem& problem, TreeTables& tables)
      : problem_(problem), tables_(tables), chosen_(problem.num_variables()) {}

  void write(Found& found) {
    Table* best_bag = nullptr;
    std::size_t best_order = 0;
    double best = kNone;
    for (Table& bag : tables_.bags()) {
      if (bag.members.front() != 0) continue;
      for (std::size_t order = 0; order < tables_.bag_orders().size(); ++order)
        if (const double score = bag.at(order, bag.all_below()).back(); score > best)
          best = score, best_bag = &bag, best_order = order;
    }
    assert(best_bag != nullptr);
    unfold_bag(*best_bag, best_order, best_bag->all_below(), bit(tables_.bag_size()) - 1);
    order_.insert(order_.end(), best_bag->members.begin(), best_bag->members.end());
    for (VariableId v = 0; v < chosen_.size(); ++v)
      found.families.add(problem_.parents(chosen_[v]), problem_.score(chosen_[v]));
    found.elimination_order = order_;
  }

  double score() const { return problem_.total_score(chosen_); }

 private:
  /// Chooses again what led to an entry of a bag's table.
  void unfold_bag(Table& bag, std::size_t order, Mask below, Mask subset) {
    std::vector<double> joined(bag.num_subsets, kNone), first(bag.num_subsets);
    if (below == 0)
      joined[0] = 0;
    else
      TreeTables::divide(below, [&](Mask part, Mask rest) {
        tables_.read_subtree(bag, order, part, first);
        TreeTables::join(first, bag.at(order, rest), joined);
      });
    const Mask given = best_given(bag, order, subset, joined);
    for (std::uint32_t slot = 0; slot < tables_.bag_size(); ++slot)
      if ((given & bit(slot)) != 0) chosen_[bag.members[slot]] = tables_.best_entry(bag, order, slot);
    if (below != 0) unfold_join(bag, order, below, subset ^ given);
  }

  /// Which of these members took their parents at the bag itself.
  Mask best_given(const Table& bag, std::size_t order, Mask subset, std::span<const double> joined) {
    const std::vector<double> own = tables_.own_scores(bag, order);
    Mask best_given = 0;
    double best = kNone;
    for (Mask given = subset;; given = (given - 1) & subset) {
      double score = joined[subset ^ given];
      for (std::uint32_t slot = 0; slot < tables_.bag_size(); ++slot)
        if ((given & bit(slot)) != 0) score += own[slot];
      if (score > best) best = score, best_given = given;
      if (given == 0) return best_given;
    }
  }

  void unfold_join(Table& bag, std::size_t order, Mask below, Mask subset) {
    double best = kNone;
    Mask best_part = 0, best_first = 0;
    std::vector<double> first(bag.num_subsets);
    TreeTables::divide(below, [&](Mask part, Mask rest) {
      tables_.read_subtree(bag, order, part, first);
      const auto others = bag.at(order, rest);
      for (Mask own = subset;; own = (own - 1) & subset) {
        if (first[own] + others[subset ^ own] > best)
          best = first[own] + others[subset ^ own], best_part = part, best_first = own;
        if (own == 0) break;
      }
    });
    unfold_bag(bag, order, below ^ best_part, subset ^ best_first);
    unfold_subtree(bag, order, best_part, best_first);
  }

  void unfold_subtree(Table& bag, std::size_t order, Mask below, Mask subset) {
    double best = kNone;
    std::uint32_t best_slot = 0;
    for (std::uint32_t slot = 0; slot < tables_.bag_size(); ++slot) {
      if ((subset & bit(slot)) != 0) continue;
      const auto row = tables_.separator_row(bag, slot, order, below);
      if (const double score = row[without_bit(subset, slot)]; score > best) best = score, best_slot = slot;
    }
    unfold_separator(tables_.separator(bag, best_slot), tables_.dropped(best_slot, order),
                     TreeTables::below_separator(bag, best_slot, below), without_bit(subset, best_slot));
  }

  void unfold_separator(Table& table, std::size_t order, Mask below, Mask subset) {
    double best = kNone;
    Table* best_bag = nullptr;
    std::size_t best_order = 0;
    std::uint32_t best_place = 0;
    for (std::uint32_t place = 0; place < table.below.size(); ++place) {
      if ((below & bit(place)) == 0) continue;
      Table& bag = tables_.bag_with(table, table.below[place]);
      const std::uint32_t slot = bag.slot(table.below[place]);
      for (std::size_t with = 0; with < tables_.bag_orders().size(); ++with) {
        if (tables_.dropped(slot, with) != order) continue;
        const auto from = bag.at(with, without_bit(below, place));
        if (const double score = from[with_zero_bit(subset, slot) | bit(slot)]; score > best)
          best = score, best_bag = &bag, best_order = with, best_place = place;
      }
    }
    assert(best_bag != nullptr);
    const VariableId last = table.below[best_place];
    const std::uint32_t slot = best_bag->slot(last);
    unfold_bag(*best_bag, best_order, without_bit(below, best_place),
               with_zero_bit(subset, slot) | bit(slot));
    order_.push_back(last);
  }

  const SearchProblem& problem_;
  TreeTables& tables_;
  std::vector<EntryId> chosen_;
  std::vector<VariableId> order_;  // of elimination
};

}  // namespace
}  // namespace tree_dp

double tree_dp_bytes(std::uint32_t num_variables, std::uint32_t max_treewidth) {
  const double n = num_variables, size = std::min(max_treewidth, num_variables - 1) + 1.0;
  const auto entries = [&](double members) {
    const double log_subsets = std::lgamma(n + 1) - std::lgamma(n - members + 1);  // times the orders
    return std::exp(log_subsets + n * std::log(2.0));
  };
  return sizeof(double) * (entries(size) + entries(size - 1)) + std::exp2(n) * sizeof(std::uint32_t);
}

double tree_dp_operations(std::uint32_t num_variables, std::uint32_t max_treewidth) {
  const double n = num_variables, size = std::min(max_treewidth, num_variables - 1) + 1.0;
  return std::exp(std::lgamma(n + 1) - std::lgamma(n - size + 1) + (n - 1) * std::log(3.0));
}

bool search_tree_dp(SearchTask& task) {
  assert(task.problem.num_variables() <= 24);
  tree_dp::TreeTables tables(task.problem);
  if (!tables.fill(task.run)) return false;
  tree_dp::Unfolding unfolding(task.problem, tables);
  Found found;
  unfolding.write(found);
  task.incumbent.offer(unfolding.score(), 0, [&](Found& best) {
    best.families = std::move(found.families);
    best.elimination_order = std::move(found.elimination_order);
  });
  return true;
}

}  // namespace treebound
