#include "search/regrow/island.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treebound {

namespace {

/// Makes all changes final, unless they leave a hole (../problem.hpp): then they are undone.
void keep_without_hole(BoundedNetwork& network) {
  if (network.has_hole())
    network.take_back();
  else
    network.keep();
}

}  // namespace

RegrowIsland::RegrowIsland(FamilyPool& pool, std::unique_ptr<FamilyProposals> proposals,
                           const MoveOptions& options)
    : options_(options),
      pool_(&pool),
      network_(pool),
      proposals_(std::move(proposals)),
      bag_optimum_(pool.problem()),
      tree_optimum_(pool.problem()),
      is_in_group_(pool.num_variables(), 0) {}

void RegrowIsland::initialise() {
  std::vector<VariableId> order(pool_->num_variables());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](VariableId a, VariableId b) { return max_gain(a) > max_gain(b); });
  for (const VariableId v : order) {
    network_.release(v);
    network_.place_best(v, options_.max_tests);
  }
  keep_without_hole(network_);
  explore_all();
}

void RegrowIsland::restart(RandomStream& random) {
  group_.resize(pool_->num_variables());
  std::iota(group_.begin(), group_.end(), 0u);
  targets_.clear();
  regrow(random);
  keep_without_hole(network_);
  explore_all();
}

void RegrowIsland::load(std::span<const FamilyId> chosen, std::span<const VariableId> elimination_order) {
  network_.load(chosen, elimination_order);
  explore_all();
}

/// Makes all variables ones that have got new parents.
void RegrowIsland::explore_all() {
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

/// The one of a few random variables with the largest possible gain.
VariableId RegrowIsland::pick(RandomStream& random) const {
  const std::uint32_t n = pool_->num_variables();
  VariableId best = random.below(n);
  for (std::uint32_t i = 1; i < options_.num_picks; ++i) {
    const VariableId other = random.below(n);
    if (max_gain(other) > max_gain(best)) best = other;
  }
  return best;
}

/// How many sets are better than the one in use, at most `limit`.
std::size_t RegrowIsland::rank(VariableId v, std::size_t limit) const {
  const auto entries = pool_->families(v);
  std::size_t result = 0;
  while (result < limit && entries[result] != network_.chosen(v)) ++result;
  return result;
}

void RegrowIsland::add_to_group(VariableId v) {
  if (is_in_group_[v]) return;
  is_in_group_[v] = 1;
  group_.push_back(v);
}

void RegrowIsland::select_around(VariableId v, std::size_t size, RandomStream& random) {
  const auto any_of = [&](const auto& members) {
    if (!members.empty())
      add_to_group(
          static_cast<VariableId>(members[random.below(static_cast<std::uint32_t>(members.size()))]));
  };
  const double to_better = options_.walk_to_better_set;
  const double to_parent = to_better + options_.walk_to_parent;
  const double to_child = to_parent + options_.walk_to_child;
  add_to_group(v);
  for (std::size_t tries = 0; group_.size() < size && tries < options_.max_draws * size; ++tries) {
    const VariableId u = group_[random.below(static_cast<std::uint32_t>(group_.size()))];
    const double step = random.uniform();
    if (step < to_better) {
      const std::size_t better = rank(u, options_.walk_max_rank);
      if (better > 0)
        any_of(pool_->parents(pool_->families(u)[random.below(static_cast<std::uint32_t>(better))]));
    } else if (step < to_parent) {
      any_of(network_.parents(u));
    } else if (step < to_child) {
      any_of(network_.arcs().children(u));
    } else {
      any_of(network_.tree().separator(u));
    }
  }
}

/// Releases a variable on every path from v to a parent in the target; false if that takes too many.
bool RegrowIsland::break_cycles(VariableId v, FamilyId target, RandomStream& random) {
  for (const VariableId p : pool_->parents(target)) {
    for (std::uint32_t num_cuts = 0;; ++num_cuts) {
      network_.mark_from(v);
      if (!network_.is_reached(p)) break;
      if (num_cuts == options_.max_cuts) return false;
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
      add_to_group(cut);
      network_.release(cut);
    }
  }
  return true;
}

bool RegrowIsland::select_towards(VariableId v, std::size_t size, RandomStream& random) {
  const auto better = static_cast<std::uint32_t>(rank(v, options_.target_max_rank));
  if (better == 0) return false;
  const FamilyId target = pool_->families(v)[std::min(random.below(better), random.below(better))];
  add_to_group(v);
  network_.release(v);
  if (!break_cycles(v, target, random)) return false;
  if (!network_.holds(target)) {
    const auto owners = network_.blocking_families(target);
    const auto num_owners = static_cast<std::uint32_t>(owners.size());
    for (std::size_t tries = 0;
         tries < options_.max_blocking_draws * size && group_.size() < size && num_owners > 0; ++tries)
      add_to_group(static_cast<VariableId>(owners[random.below(num_owners)]));
  }
  targets_.push_back({v, target});
  return true;
}

/// Starts from a variable whose parents differ in the other network and walks over such variables.
bool RegrowIsland::select_crossover(VariableId v, std::size_t size, RandomStream& random) {
  const auto differs = [&](VariableId u) {
    const auto here = network_.parents(u);
    const auto& there = (*other_)[u].parents;
    return here.size() != there.size() || !std::is_permutation(here.begin(), here.end(), there.begin());
  };
  const auto family_there = [&](VariableId u) {
    const ScoredFamily& there = (*other_)[u];
    return pool_->find_or_add(u, there.parents, there.score);
  };
  for (std::uint32_t tries = 0; !differs(v); ++tries) {
    if (tries == options_.max_crossover_starts) return false;
    v = random.below(pool_->num_variables());
  }
  add_to_group(v);
  for (std::size_t tries = 0;
       group_.size() < options_.crossover_factor * size && tries < options_.max_crossover_draws * size;
       ++tries) {
    const VariableId u = group_[random.below(static_cast<std::uint32_t>(group_.size()))];
    path_ = (*other_)[u].parents;
    path_.insert(path_.end(), network_.parents(u).begin(), network_.parents(u).end());
    path_.insert(path_.end(), network_.arcs().children(u).begin(), network_.arcs().children(u).end());
    if (path_.empty()) continue;
    const VariableId next = path_[random.below(static_cast<std::uint32_t>(path_.size()))];
    if (differs(next)) add_to_group(next);
  }
  for (const VariableId u : group_) targets_.push_back({u, family_there(u)});
  return true;
}

/// Releases the group and gives its members parents again.
void RegrowIsland::regrow(RandomStream& random) {
  for (const VariableId v : group_) network_.release(v);
  for (const Target& target : targets_) network_.place(target.variable, target.family);
  turns_.clear();
  for (const VariableId v : group_) {
    if (network_.chosen(v) != pool_->last_family(v)) continue;
    turns_.emplace_back(-max_gain(v) * std::exp(options_.turn_noise * random.uniform()), v);
  }
  std::sort(turns_.begin(), turns_.end());
  for (const auto& [turn, v] : turns_) network_.place_best(v, options_.max_tests);
}

/// Keeps the move or undoes it.
void RegrowIsland::accept_or_reject(double spent, RandomStream& random) {
  if (network_.has_hole()) return network_.take_back();
  const double gain = network_.gain();
  const double mean_loss = num_losses_ > 0 ? sum_of_losses_ / static_cast<double>(num_losses_) : 0;
  const double temperature = options_.initial_temperature * mean_loss * (1 - spent);
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
    const VariableId v = take_any(to_explore_, random);
    nearby_.clear();
    for (const std::int32_t u : network_.tree().separator(v)) nearby_.push_back(static_cast<VariableId>(u));
    for (const VariableId p : network_.parents(v)) {
      nearby_.push_back(p);
      for (const std::int32_t u : network_.tree().separator(p)) nearby_.push_back(static_cast<VariableId>(u));
    }
    for (const VariableId c : network_.arcs().children(v)) nearby_.push_back(c);
    if (!proposals_->explore(v, network_.chosen(v), nearby_, random)) continue;
    group_.assign(1, v);
    targets_.clear();
    regrow(random);
    accept_or_reject(1, random);
    return;
  }
}

/// Finds the best network inside the tree once the moves have saved up what this takes.
void RegrowIsland::improve_whole(RandomStream& random) {
  const double work_per_move = proposals_ ? options_.work_per_move_with_rows : options_.work_per_move;
  saved_work_ += work_per_move;
  if (saved_work_ < needed_work_) return;
  const bool is_better =
      tree_optimum_.improve(network_, proposals_.get(), std::max(saved_work_, work_per_move), random);
  needed_work_ = tree_optimum_.work();
  if (needed_work_ > saved_work_) return;
  saved_work_ = 0;
  if (is_better && proposals_)
    to_explore_.insert(to_explore_.end(), tree_optimum_.changed().begin(), tree_optimum_.changed().end());
}

/// Selects the group of a move that is not inside a bag; false if there is none.
bool RegrowIsland::select(double kind, VariableId v, std::size_t size, RandomStream& random) {
  if (other_ != nullptr && kind < options_.share_crossover) return select_crossover(v, size, random);
  if (kind < options_.share_towards) return select_towards(v, size, random);
  select_around(v, size, random);
  return true;
}

void RegrowIsland::move(double spent, RandomStream& random) {
  improve_whole(random);
  if (proposals_) explore_one(random);
  group_.clear();
  targets_.clear();
  const VariableId v = pick(random);
  const std::uint32_t max_group = proposals_ ? options_.max_group_with_rows : options_.max_group;
  const std::size_t size = options_.min_group + random.below(max_group - options_.min_group + 1);
  const double kind = random.uniform();
  if (kind >= 1 - options_.share_inside) {
    if (bag_optimum_.improve(network_, v, proposals_.get(), random)) accept_or_reject(spent, random);
    return;
  }
  if (select(kind, v, size, random)) {
    regrow(random);
    accept_or_reject(spent, random);
  } else {
    network_.take_back();
  }
  for (const VariableId u : group_) is_in_group_[u] = 0;
}

}  // namespace treebound
