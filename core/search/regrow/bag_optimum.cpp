#include "search/regrow/bag_optimum.hpp"

#include <algorithm>
#include <cmath>

namespace treebound {

BagOptimum::BagOptimum(const SearchProblem& problem)
    : problem_(&problem), slots_(problem.num_variables()), is_outside_(problem.num_variables() + 1, 1) {
  is_outside_.back() = 0;
}

bool BagOptimum::is_inside(std::span<const VariableId> variables) const {
  return std::all_of(variables.begin(), variables.end(), [&](VariableId v) { return is_outside_[v] == 0; });
}

BagOptimum::Mask BagOptimum::to_mask(std::span<const VariableId> variables) const {
  Mask mask = 0;
  for (const VariableId v : variables) mask |= Mask{1} << slots_[v];
  return mask;
}

/// Adds members of the bag above, all with equal probability, until there is no more room. Bags whose states
/// are bounded, or that are too large to be counted when full, stay as they are.
void BagOptimum::fill_bag(const EliminationTree& tree, VariableId u, RandomStream& random) {
  const std::int32_t above = tree.parent(u);
  const auto [max_treewidth, max_cells] = problem_->bound();
  if (above < 0 || max_cells < HUGE_VAL || max_treewidth >= BagScores::kMaxMembers) return;
  // Its own variable is here already.
  candidates_.clear();
  for (const std::int32_t w : tree.separator(static_cast<VariableId>(above)))
    if (std::ranges::find(members_, static_cast<VariableId>(w)) == members_.end())
      candidates_.push_back(static_cast<VariableId>(w));
  while (members_.size() <= max_treewidth && !candidates_.empty())
    members_.push_back(take_any(candidates_, random));
}

void BagOptimum::collect_choices(const FamilyPool& pool) {
  choices_.resize(std::max(choices_.size(), members_.size()));
  for (std::size_t i = 0; i < members_.size(); ++i) {
    choices_[i].clear();
    if (!is_free_[i]) continue;
    pool.for_each_unmarked(members_[i], is_outside_.data(), 0, [&](FamilyId family) {
      choices_[i].push_back({to_mask(pool.parents(family)), family});
      return false;
    });
  }
}

/// With the free members released, paths from one member to another lead through variables outside.
void BagOptimum::collect_order(BoundedNetwork& network) {
  before_.assign(members_.size(), 0);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    network.mark_from(members_[i]);
    for (std::size_t j = 0; j < members_.size(); ++j)
      if (j != i && network.is_reached(members_[j])) before_[j] |= Mask{1} << i;
  }
}

/// Chooses for the free members, where score_of(i, placed) and family_of(i, placed) give the best family
/// of member i with parents among those placed.
template <typename ScoreOf, typename FamilyOf>
void BagOptimum::solve(ScoreOf score_of, FamilyOf family_of) {
  const auto order = program_.best_order(members_.size(), [&](std::uint32_t i, Mask placed) {
    if ((before_[i] & ~placed) != 0) return SubsetProgram::kForbidden;
    return is_free_[i] ? score_of(i, placed) : 0;
  });
  chosen_.assign(members_.size(), kNoFamily);
  Mask placed = 0;
  for (const std::uint8_t i : order) {
    if (is_free_[i]) chosen_[i] = family_of(i, placed);
    placed |= Mask{1} << i;
  }
}

void BagOptimum::choose_listed(const FamilyPool& pool) {
  const auto family_of = [&](std::size_t i, Mask placed) { return first_inside(choices_[i], placed).id; };
  solve([&](std::size_t i, Mask placed) { return pool.score(family_of(i, placed)); }, family_of);
}

/// Among all sets inside the bag; what is chosen joins the pool.
void BagOptimum::choose_scored(FamilyProposals& proposals) {
  solve([&](std::size_t i, Mask placed) { return best_inside_.of(i, placed).score; },
        [&](std::size_t i, Mask placed) {
          const auto [score, parents] = best_inside_.of(i, placed);
          write_members(members_, parents, parents_);
          return proposals.join(members_[i], parents_, score);
        });
}

bool BagOptimum::improve(BoundedNetwork& network, VariableId u, FamilyProposals* proposals,
                         RandomStream& random) {
  const auto separator = network.tree().separator(u);
  if (separator.empty() || separator.size() >= kMaxMembers) return false;
  members_.assign(1, u);
  for (const std::int32_t v : separator) members_.push_back(static_cast<VariableId>(v));
  const BagScores* scores = nullptr;
  if (proposals != nullptr) {
    fill_bag(network.tree(), u, random);
    std::ranges::sort(members_);
    scores = proposals->scores_inside(members_);
  }
  for (std::size_t i = 0; i < members_.size(); ++i) {
    slots_[members_[i]] = static_cast<std::uint8_t>(i);
    is_outside_[members_[i]] = 0;
  }
  is_free_.clear();
  for (const VariableId v : members_) is_free_.push_back(is_inside(network.parents(v)));
  if (scores != nullptr)
    best_inside_.fill(*scores, *problem_, members_);
  else
    collect_choices(network.pool());
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (is_free_[i]) network.release(members_[i]);
  collect_order(network);
  if (scores != nullptr)
    choose_scored(*proposals);
  else
    choose_listed(network.pool());
  // The larger sets first: once they are placed, some bag holds the smaller ones.
  std::vector<std::size_t> turns;
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (is_free_[i]) turns.push_back(i);
  std::stable_sort(turns.begin(), turns.end(), [&](std::size_t a, std::size_t b) {
    return network.pool().parents(chosen_[a]).size() > network.pool().parents(chosen_[b]).size();
  });
  for (const std::size_t i : turns) network.place(members_[i], chosen_[i]);
  for (const VariableId v : members_) is_outside_[v] = 1;
  return true;
}

}  // namespace treebound
