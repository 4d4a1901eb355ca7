#include "search/regrow/family_proposals.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "scoring/set_index.hpp"

namespace treebound {
namespace {

// Single parents tried as further ones; beyond these a gain is rare, and bags bring in others.
constexpr std::size_t kNumFavourites = 32;
// One exploration in this many looks beyond favourites and nearby variables, at up to so many variables.
constexpr std::uint32_t kTurnsPerWide = 4;
constexpr std::size_t kMaxTrials = 1024;
constexpr double kNothing = -std::numeric_limits<double>::infinity();
// Families remembered as scored; a later one may take the place of an earlier, which is then scored again.
constexpr std::size_t kNumSeen = std::size_t{1} << 20;

}  // namespace

FamilyProposals::FamilyProposals(FamilyPool& pool, std::size_t max_added)
    : pool_(&pool),
      scorer_(*pool.problem().source().data, *pool.problem().source().score),
      bag_scores_(*pool.problem().source().data, *pool.problem().source().score),
      max_added_(max_added),
      favourites_(pool.num_variables()),
      seen_(kNumSeen, 0) {
  for (VariableId v = 0; v < pool.num_variables(); ++v) {
    for (const FamilyId family : pool.families(v)) is_new(v, pool.parents(family));
    for (const FamilyId family : pool.families(v)) {
      if (pool.parents(family).size() == 1) favourites_[v].push_back(pool.parents(family)[0]);
      if (favourites_[v].size() == kNumFavourites) break;
    }
  }
}

/// Whether the family is not among those remembered; it is from now on.
bool FamilyProposals::is_new(VariableId v, std::span<const VariableId> parents) {
  const std::uint64_t hash = set_hash(parents) + 3 * member_hash(v);
  std::uint64_t& place = seen_[hash % kNumSeen];
  if (place == hash) return false;
  place = hash;
  return true;
}

/// Scores a set that is allowed and new, and keeps it if it beats `floor` and the least allowed set; minus
/// infinity if it is not.
double FamilyProposals::offer(VariableId v, std::span<const VariableId> parents, double floor) {
  if (!pool_->problem().allows(v, parents) || !is_new(v, parents)) return kNothing;
  const double score = scorer_.score(parents);
  if (score > std::max(floor, pool_->score(pool_->least_family(v))) && pool_->num_added() < max_added_ &&
      pool_->find(v, parents, score) == kNoFamily) {
    pool_->add(v, parents, score);
    has_grown_ = true;
  }
  return score;
}

const BagScores* FamilyProposals::scores_inside(std::span<const VariableId> bag) {
  if (pool_->num_added() + bag.size() > max_added_ || !bag_scores_.is_countable(bag)) return nullptr;
  bag_scores_.count(bag);
  return &bag_scores_;
}

/// Further parents to try next to base_, each once.
void FamilyProposals::gather_further(VariableId v, std::span<const VariableId> nearby, bool is_wide,
                                     RandomStream& random) {
  const std::uint32_t n = pool_->num_variables();
  further_ = favourites_[v];
  further_.insert(further_.end(), nearby.begin(), nearby.end());
  if (is_wide && n <= kMaxTrials) {
    further_.resize(n);
    std::iota(further_.begin(), further_.end(), 0u);
  } else if (is_wide) {
    while (further_.size() < kMaxTrials) further_.push_back(random.below(n));
  }
  std::sort(further_.begin(), further_.end());
  further_.erase(std::unique(further_.begin(), further_.end()), further_.end());
  std::erase_if(further_, [&](VariableId u) {
    return u == v || !pool_->problem().rules().allows_parent(v, u) ||
           std::find(base_.begin(), base_.end(), u) != base_.end();
  });
}

/// Puts the best of the trials before the earlier favourites.
void FamilyProposals::learn_favourites(VariableId v) {
  const std::size_t num_new = std::min(trials_.size(), kNumFavourites / 2);
  std::partial_sort(trials_.begin(), trials_.begin() + static_cast<std::ptrdiff_t>(num_new), trials_.end(),
                    [](const Trial& a, const Trial& b) {
                      return a.score != b.score ? a.score > b.score : a.parent < b.parent;
                    });
  auto& favourites = favourites_[v];
  for (std::size_t i = 0; i < num_new; ++i) {
    std::erase(favourites, trials_[i].parent);
    favourites.insert(favourites.begin() + static_cast<std::ptrdiff_t>(i), trials_[i].parent);
  }
  if (favourites.size() > kNumFavourites) favourites.resize(kNumFavourites);
}

bool FamilyProposals::explore(VariableId v, FamilyId family, std::span<const VariableId> nearby,
                              RandomStream& random) {
  const auto index = static_cast<std::size_t>(family);
  if (is_explored_.size() <= index) is_explored_.resize(index + 1);
  if (is_explored_[index]) return false;
  is_explored_[index] = 1;
  const auto parents = pool_->parents(family);
  base_.assign(parents.begin(), parents.end());
  const double floor = pool_->score(family);
  const bool is_wide = random.below(kTurnsPerWide) == 0;
  gather_further(v, nearby, is_wide, random);

  scorer_.begin(v);
  has_grown_ = false;
  trials_.clear();
  set_ = base_;
  set_.push_back(0);
  for (const VariableId u : further_) {
    set_.back() = u;
    trials_.push_back({offer(v, set_, floor), u});
  }
  if (is_wide) learn_favourites(v);
  if (base_.size() < 2) return has_grown_;
  // Sharing the beginning of the sets saves passes over the data, so the one to exchange goes last.
  std::swap(base_.back(), base_[random.below(static_cast<std::uint32_t>(base_.size()))]);
  if (is_wide) gather_further(v, nearby, false, random);
  set_ = base_;
  for (const VariableId u : further_) {
    set_.back() = u;
    offer(v, set_, floor);
  }
  for (std::size_t i = 0; i < base_.size(); ++i) {
    set_ = base_;
    set_.erase(set_.begin() + static_cast<std::ptrdiff_t>(i));
    offer(v, set_, kNothing);
  }
  return has_grown_;
}

}  // namespace treebound
