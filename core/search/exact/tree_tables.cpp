#include "search/exact/tree_tables.hpp"

#include <algorithm>
#include <bit>

#include "base/parallel.hpp"

namespace treebound::tree_dp {
namespace {

std::vector<VariableId> members_of(Mask mask) {
  std::vector<VariableId> members;
  for (; mask != 0; mask &= mask - 1) members.push_back(static_cast<VariableId>(std::countr_zero(mask)));
  return members;
}

}  // namespace

Table::Table(Mask members, std::uint32_t num_variables, std::size_t num_orders)
    : mask(members),
      members(members_of(members)),
      below(members_of(~members & (bit(num_variables) - 1) & ~Mask{1})),
      num_subsets(std::size_t{1} << this->members.size()),
      scores(num_orders * num_subsets << below.size(), kNone) {}

std::uint32_t Table::position(const std::vector<VariableId>& sorted, VariableId v) {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(sorted, v) - sorted.begin());
}

TreeTables::TreeTables(const SearchProblem& problem)
    : problem_(problem),
      n_(problem.num_variables()),
      size_(problem.width() + 1),
      bag_orders_(size_),
      separator_orders_(size_ - 1),
      numbers_(std::size_t{1} << n_) {
  for (Mask mask = 0; mask < bit(n_); ++mask) {
    const auto count = static_cast<std::uint32_t>(std::popcount(mask));
    if (count != size_ && count + 1 != size_) continue;
    auto& tables = count == size_ ? bags_ : separators_;
    numbers_[mask] = static_cast<std::uint32_t>(tables.size());
    tables.emplace_back(mask, n_, count == size_ ? bag_orders_.size() : separator_orders_.size());
  }
  dropped_.resize(size_);
  for (std::uint32_t slot = 0; slot < size_; ++slot)
    for (std::size_t order = 0; order < bag_orders_.size(); ++order)
      dropped_[slot].push_back(static_cast<std::uint32_t>(bag_orders_.dropped(order, slot)));
}

bool TreeTables::fill(Run& run) {
  for (std::uint32_t num_below = 0; num_below + size_ <= n_; ++num_below) {
    if (!parallel_for(run, bags_.size(),
                      [&](std::size_t, std::size_t q) { fill_bag(bags_[q], num_below, run); }))
      return false;
    if (!parallel_for(run, separators_.size(),
                      [&](std::size_t, std::size_t s) { fill_separator(separators_[s], num_below + 1); }))
      return false;
  }
  return true;
}

Mask TreeTables::below_separator(const Table& bag, std::uint32_t slot, Mask below) {
  const VariableId left = bag.members[slot];
  return left == 0 ? below : with_zero_bit(below, Table::position(bag.below, left));
}

EntryId TreeTables::best_entry(const Table& bag, std::size_t order, std::uint32_t slot) const {
  EntryId entry = problem_.best_entry(bag.members[slot]);
  const Mask before = bag_orders_.before(order, slot);
  const auto is_before = [&](VariableId parent) {
    const std::uint32_t place = bag.slot(parent);
    return place < bag.members.size() && bag.members[place] == parent && (before & bit(place)) != 0;
  };
  while (!std::ranges::all_of(problem_.parents(entry), is_before)) ++entry;
  return entry;
}

std::vector<double> TreeTables::own_scores(const Table& bag, std::size_t order) const {
  std::vector<double> scores;
  for (std::uint32_t slot = 0; slot < size_; ++slot)
    scores.push_back(problem_.score(best_entry(bag, order, slot)));
  return scores;
}

void TreeTables::read_subtree(const Table& bag, std::size_t order, Mask below, std::span<double> scores) {
  std::ranges::fill(scores, kNone);
  for (std::uint32_t slot = 0; slot < size_; ++slot) {
    const auto row = separator_row(bag, slot, order, below);
    for (Mask subset = 0; subset < row.size(); ++subset) {
      double& score = scores[with_zero_bit(subset, slot)];
      score = std::max(score, row[subset]);
    }
  }
}

void TreeTables::join(std::span<const double> first, std::span<const double> rest, std::span<double> row) {
  const Mask all = static_cast<Mask>(row.size()) - 1;
  for (Mask subset = 0; subset <= all; ++subset) {
    if (first[subset] == kNone) continue;
    const Mask free = all ^ subset;
    for (Mask other = free;; other = (other - 1) & free) {
      row[subset | other] = std::max(row[subset | other], first[subset] + rest[other]);
      if (other == 0) break;
    }
  }
}

void TreeTables::fill_bag(Table& bag, std::uint32_t num_below, const Run& run) {
  if (num_below > bag.below.size()) return;
  const std::size_t num_subsets = bag.num_subsets;
  std::vector<double> subtrees(num_subsets << bag.below.size());
  const auto subtree = [&](Mask below) {
    return std::span(subtrees).subspan(below * num_subsets, num_subsets);
  };
  for (std::size_t order = 0; order < bag_orders_.size() && !run.is_stopped(); ++order) {
    const std::vector<double> own = own_scores(bag, order);
    for (Mask below = 1; below <= bag.all_below(); ++below)
      if (static_cast<std::uint32_t>(std::popcount(below)) <= num_below)
        read_subtree(bag, order, below, subtree(below));
    for (Mask below = 0; below <= bag.all_below(); ++below) {
      if (static_cast<std::uint32_t>(std::popcount(below)) != num_below) continue;
      const auto row = bag.at(order, below);
      if (below == 0)
        row[0] = 0;
      else
        divide(below, [&](Mask first, Mask rest) { join(subtree(first), bag.at(order, rest), row); });
      give_parents(own, row);
    }
  }
}

void TreeTables::give_parents(std::span<const double> own, std::span<double> row) {
  for (std::uint32_t slot = 0; slot < own.size(); ++slot) {
    for (Mask subset = 0; subset < row.size(); ++subset)
      if ((subset & bit(slot)) == 0)
        row[subset | bit(slot)] = std::max(row[subset | bit(slot)], row[subset] + own[slot]);
  }
}

void TreeTables::fill_separator(Table& table, std::uint32_t num_below) {
  for (std::uint32_t place = 0; place < table.below.size(); ++place) {
    Table& bag = bag_with(table, table.below[place]);
    const std::uint32_t slot = bag.slot(table.below[place]);
    for (std::size_t order = 0; order < bag_orders_.size(); ++order)
      for (Mask below = 0; below <= table.all_below(); ++below) {
        if ((below & bit(place)) == 0 || static_cast<std::uint32_t>(std::popcount(below)) != num_below)
          continue;
        const auto row = table.at(dropped(slot, order), below);
        const auto from = bag.at(order, without_bit(below, place));
        for (Mask subset = 0; subset < row.size(); ++subset)
          row[subset] = std::max(row[subset], from[with_zero_bit(subset, slot) | bit(slot)]);
      }
  }
}

}  // namespace treebound::tree_dp
