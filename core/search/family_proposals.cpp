#include "search/family_proposals.hpp"

#include <algorithm>
#include <limits>

#include "scoring/set_index.hpp"

namespace treebound {
namespace {

// Single parents tried as further ones; beyond these a gain is rare, and bags bring in others.
constexpr std::size_t kNumFavourites = 32;
// Families remembered as scored; a later one may take the place of an earlier, which is then scored again.
constexpr std::size_t kNumSeen = std::size_t{1} << 20;

}  // namespace

FamilyProposals::FamilyProposals(const Dataset& data, const LocalScore& score, FamilyPool& pool,
                                 std::uint32_t max_parents, double max_states)
    : data_(&data),
      pool_(&pool),
      scorer_(data, score),
      max_parents_(max_parents),
      max_states_(max_states),
      favourites_(pool.num_variables()),
      seen_(kNumSeen, 0) {
  for (VariableId v = 0; v < pool.num_variables(); ++v) {
    for (const EntryId entry : pool.entries(v)) is_new(v, pool.parents(entry));
    for (const EntryId entry : pool.entries(v)) {
      if (pool.parents(entry).size() == 1) favourites_[v].push_back(pool.parents(entry)[0]);
      if (favourites_[v].size() == kNumFavourites) break;
    }
  }
}

bool FamilyProposals::is_allowed(VariableId v, std::span<const VariableId> parents) const {
  if (parents.size() > max_parents_) return false;
  double states = data_->cardinality(v);
  for (const VariableId p : parents) states *= data_->cardinality(p);
  return states <= max_states_;
}

/// Whether the family is not among those remembered; it is from now on.
bool FamilyProposals::is_new(VariableId v, std::span<const VariableId> parents) {
  const std::uint64_t hash = set_hash(parents) + 3 * member_hash(v);
  std::uint64_t& place = seen_[hash % kNumSeen];
  if (place == hash) return false;
  place = hash;
  return true;
}

/// Scores a set that is new and keeps it if it beats `floor` and the empty set.
bool FamilyProposals::offer(VariableId v, std::span<const VariableId> parents, double floor) {
  if (!is_allowed(v, parents) || !is_new(v, parents)) return false;
  const double score = scorer_.score(parents);
  if (score <= std::max(floor, pool_->score(pool_->empty_entry(v)))) return false;
  if (pool_->find(v, parents) == FamilyPool::kNone) pool_->add(v, parents, score);
  return true;
}

bool FamilyProposals::explore(VariableId v, EntryId entry, std::span<const VariableId> companions,
                              RandomStream& random) {
  if (is_explored_.size() <= entry) is_explored_.resize(entry + 1);
  if (is_explored_[entry]) return false;
  is_explored_[entry] = 1;
  const auto parents = pool_->parents(entry);
  base_.assign(parents.begin(), parents.end());
  const double floor = pool_->score(entry);
  further_ = favourites_[v];
  for (const VariableId u : companions)
    if (std::find(further_.begin(), further_.end(), u) == further_.end()) further_.push_back(u);
  std::erase_if(further_, [&](VariableId u) {
    return u == v || std::find(base_.begin(), base_.end(), u) != base_.end();
  });

  scorer_.begin(v);
  bool has_grown = false;
  set_ = base_;
  set_.push_back(0);
  for (const VariableId u : further_) {
    set_.back() = u;
    has_grown |= offer(v, set_, floor);
  }
  if (base_.size() < 2) return has_grown;
  // Sharing the beginning of the sets saves passes over the data, so the one to leave goes last.
  std::swap(base_.back(), base_[random.below(static_cast<std::uint32_t>(base_.size()))]);
  set_ = base_;
  for (const VariableId u : further_) {
    set_.back() = u;
    has_grown |= offer(v, set_, floor);
  }
  for (std::size_t i = 0; i < base_.size(); ++i) {
    set_ = base_;
    set_.erase(set_.begin() + static_cast<std::ptrdiff_t>(i));
    has_grown |= offer(v, set_, -std::numeric_limits<double>::infinity());
  }
  return has_grown;
}

}  // namespace treebound
