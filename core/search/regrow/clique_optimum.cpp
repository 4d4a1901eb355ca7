#include "search/regrow/clique_optimum.hpp"

#include <algorithm>
#include <limits>

namespace treebound {

bool CliqueOptimum::is_inside(std::span<const VariableId> variables) const {
  return std::all_of(variables.begin(), variables.end(),
                     [&](VariableId v) { return places_[v] != kOutside; });
}

CliqueOptimum::Mask CliqueOptimum::to_mask(std::span<const VariableId> variables) const {
  Mask mask = 0;
  for (const VariableId v : variables) mask |= Mask{1} << places_[v];
  return mask;
}

void CliqueOptimum::collect_choices(const BoundedNetwork& network) {
  choices_.resize(std::max(choices_.size(), members_.size()));
  for (std::size_t i = 0; i < members_.size(); ++i) {
    choices_[i].clear();
    if (!is_free_[i]) continue;
    for (const EntryId entry : network.pool().entries(members_[i])) {
      const auto parents = network.pool().parents(entry);
      if (is_inside(parents)) choices_[i].push_back({to_mask(parents), entry});
    }
  }
}

/// With the free members released, paths from one member to another lead through the outside.
void CliqueOptimum::collect_order(BoundedNetwork& network) {
  before_.assign(members_.size(), 0);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    network.mark_from(members_[i]);
    for (std::size_t j = 0; j < members_.size(); ++j)
      if (j != i && network.is_reached(members_[j])) before_[j] |= Mask{1} << i;
  }
}

void CliqueOptimum::solve(const FamilyPool& pool) {
  const std::size_t n = members_.size();
  const Mask all = (Mask{1} << n) - 1;
  const auto best_choice = [&](std::size_t i, Mask placed) {
    return *std::find_if(choices_[i].begin(), choices_[i].end(),
                         [&](const Choice& choice) { return (choice.parents & ~placed) == 0; });
  };
  best_.assign(all + 1, -std::numeric_limits<double>::infinity());
  last_.assign(all + 1, kOutside);
  best_[0] = 0;
  for (Mask placed = 0; placed < all; ++placed) {
    for (std::size_t i = 0; i < n; ++i) {
      if ((placed >> i & 1) != 0 || (before_[i] & ~placed) != 0) continue;
      const double gain = is_free_[i] ? pool.score(best_choice(i, placed).entry) : 0;
      const Mask next = placed | Mask{1} << i;
      if (best_[placed] + gain <= best_[next]) continue;
      best_[next] = best_[placed] + gain;
      last_[next] = static_cast<std::uint8_t>(i);
    }
  }
  chosen_.assign(n, FamilyPool::kNone);
  for (Mask placed = all; placed != 0;) {
    const std::uint8_t i = last_[placed];
    placed &= ~(Mask{1} << i);
    if (is_free_[i]) chosen_[i] = best_choice(i, placed).entry;
  }
}

bool CliqueOptimum::improve(BoundedNetwork& network, VariableId u) {
  const auto above = network.tree().above(u);
  if (above.empty() || above.size() >= kMaxMembers) return false;
  members_.assign(1, u);
  for (const std::int32_t v : above) members_.push_back(static_cast<VariableId>(v));
  for (std::size_t i = 0; i < members_.size(); ++i) places_[members_[i]] = static_cast<std::uint8_t>(i);
  is_free_.clear();
  for (const VariableId v : members_) is_free_.push_back(is_inside(network.parents(v)));
  collect_choices(network);
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (is_free_[i]) network.release(members_[i]);
  collect_order(network);
  solve(network.pool());
  // The larger sets first: they hold the clique together while the smaller ones come in.
  std::vector<std::size_t> turns;
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (is_free_[i]) turns.push_back(i);
  std::stable_sort(turns.begin(), turns.end(), [&](std::size_t a, std::size_t b) {
    return network.pool().parents(chosen_[a]).size() > network.pool().parents(chosen_[b]).size();
  });
  for (const std::size_t i : turns) network.place(members_[i], chosen_[i]);
  for (const VariableId v : members_) places_[v] = kOutside;
  return true;
}

}  // namespace treebound
