#include "search/within_ktree/exact_choice.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace treebound {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr std::size_t kOrdersPerPoll = 256;

std::size_t factorial(std::size_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// Calls visit(subset) for all subsets of a mask, the empty one too.
template <typename Visit>
void for_each_subset(std::uint32_t mask, Visit&& visit) {
  for (std::uint32_t subset = mask;; subset = (subset - 1) & mask) {
    visit(subset);
    if (subset == 0) return;
  }
}

}  // namespace

ExactChoice::ExactChoice(std::uint32_t num_variables)
    : positions_(num_variables),
      bags_(num_variables),
      slot_of_(num_variables, kNoSlot),
      is_marked_(num_variables) {}

double ExactChoice::plan(std::span<const VariableId> insertion_order, const ParentChoices& choices) {
  choices_ = &choices;
  order_.assign(insertion_order.begin(), insertion_order.end());
  for (std::uint32_t i = 0; i < order_.size(); ++i) positions_[order_[i]] = i;
  collect_locals(choices);
  find_separators();
  double work = 0;
  for (const Bag& bag : bags_) {
    const std::size_t r = bag.separator.size();
    if (r > kMaxSeparator) return std::numeric_limits<double>::infinity();
    work += static_cast<double>(factorial(r + 1)) * std::pow(3.0, static_cast<double>(r)) *
            static_cast<double>(bag.children.size() + 1);
  }
  return work;
}

void ExactChoice::collect_locals(const ParentChoices& choices) {
  for (Bag& bag : bags_) {
    bag.separator.clear();
    bag.children.clear();
    bag.locals.clear();
  }
  for (VariableId v = 0; v < bags_.size(); ++v)
    for (std::uint32_t choice = choices.first(v); choice < choices.end(v); ++choice) {
      VariableId latest = v;
      for (const VariableId u : choices.parents(choice))
        if (positions_[u] > positions_[latest]) latest = u;
      bags_[latest].locals.push_back({v, choice});
    }
}

void ExactChoice::find_separators() {
  for (std::size_t i = order_.size(); i-- > 0;) {
    const VariableId v = order_[i];
    Bag& bag = bags_[v];
    is_marked_[v] = 1;
    const auto add = [&](VariableId u) {
      if (is_marked_[u] != 0) return;
      is_marked_[u] = 1;
      bag.separator.push_back(u);
    };
    for (const auto& [child, choice] : bag.locals) {
      add(child);
      for (const VariableId u : choices_->parents(choice)) add(u);
    }
    for (const VariableId child : bag.children)
      for (const VariableId u : bags_[child].separator) add(u);
    is_marked_[v] = 0;
    for (const VariableId u : bag.separator) is_marked_[u] = 0;
    std::ranges::sort(bag.separator, {}, [&](VariableId u) { return positions_[u]; });
    if (!bag.separator.empty()) bags_[bag.separator.back()].children.push_back(v);
  }
}

/// Makes ready what the evaluation of an order asks for.
void ExactChoice::open(VariableId v) {
  const Bag& bag = bags_[v];
  const std::size_t r = bag.separator.size();
  num_slots_ = r + 1;
  for (std::size_t slot = 0; slot < r; ++slot) slot_of_[bag.separator[slot]] = static_cast<Slot>(slot);
  slot_of_[v] = static_cast<Slot>(r);

  local_best_.assign(num_slots_ << num_slots_, kNever);
  for (const auto& [child, choice] : bag.locals) {
    Mask parents = 0;
    for (const VariableId u : choices_->parents(choice)) parents |= Mask{1} << slot_of_[u];
    double& best = local_best_[(std::size_t{slot_of_[child]} << num_slots_) + parents];
    best = std::max(best, choices_->score(choice));
  }
  // The best set inside what stands before: that of a subset with one variable less, or the set itself.
  for (std::size_t slot = 0; slot < num_slots_; ++slot) {
    double* best = local_best_.data() + (slot << num_slots_);
    for (std::size_t bit = 0; bit < num_slots_; ++bit)
      for (Mask before = 0; before < Mask{1} << num_slots_; ++before)
        if ((before >> bit & 1) != 0) best[before] = std::max(best[before], best[before ^ (Mask{1} << bit)]);
  }

  children_.resize(bag.children.size());
  for (std::size_t i = 0; i < children_.size(); ++i) {
    Child& child = children_[i];
    child.bag = &bags_[bag.children[i]];
    const auto& separator = child.bag->separator;
    child.slot_of.assign(num_slots_, kNoSlot);
    child.lifted.assign(std::size_t{1} << separator.size(), 0);
    for (std::size_t slot = 0; slot < separator.size(); ++slot) {
      const Slot there = slot_of_[separator[slot]];
      child.slot_of[there] = static_cast<Slot>(slot);
      for (Mask subset = 0; subset < child.lifted.size(); ++subset)
        if ((subset >> slot & 1) != 0) child.lifted[subset] |= Mask{1} << there;
    }
  }
  stages_.resize(std::max(stages_.size(), children_.size() + num_slots_ + 1));
  reached_.resize(stages_.size());
  for (std::size_t i = 0; i <= children_.size() + num_slots_; ++i)
    stages_[i].resize(std::size_t{1} << num_slots_);
  for (const VariableId u : bag.separator) slot_of_[u] = kNoSlot;
  slot_of_[v] = kNoSlot;
}

/// The number of the order among all orders of the child's separator, as std::next_permutation counts.
std::size_t ExactChoice::rank_within(const Child& child, std::span<const Slot> order) {
  std::size_t num_left = child.bag->separator.size();
  Mask left = (Mask{1} << num_left) - 1;
  std::size_t rank = 0;
  for (const Slot there : order) {
    const Slot slot = child.slot_of[there];
    if (slot == kNoSlot) continue;
    rank = rank * num_left-- + static_cast<std::size_t>(std::popcount(left & ((Mask{1} << slot) - 1)));
    left &= ~(Mask{1} << slot);
  }
  return rank;
}

/// Fills the stages for one order of all slots.
void ExactChoice::evaluate(std::span<const Slot> order) {
  std::size_t stage = 0;
  stages_[0][0] = 0;
  reached_[0] = 0;
  for (const Child& child : children_) {
    const std::size_t r = child.bag->separator.size();
    const double* row = child.bag->table.data() + (rank_within(child, order) << r);
    const double* from = stages_[stage].data();
    double* to = stages_[stage + 1].data();
    const Mask reached = reached_[stage] | child.lifted.back();
    for_each_subset(reached, [&](Mask subset) { to[subset] = kNever; });
    for (Mask below = 0; below < child.lifted.size(); ++below) {
      if (row[below] == kNever) continue;
      const Mask taken = child.lifted[below];
      for_each_subset(reached_[stage] & ~taken, [&](Mask subset) {
        to[subset | taken] = std::max(to[subset | taken], from[subset] + row[below]);
      });
    }
    reached_[++stage] = reached;
  }
  Mask before = 0;
  for (const Slot slot : order) {
    const double value = local_best_[(std::size_t{slot} << num_slots_) + before];
    const Mask bit = Mask{1} << slot;
    before |= bit;
    const double* from = stages_[stage].data();
    double* to = stages_[stage + 1].data();
    const Mask known = reached_[stage];
    const Mask reached = value == kNever ? known : known | bit;
    for_each_subset(reached & ~bit, [&](Mask subset) {
      to[subset] = from[subset];
      if ((reached & bit) == 0) return;
      const double there = (known & bit) != 0 ? from[subset | bit] : kNever;
      to[subset | bit] = std::max(there, from[subset] + value);
    });
    reached_[++stage] = reached;
  }
}

bool ExactChoice::fill_table(VariableId v, const Run& run) {
  Bag& bag = bags_[v];
  open(v);
  const std::size_t r = bag.separator.size();
  const Mask own = Mask{1} << r;
  bag.table.assign(factorial(r) << r, kNever);
  std::vector<Slot> separator_order(r), order(r + 1);
  std::iota(separator_order.begin(), separator_order.end(), Slot{0});
  std::size_t num_orders = 0;
  const std::vector<double>& last = stages_[children_.size() + num_slots_];
  const Mask& reached = reached_[children_.size() + num_slots_];
  do {
    if (num_orders % kOrdersPerPoll == 0 && run.should_stop()) return false;
    double* row = bag.table.data() + (num_orders++ << r);
    for (std::size_t place = 0; place <= r; ++place) {
      std::copy_n(separator_order.begin(), place, order.begin());
      order[place] = static_cast<Slot>(r);
      std::copy(separator_order.begin() + static_cast<std::ptrdiff_t>(place), separator_order.end(),
                order.begin() + static_cast<std::ptrdiff_t>(place) + 1);
      evaluate(order);
      for_each_subset(reached & ~own,
                      [&](Mask subset) { row[subset] = std::max(row[subset], last[subset | own]); });
    }
  } while (std::next_permutation(separator_order.begin(), separator_order.end()));
  return true;
}

bool ExactChoice::solve(const Run& run, std::span<std::uint32_t> chosen) {
  for (std::size_t i = order_.size(); i-- > 0;)
    if (!fill_table(order_[i], run)) return false;
  for (const VariableId v : order_) {
    if (bags_[v].separator.empty()) {
      bags_[v].order.clear();
      bags_[v].subset = 0;
    }
    choose(v, chosen);
  }
  return true;
}

/// Given the order of the separator and the subset of it that takes parents here or below, finds the place of
/// v again and from where the value came.
void ExactChoice::choose(VariableId v, std::span<std::uint32_t> chosen) {
  const Bag& bag = bags_[v];
  open(v);
  const std::size_t r = bag.separator.size();
  const Mask subset = bag.subset | Mask{1} << r;
  double best = kNever;
  std::vector<Slot> best_order;
  for (std::size_t place = 0; place <= r; ++place) {
    std::vector<Slot> order = bag.order;
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), static_cast<Slot>(r));
    evaluate(order);
    const std::size_t end = children_.size() + num_slots_;
    if ((subset & ~reached_[end]) != 0 || stages_[end][subset] <= best) continue;
    best = stages_[end][subset];
    best_order = order;
  }
  assert(!best_order.empty());
  evaluate(best_order);
  trace(v, best_order, subset, chosen);
}

/// Walks the stages back; sums are made here as in evaluate(), so they are equal to the last bit.
void ExactChoice::trace(VariableId v, std::span<const Slot> order, Mask subset,
                        std::span<std::uint32_t> chosen) {
  const Bag& bag = bags_[v];
  std::size_t stage = children_.size() + num_slots_;
  Mask before = (Mask{1} << num_slots_) - 1;
  for (std::size_t i = num_slots_; i-- > 0; --stage) {
    const Slot slot = order[i];
    const Mask bit = Mask{1} << slot;
    before &= ~bit;
    if ((subset & bit) == 0) continue;
    const bool is_known = (reached_[stage - 1] & bit) != 0;
    if (is_known && stages_[stage - 1][subset] == stages_[stage][subset]) continue;
    subset &= ~bit;
    chosen[slot < bag.separator.size() ? bag.separator[slot] : v] = choice_of(bag, slot, before);
  }
  for (std::size_t i = children_.size(); i-- > 0; --stage) {
    const Child& child = children_[i];
    const std::size_t r = child.bag->separator.size();
    const double* row = child.bag->table.data() + (rank_within(child, order) << r);
    Mask below = 0;
    const auto is_source = [&] {
      const Mask taken = child.lifted[below];
      if ((taken & ~subset) != 0 || row[below] == kNever) return false;
      const Mask rest = subset & ~taken;
      return (rest & ~reached_[stage - 1]) == 0 &&
             stages_[stage - 1][rest] + row[below] == stages_[stage][subset];
    };
    while (!is_source()) ++below;
    Bag& there = bags_[bag.children[i]];
    there.subset = below;
    there.order.clear();
    for (const Slot slot : order)
      if (child.slot_of[slot] != kNoSlot) there.order.push_back(child.slot_of[slot]);
    subset &= ~child.lifted[below];
  }
  assert(subset == 0);
}

std::uint32_t ExactChoice::choice_of(const Bag& bag, Slot slot, Mask before) const {
  const double best = local_best_[(std::size_t{slot} << num_slots_) + before];
  // What is not in the separator is the variable of the bag, whose slot comes behind.
  const auto place = [&](VariableId u) {
    return static_cast<std::size_t>(std::ranges::find(bag.separator, u) - bag.separator.begin());
  };
  for (const auto& [child, choice] : bag.locals) {
    if (choices_->score(choice) != best) continue;
    if (place(child) != slot) continue;
    Mask parents = 0;
    for (const VariableId u : choices_->parents(choice)) parents |= Mask{1} << place(u);
    if ((parents & ~before) == 0) return choice;
  }
  assert(false);
  return 0;
}

}  // namespace treebound
