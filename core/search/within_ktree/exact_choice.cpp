#include "search/within_ktree/exact_choice.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace treebound {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr std::size_t kOrdersPerPoll = 256;

/// Not all processors that we build for count bits.
constexpr auto kNumBits = [] {
  std::array<std::uint8_t, std::size_t{1} << ExactChoice::kMaxSeparator> counts{};
  for (std::size_t i = 1; i < counts.size(); ++i)
    counts[i] = static_cast<std::uint8_t>(counts[i / 2] + i % 2);
  return counts;
}();

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

/// Prepares the evaluation of orders.
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
    rank = rank * num_left-- + kNumBits[left & ((Mask{1} << slot) - 1)];
    left &= ~(Mask{1} << slot);
  }
  return rank;
}

/// Joins the tables of the children, for one order of all slots, and returns the sums by subset; with
/// `keeps_stages` those after each child are kept.
double* ExactChoice::join_children(std::span<const Slot> order, bool keeps_stages) {
  const std::size_t num_subsets = std::size_t{1} << num_slots_;
  double* from = stages_[0].data();
  std::fill_n(from, num_subsets, kNever);
  from[0] = 0;
  Mask reached = 0;
  for (std::size_t i = 0; i < children_.size(); ++i) {
    const Child& child = children_[i];
    const double* row = child.bag->table.data() + (rank_within(child, order) << child.bag->separator.size());
    double* to = stages_[keeps_stages ? i + 1 : (i + 1) % 2].data();
    std::fill_n(to, num_subsets, kNever);
    for (Mask below = 0; below < child.lifted.size(); ++below) {
      if (row[below] == kNever) continue;
      const Mask taken = child.lifted[below];
      for_each_subset(reached & ~taken, [&](Mask subset) {
        to[subset | taken] = std::max(to[subset | taken], from[subset] + row[below]);
      });
    }
    reached |= child.lifted.back();
    from = to;
  }
  return from;
}

/// A slot takes the best of its sets that precede it, or has none from this bag. Both arrays may be the same.
void ExactChoice::add_local(Slot slot, Mask before, const double* from, double* to) const {
  const std::size_t num_subsets = std::size_t{1} << num_slots_;
  if (to != from) std::copy_n(from, num_subsets, to);
  const double value = local_best_[(std::size_t{slot} << num_slots_) + before];
  if (value == kNever) return;
  const std::size_t bit = std::size_t{1} << slot;
  for (std::size_t block = 0; block < num_subsets; block += 2 * bit)
    for (std::size_t subset = block; subset < block + bit; ++subset)
      to[subset + bit] = std::max(to[subset + bit], from[subset] + value);
}

/// The sums by subset for one order of all slots.
const double* ExactChoice::evaluate(std::span<const Slot> order) {
  double* sums = join_children(order, false);
  Mask before = 0;
  for (const Slot slot : order) {
    add_local(slot, before, sums, sums);
    before |= Mask{1} << slot;
  }
  return sums;
}

/// The same, with the sums after each child and each slot in stages_; the last are in the last one.
void ExactChoice::evaluate_stages(std::span<const Slot> order) {
  join_children(order, true);
  Mask before = 0;
  std::size_t stage = children_.size();
  for (const Slot slot : order) {
    add_local(slot, before, stages_[stage].data(), stages_[stage + 1].data());
    before |= Mask{1} << slot;
    ++stage;
  }
}

bool ExactChoice::fill_table(VariableId v, const Run& run) {
  Bag& bag = bags_[v];
  open(v);
  const std::size_t r = bag.separator.size();
  const std::size_t own = std::size_t{1} << r;
  bag.table.assign(factorial(r) << r, kNever);
  std::vector<Slot> separator_order(r), order(r + 1);
  std::iota(separator_order.begin(), separator_order.end(), Slot{0});
  std::size_t num_orders = 0;
  do {
    if (num_orders % kOrdersPerPoll == 0 && run.should_stop()) return false;
    double* row = bag.table.data() + (num_orders++ << r);
    std::ranges::copy(separator_order, order.begin() + 1);
    order[0] = static_cast<Slot>(r);
    for (std::size_t place = 0; place <= r; ++place) {
      if (place > 0) std::swap(order[place - 1], order[place]);
      const double* sums = evaluate(order);
      for (std::size_t subset = 0; subset < own; ++subset)
        row[subset] = std::max(row[subset], sums[subset + own]);
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
    const double value = evaluate(order)[subset];
    if (value <= best) continue;
    best = value;
    best_order = order;
  }
  assert(!best_order.empty());
  evaluate_stages(best_order);
  trace(v, best_order, subset, chosen);
}

/// Walks the stages back; sums are made in the same way, so they are equal to the last bit.
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
    if (stages_[stage - 1][subset] == stages_[stage][subset]) continue;
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
      return stages_[stage - 1][subset & ~taken] + row[below] == stages_[stage][subset];
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
