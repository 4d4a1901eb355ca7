#include "search/regrow/island.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treebound {
namespace {

// Parent sets that a variable tries in vain before it contents itself with what bags hold already.
constexpr std::uint32_t kMaxTests = 30;
constexpr std::uint32_t kMinGroup = 2, kMaxGroup = 10;
constexpr std::size_t kMaxRank = 200;  // wishes are picked among the best this many sets
constexpr double kInside = 0.3;        // part of the moves inside a clique
// Temperature at the start, as a part of what a rejected move loses on average.
constexpr double kWarmth = 0.1;

}  // namespace

RegrowIsland::RegrowIsland(FamilyPool& pool, BagBound bound, std::span<const std::uint32_t> cardinalities,
                           std::unique_ptr<FamilyProposals> proposals)
    : pool_(&pool),
      network_(pool, bound, cardinalities),
      proposals_(std::move(proposals)),
      clique_optimum_(pool.num_variables()),
      is_in_group_(pool.num_variables(), 0) {}

void RegrowIsland::plant() {
  std::vector<VariableId> order(pool_->num_variables());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](VariableId a, VariableId b) { return hope(a) > hope(b); });
  for (const VariableId v : order) {
    network_.release(v);
    network_.place_best(v, kMaxTests);
  }
  network_.keep();
  begin();
}

void RegrowIsland::begin() {
  to_explore_.resize(pool_->num_variables());
  std::iota(to_explore_.begin(), to_explore_.end(), 0u);
}

double RegrowIsland::score() const {
  double total = 0;
  for (VariableId v = 0; v < pool_->num_variables(); ++v) total += network_.score(v);
  return total;
}

RegrowIsland::Families RegrowIsland::families() const {
  Families result;
  for (VariableId v = 0; v < pool_->num_variables(); ++v) {
    const auto parents = network_.parents(v);
    result.push_back({network_.score(v), {parents.begin(), parents.end()}});
  }
  return result;
}

/// The one of a few random variables that could gain most.
VariableId RegrowIsland::pick(RandomStream& random) const {
  const std::uint32_t n = pool_->num_variables();
  VariableId best = random.below(n);
  for (int i = 0; i < 2; ++i) {
    const VariableId other = random.below(n);
    if (hope(other) > hope(best)) best = other;
  }
  return best;
}

/// How many sets are better than the one in use, at most `limit`.
std::size_t RegrowIsland::rank(VariableId v, std::size_t limit) const {
  const auto entries = pool_->entries(v);
  std::size_t result = 0;
  while (result < limit && entries[result] != network_.chosen(v)) ++result;
  return result;
}

void RegrowIsland::join(VariableId v) {
  if (is_in_group_[v]) return;
  is_in_group_[v] = 1;
  group_.push_back(v);
}

void RegrowIsland::gather_around(VariableId v, std::size_t size, RandomStream& random) {
  const auto any_of = [&](const auto& members) {
    if (!members.empty())
      join(static_cast<VariableId>(members[random.below(static_cast<std::uint32_t>(members.size()))]));
  };
  join(v);
  for (std::size_t tries = 0; group_.size() < size && tries < 4 * size; ++tries) {
    const VariableId u = group_[random.below(static_cast<std::uint32_t>(group_.size()))];
    const double kind = random.uniform();
    if (kind < 0.5) {
      const std::size_t better = rank(u, 50);
      if (better > 0)
        any_of(pool_->parents(pool_->entries(u)[random.below(static_cast<std::uint32_t>(better))]));
    } else if (kind < 0.7) {
      any_of(network_.parents(u));
    } else if (kind < 0.85) {
      any_of(network_.arcs().children(u));
    } else {
      any_of(network_.tree().above(u));
    }
  }
}

/// Releases a variable on every path from v to a parent in the wish; false if a few do not suffice.
bool RegrowIsland::break_cycles(VariableId v, EntryId wish, RandomStream& random) {
  for (const VariableId p : pool_->parents(wish)) {
    for (int tries = 0;; ++tries) {
      network_.mark_from(v);
      if (!network_.is_reached(p)) break;
      if (tries == 4) return false;
      path_.clear();
      for (VariableId u = p; u != v;) {
        path_.push_back(u);
        const auto parents = network_.parents(u);
        const std::uint32_t first = random.below(static_cast<std::uint32_t>(parents.size()));
        for (std::uint32_t i = 0; i < parents.size(); ++i) {
          u = parents[(first + i) % parents.size()];
          if (network_.is_reached(u)) break;
        }
      }
      const VariableId cut = path_[random.below(static_cast<std::uint32_t>(path_.size()))];
      join(cut);
      network_.release(cut);
    }
  }
  return true;
}

bool RegrowIsland::gather_towards(VariableId v, std::size_t size, RandomStream& random) {
  const auto better = static_cast<std::uint32_t>(rank(v, kMaxRank));
  if (better == 0) return false;
  const EntryId wish = pool_->entries(v)[std::min(random.below(better), random.below(better))];
  join(v);
  network_.release(v);
  if (!break_cycles(v, wish, random)) return false;
  if (!network_.holds(wish)) {
    const auto owners = network_.in_the_way(wish);
    const auto num_owners = static_cast<std::uint32_t>(owners.size());
    for (std::size_t tries = 0; tries < 2 * size && group_.size() < size && num_owners > 0; ++tries)
      join(static_cast<VariableId>(owners[random.below(num_owners)]));
  }
  wishes_.push_back({v, wish});
  return true;
}

/// Starts from a variable whose parents differ in the other network and walks on over such variables.
bool RegrowIsland::gather_after(VariableId v, std::size_t size, RandomStream& random) {
  const auto entry_there = [&](VariableId u) {
    const Family& family = (*other_)[u];
    const EntryId entry = pool_->find(u, family.parents);
    return entry != FamilyPool::kNone ? entry : pool_->add(u, family.parents, family.score);
  };
  for (int tries = 0; entry_there(v) == network_.chosen(v); ++tries) {
    if (tries == 10) return false;
    v = random.below(pool_->num_variables());
  }
  join(v);
  for (std::size_t tries = 0; group_.size() < 2 * size && tries < 8 * size; ++tries) {
    const VariableId u = group_[random.below(static_cast<std::uint32_t>(group_.size()))];
    path_ = (*other_)[u].parents;
    path_.insert(path_.end(), network_.parents(u).begin(), network_.parents(u).end());
    path_.insert(path_.end(), network_.arcs().children(u).begin(), network_.arcs().children(u).end());
    if (path_.empty()) continue;
    const VariableId next = path_[random.below(static_cast<std::uint32_t>(path_.size()))];
    if (entry_there(next) != network_.chosen(next)) join(next);
  }
  for (const VariableId u : group_) wishes_.push_back({u, entry_there(u)});
  return true;
}

/// Releases the group and gives its members parents again.
void RegrowIsland::regrow(RandomStream& random) {
  for (const VariableId v : group_) network_.release(v);
  for (const Wish& wish : wishes_) network_.place(wish.variable, wish.entry);
  turns_.clear();
  for (const VariableId v : group_) {
    if (network_.chosen(v) != pool_->empty_entry(v)) continue;
    turns_.emplace_back(-hope(v) * std::exp(4 * random.uniform()), v);
  }
  std::sort(turns_.begin(), turns_.end());
  for (const auto& [turn, v] : turns_) network_.place_best(v, kMaxTests);
}

/// Keeps the move or takes it back.
void RegrowIsland::settle(double spent, RandomStream& random) {
  const double gain = network_.gain();
  const double mean_loss = num_losses_ > 0 ? sum_of_losses_ / static_cast<double>(num_losses_) : 0;
  const double temperature = kWarmth * mean_loss * (1 - spent);
  if (gain < 0) {
    sum_of_losses_ -= gain;
    ++num_losses_;
  }
  if (gain >= 0 || random.uniform() < std::exp(gain / temperature)) {
    if (proposals_) to_explore_.insert(to_explore_.end(), group_.begin(), group_.end());
    network_.keep();
  } else {
    network_.take_back();
  }
}

/// Scores what is next to the parents of a variable that has got new ones.
void RegrowIsland::explore_one(RandomStream& random) {
  while (!to_explore_.empty()) {
    std::swap(to_explore_.back(), to_explore_[random.below(static_cast<std::uint32_t>(to_explore_.size()))]);
    const VariableId v = to_explore_.back();
    to_explore_.pop_back();
    companions_.clear();
    for (const std::int32_t u : network_.tree().above(v)) companions_.push_back(static_cast<VariableId>(u));
    for (const VariableId p : network_.parents(v)) {
      companions_.push_back(p);
      for (const std::int32_t u : network_.tree().above(p)) companions_.push_back(static_cast<VariableId>(u));
    }
    for (const VariableId c : network_.arcs().children(v)) companions_.push_back(c);
    if (!proposals_->explore(v, network_.chosen(v), companions_, random)) continue;
    group_.assign(1, v);
    wishes_.clear();
    regrow(random);
    settle(1, random);
    return;
  }
}

void RegrowIsland::move(double spent, RandomStream& random) {
  if (proposals_) explore_one(random);
  group_.clear();
  wishes_.clear();
  const VariableId v = pick(random);
  const std::size_t size = kMinGroup + random.below(kMaxGroup - kMinGroup + 1);
  const double kind = random.uniform();
  if (kind >= 1 - kInside) {
    if (clique_optimum_.improve(network_, v)) settle(spent, random);
    return;
  }
  bool is_ready = true;
  if (other_ != nullptr && kind < 0.05)
    is_ready = gather_after(v, size, random);
  else if (kind < 0.5)
    is_ready = gather_towards(v, size, random);
  else
    gather_around(v, size, random);
  if (is_ready) {
    regrow(random);
    settle(spent, random);
  } else {
    network_.take_back();
  }
  for (const VariableId u : group_) is_in_group_[u] = 0;
}

}  // namespace treebound
