#include "search/exact/tree_dp.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"

namespace treebound {
namespace {

using Mask = std::uint32_t;  // of variables, of slots in a bag, or of the variables that can be below a bag
constexpr double kNone = -std::numeric_limits<double>::infinity();

Mask bit(std::uint32_t position) { return Mask{1} << position; }
Mask without_bit(Mask mask, std::uint32_t position) {
  const Mask low = bit(position) - 1;
  return (mask & low) | ((mask >> 1) & ~low);
}
Mask with_zero_bit(Mask mask, std::uint32_t position) {
  const Mask low = bit(position) - 1;
  return (mask & low) | ((mask & ~low) << 1);
}

std::vector<VariableId> members_of(Mask mask) {
  std::vector<VariableId> members;
  for (; mask != 0; mask &= mask - 1) members.push_back(static_cast<VariableId>(std::countr_zero(mask)));
  return members;
}

/// All orders of so many slots, and what becomes of an order when a slot is left out.
class Orders {
 public:
  explicit Orders(std::uint32_t num_slots) : num_slots_(num_slots) {
    std::vector<std::uint32_t> order(num_slots);
    std::iota(order.begin(), order.end(), 0u);
    do {
      orders_.push_back(order);
    } while (std::next_permutation(order.begin(), order.end()));
    for (const auto& slots : orders_) {
      std::vector<Mask> before(num_slots);
      Mask placed = 0;
      for (const std::uint32_t slot : slots) before[slot] = placed, placed |= bit(slot);
      before_.push_back(std::move(before));
    }
  }

  std::size_t size() const { return orders_.size(); }
  /// The slots that stand before this one.
  Mask before(std::size_t order, std::uint32_t slot) const { return before_[order][slot]; }

  /// The number, among the orders of one slot less, of this one without a slot.
  std::size_t dropped(std::size_t order, std::uint32_t slot) const {
    std::vector<std::uint32_t> rest;
    for (const std::uint32_t other : orders_[order])
      if (other != slot) rest.push_back(other - (other > slot ? 1 : 0));
    std::size_t number = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const auto smaller = std::count_if(rest.begin() + static_cast<std::ptrdiff_t>(i), rest.end(),
                                         [&](std::uint32_t other) { return other < rest[i]; });
      number = number * (rest.size() - i) + static_cast<std::size_t>(smaller);
    }
    return number;
  }

 private:
  std::uint32_t num_slots_;
  std::vector<std::vector<std::uint32_t>> orders_;  // in lexicographic order
  std::vector<std::vector<Mask>> before_;
};

/// Best scores by order, variables below and members with parents.
struct Table {
  Table(Mask members, std::uint32_t num_variables, std::size_t num_orders)
      : members(members_of(members)),
        below(members_of(~members & (bit(num_variables) - 1) & ~Mask{1})),
        num_subsets(std::size_t{1} << this->members.size()),
        scores(num_orders * num_subsets << below.size(), kNone) {}

  std::span<double> at(std::size_t order, Mask subset) {
    return {scores.data() + (((order << below.size()) + subset) * num_subsets), num_subsets};
  }
  std::uint32_t slot(VariableId v) const { return position(members, v); }
  static std::uint32_t position(const std::vector<VariableId>& sorted, VariableId v) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(sorted, v) - sorted.begin());
  }

  std::vector<VariableId> members;
  std::vector<VariableId> below;  // that can be: neither members nor variable 0
  std::size_t num_subsets;        // of the members
  std::vector<double> scores;
};

class TreeDp {
 public:
  explicit TreeDp(SearchTask& task)
      : problem_(task.problem),
        run_(task.run),
        n_(problem_.num_variables()),
        size_(problem_.width() + 1),
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

  bool fill() {
    for (std::uint32_t num_below = 0; num_below + size_ <= n_; ++num_below) {
      if (!parallel_for(run_, bags_.size(),
                        [&](std::size_t, std::size_t q) { fill_bag(bags_[q], num_below); }))
        return false;
      if (!parallel_for(run_, separators_.size(),
                        [&](std::size_t, std::size_t s) { fill_separator(separators_[s], num_below + 1); }))
        return false;
    }
    return true;
  }

  void write(Found& found) {
    chosen_.assign(n_, 0);
    order_.clear();
    Table* best_bag = nullptr;
    std::size_t best_order = 0;
    double best = kNone;
    for (Table& bag : bags_) {
      if (bag.members.front() != 0) continue;
      for (std::size_t order = 0; order < bag_orders_.size(); ++order)
        if (const double score = bag.at(order, all_below(bag)).back(); score > best)
          best = score, best_bag = &bag, best_order = order;
    }
    assert(best_bag != nullptr);
    unfold_bag(*best_bag, best_order, all_below(*best_bag), bit(size_) - 1);
    order_.insert(order_.end(), best_bag->members.begin(), best_bag->members.end());
    for (VariableId v = 0; v < n_; ++v)
      found.families.add(problem_.parents(chosen_[v]), problem_.score(chosen_[v]));
    found.elimination_order = order_;
  }

  double score() const { return problem_.total_score(chosen_); }

 private:
  static Mask all_below(const Table& table) {
    return bit(static_cast<std::uint32_t>(table.below.size())) - 1;
  }
  static Mask mask_of(const Table& table) {
    Mask mask = 0;
    for (const VariableId v : table.members) mask |= bit(v);
    return mask;
  }

  /// The separator that is left when the member in this slot is dropped from the bag.
  Table& separator(const Table& bag, std::uint32_t slot) {
    return separators_[numbers_[mask_of(bag) ^ bit(bag.members[slot])]];
  }
  Table& bag_with(const Table& separator, VariableId v) {
    return bags_[numbers_[mask_of(separator) | bit(v)]];
  }

  /// Variables below a bag as those below its separator without the member in this slot, which is not below.
  Mask below_separator(const Table& bag, std::uint32_t slot, Mask below) {
    const VariableId left = bag.members[slot];
    return left == 0 ? below : with_zero_bit(below, Table::position(bag.below, left));
  }

  /// The best entry of a member with parents among these slots.
  EntryId best_entry(const Table& bag, std::uint32_t slot, Mask slots) const {
    EntryId entry = problem_.best_entry(bag.members[slot]);
    const auto is_inside = [&](VariableId parent) {
      const std::uint32_t place = Table::position(bag.members, parent);
      return place < bag.members.size() && bag.members[place] == parent && (slots & bit(place)) != 0;
    };
    while (!std::ranges::all_of(problem_.parents(entry), is_inside)) ++entry;
    return entry;
  }

  /// The best score of a subtree with these variables below that comes to the bag through a separator: for
  /// each subset of members with parents.
  void read_subtree(Table& bag, std::size_t order, Mask below, std::span<double> scores) {
    std::ranges::fill(scores, kNone);
    for (std::uint32_t slot = 0; slot < size_; ++slot) {
      const auto row = separator(bag, slot).at(dropped_[slot][order], below_separator(bag, slot, below));
      for (Mask subset = 0; subset < row.size(); ++subset) {
        double& score = scores[with_zero_bit(subset, slot)];
        score = std::max(score, row[subset]);
      }
    }
  }

  /// Calls visit(below_first, below_rest) for each way to share out these variables among a first subtree,
  /// which has the smallest, and the rest.
  template <typename Visit>
  static void share_out(Mask below, Visit&& visit) {
    const Mask smallest = below & (~below + 1), others = below ^ smallest;
    for (Mask part = others;; part = (part - 1) & others) {
      visit(part | smallest, others ^ part);
      if (part == 0) return;
    }
  }

  void fill_bag(Table& bag, std::uint32_t num_below) {
    if (num_below > bag.below.size()) return;
    const std::size_t num_subsets = bag.num_subsets;
    std::vector<double> subtrees(num_subsets << bag.below.size());
    const auto subtree = [&](Mask below) {
      return std::span(subtrees).subspan(below * num_subsets, num_subsets);
    };
    for (std::size_t order = 0; order < bag_orders_.size() && !run_.is_stopped(); ++order) {
      const std::vector<double> own = own_scores(bag, order);
      for (Mask below = 1; below <= all_below(bag); ++below)
        if (static_cast<std::uint32_t>(std::popcount(below)) <= num_below)
          read_subtree(bag, order, below, subtree(below));
      for (Mask below = 0; below <= all_below(bag); ++below) {
        if (static_cast<std::uint32_t>(std::popcount(below)) != num_below) continue;
        const auto row = bag.at(order, below);
        if (below == 0)
          row[0] = 0;
        else
          share_out(below, [&](Mask first, Mask rest) { join(subtree(first), bag.at(order, rest), row); });
        give_parents(own, row);
      }
    }
  }

  /// Two parts side by side: no member has parents in both.
  static void join(std::span<const double> first, std::span<const double> rest, std::span<double> row) {
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

  /// The best score of each member with parents that stand before it in the bag.
  std::vector<double> own_scores(const Table& bag, std::size_t order) const {
    std::vector<double> scores;
    for (std::uint32_t slot = 0; slot < size_; ++slot)
      scores.push_back(problem_.score(best_entry(bag, slot, bag_orders_.before(order, slot))));
    return scores;
  }

  static void give_parents(std::span<const double> own, std::span<double> row) {
    for (std::uint32_t slot = 0; slot < own.size(); ++slot) {
      for (Mask subset = 0; subset < row.size(); ++subset)
        if ((subset & bit(slot)) == 0)
          row[subset | bit(slot)] = std::max(row[subset | bit(slot)], row[subset] + own[slot]);
    }
  }

  void fill_separator(Table& table, std::uint32_t num_below) {
    for (std::uint32_t place = 0; place < table.below.size(); ++place) {
      Table& bag = bag_with(table, table.below[place]);
      const std::uint32_t slot = bag.slot(table.below[place]);
      for (std::size_t order = 0; order < bag_orders_.size(); ++order)
        for (Mask below = 0; below <= all_below(table); ++below) {
          if ((below & bit(place)) == 0 || static_cast<std::uint32_t>(std::popcount(below)) != num_below)
            continue;
          const auto row = table.at(dropped_[slot][order], below);
          const auto from = bag.at(order, without_bit(below, place));
          for (Mask subset = 0; subset < row.size(); ++subset)
            row[subset] = std::max(row[subset], from[with_zero_bit(subset, slot) | bit(slot)]);
        }
    }
  }

  /// Chooses again what led to an entry of a bag's table.
  void unfold_bag(Table& bag, std::size_t order, Mask below, Mask subset) {
    std::vector<double> joined(bag.num_subsets, kNone), first(bag.num_subsets);
    if (below == 0)
      joined[0] = 0;
    else
      share_out(below, [&](Mask part, Mask rest) {
        read_subtree(bag, order, part, first);
        join(first, bag.at(order, rest), joined);
      });
    const Mask given = best_given(bag, order, subset, joined);
    for (std::uint32_t slot = 0; slot < size_; ++slot)
      if ((given & bit(slot)) != 0)
        chosen_[bag.members[slot]] = best_entry(bag, slot, bag_orders_.before(order, slot));
    if (below != 0) unfold_join(bag, order, below, subset ^ given);
  }

  /// Which of these members took their parents at the bag itself.
  Mask best_given(const Table& bag, std::size_t order, Mask subset, std::span<const double> joined) {
    const std::vector<double> own = own_scores(bag, order);
    Mask best_given = 0;
    double best = kNone;
    for (Mask given = subset;; given = (given - 1) & subset) {
      double score = joined[subset ^ given];
      for (std::uint32_t slot = 0; slot < size_; ++slot)
        if ((given & bit(slot)) != 0) score += own[slot];
      if (score > best) best = score, best_given = given;
      if (given == 0) return best_given;
    }
  }

  void unfold_join(Table& bag, std::size_t order, Mask below, Mask subset) {
    double best = kNone;
    Mask best_part = 0, best_first = 0;
    std::vector<double> first(bag.num_subsets);
    share_out(below, [&](Mask part, Mask rest) {
      read_subtree(bag, order, part, first);
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
    for (std::uint32_t slot = 0; slot < size_; ++slot) {
      if ((subset & bit(slot)) != 0) continue;
      const auto row = separator(bag, slot).at(dropped_[slot][order], below_separator(bag, slot, below));
      if (const double score = row[without_bit(subset, slot)]; score > best) best = score, best_slot = slot;
    }
    unfold_separator(separator(bag, best_slot), dropped_[best_slot][order],
                     below_separator(bag, best_slot, below), without_bit(subset, best_slot));
  }

  void unfold_separator(Table& table, std::size_t order, Mask below, Mask subset) {
    double best = kNone;
    Table* best_bag = nullptr;
    std::size_t best_order = 0;
    std::uint32_t best_place = 0;
    for (std::uint32_t place = 0; place < table.below.size(); ++place) {
      if ((below & bit(place)) == 0) continue;
      Table& bag = bag_with(table, table.below[place]);
      const std::uint32_t slot = bag.slot(table.below[place]);
      for (std::size_t with = 0; with < bag_orders_.size(); ++with) {
        if (dropped_[slot][with] != order) continue;
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
  Run& run_;
  const std::uint32_t n_;
  const std::uint32_t size_;  // of a bag
  const Orders bag_orders_, separator_orders_;
  std::vector<std::vector<std::uint32_t>> dropped_;  // by slot and order of a bag: the order of the separator
  std::vector<std::uint32_t> numbers_;               // of the table, by the mask of its members
  std::vector<Table> bags_, separators_;
  std::vector<EntryId> chosen_;
  std::vector<VariableId> order_;
};

}  // namespace

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
  TreeDp dp(task);
  if (!dp.fill()) return false;
  Found found;
  dp.write(found);
  task.incumbent.offer(dp.score(), 0, [&](Found& best) {
    best.families = std::move(found.families);
    best.elimination_order = std::move(found.elimination_order);
  });
  return true;
}

}  // namespace treebound
