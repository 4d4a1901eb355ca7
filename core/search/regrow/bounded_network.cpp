#include "search/regrow/bounded_network.hpp"

#include <algorithm>
#include <cassert>

#include "base/asserts.hpp"

namespace treebound {
namespace {

/// Families that are tested before all descendants are marked: often one of the best fits, and marking takes
/// the longer the more variables there are.
std::size_t num_before_marking(std::size_t num_variables) {
  return std::max<std::size_t>(8, num_variables / 16);
}

}  // namespace

BoundedNetwork::BoundedNetwork(const FamilyPool& pool)
    : pool_(&pool),
      arcs_(pool.num_variables(), log_),
      tree_(pool.num_variables(), pool.problem().bound(), pool.problem().cardinalities(), log_) {
  std::vector<FamilyId> least;
  for (VariableId v = 0; v < pool.num_variables(); ++v) {
    chosen_.push_back(pool.last_family(v));
    least.push_back(pool.least_family(v));
  }
  if (least != chosen_) load(least, pool.problem().least_order());
}

void BoundedNetwork::load(std::span<const FamilyId> chosen, std::span<const VariableId> elimination_order) {
  assert(chosen.size() == pool_->num_variables());
  for (VariableId v = 0; v < pool_->num_variables(); ++v) release(v);
  tree_.build(elimination_order, [&](VariableId v) { return pool_->members(chosen[v]); });
  for (VariableId v = 0; v < pool_->num_variables(); ++v) {
    arcs_.add(v, pool_->parents(chosen[v]));
    chosen_[v] = chosen[v];
  }
  keep();
}

void BoundedNetwork::release(VariableId v) {
  const FamilyId empty = pool_->last_family(v);
  if (chosen_[v] == empty) return;
  changes_.push_back({v, chosen_[v]});
  arcs_.remove(v, parents(v));
  tree_.remove(v);
  gain_ += pool_->score(empty) - pool_->score(chosen_[v]);
  chosen_[v] = empty;
}

bool BoundedNetwork::is_acyclic(std::span<const VariableId> parents) {
  return std::none_of(parents.begin(), parents.end(), [&](VariableId p) { return arcs_.is_descendant(p); });
}

void BoundedNetwork::choose(VariableId v, FamilyId family) {
  changes_.push_back({v, chosen_[v]});
  tree_.add(v, pool_->members(family));
  arcs_.add(v, pool_->parents(family));
  gain_ += pool_->score(family) - pool_->score(chosen_[v]);
  chosen_[v] = family;
}

bool BoundedNetwork::place(VariableId v, FamilyId family) {
  assert(is_released(v) && pool_->members(family)[0] == v);
  if (family == pool_->last_family(v)) return true;
  arcs_.mark_from(v);
  if (!is_acyclic(pool_->parents(family)) || !tree_.cover(pool_->members(family))) return false;
  choose(v, family);
  return true;
}

/// Gives v a family that closes no cycle, if the tree can cover it and this is worth a test.
bool BoundedNetwork::try_family(VariableId v, FamilyId family, std::uint32_t max_tests,
                                std::uint32_t& num_failed) {
  const auto members = pool_->members(family);
  if (num_failed < max_tests) {
    const auto outcome = tree_.cover_if_likely(members);
    num_failed += outcome == EliminationTree::Outcome::kFailed;
    if (outcome != EliminationTree::Outcome::kCovered) return false;
  } else if (!tree_.holds(members)) {
    return false;
  }
  choose(v, family);
  return true;
}

void BoundedNetwork::place_best(VariableId v, std::uint32_t max_tests) {
  assert(is_released(v));
  std::uint32_t num_failed = 0;
  const auto families = pool_->families(v).first(pool_->families(v).size() - 1);  // that have parents
  const std::size_t num_few = std::min(families.size(), num_before_marking(pool_->num_variables()));
  arcs_.mark_from(v);
  for (const FamilyId family : families.first(num_few))
    if (is_acyclic(pool_->parents(family)) && try_family(v, family, max_tests, num_failed)) return;
  if (families.size() == num_few) return;
  pool_->for_each_unmarked(v, arcs_.all_descendants(v), num_few, [&](FamilyId family) {
    return family == pool_->last_family(v) || try_family(v, family, max_tests, num_failed);
  });
}

void BoundedNetwork::keep() {
  TREEBOUND_ASSERT_VALID(*this);
  log_.forget();
  gain_ = 0;
  changes_.clear();
}

void BoundedNetwork::take_back() {
  for (const Change& change : changes_) {
    arcs_.remove(change.variable, parents(change.variable));
    chosen_[change.variable] = pool_->last_family(change.variable);
  }
  log_.roll_back(0);
  // A variable may have changed more than once: the earliest change restores what it had.
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change)
    chosen_[change->variable] = change->before;
  for (const Change& change : changes_)
    if (!arcs_.has_parents(change.variable)) arcs_.add(change.variable, parents(change.variable));
  changes_.clear();
  gain_ = 0;
  TREEBOUND_ASSERT_VALID(*this);
}

bool BoundedNetwork::is_valid() const {
  for (VariableId v = 0; v < pool_->num_variables(); ++v) {
    if (pool_->members(chosen_[v])[0] != v || arcs_.has_parents(v) == is_released(v)) return false;
    if (!std::ranges::all_of(parents(v), [&](VariableId p) {
          const auto children = arcs_.children(p);
          return std::ranges::find(children, v) != children.end();
        }))
      return false;
    if (!is_released(v) && !tree_.holds(pool_->members(chosen_[v]))) return false;
  }
  return arcs_.is_valid() && tree_.is_valid();
}

}  // namespace treebound
