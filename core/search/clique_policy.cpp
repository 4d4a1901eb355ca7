#include "search/clique_policy.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace treebound {
namespace {
constexpr std::size_t kMaxPartners = 32;
}

SeparatorChooser::SeparatorChooser(const SearchProblem& problem, CliquePolicy policy) : policy_(policy) {
  if (policy == CliquePolicy::kPartners) list_partners(problem);
}

// An entry weighs 1 - relative loss: what its child keeps of its possible gain by having it.
void SeparatorChooser::list_partners(const SearchProblem& problem) {
  const std::uint32_t n = problem.num_variables();
  std::vector<std::unordered_map<VariableId, double>> weights(n);
  for (EntryId entry = 0; entry < problem.num_entries(); ++entry) {
    const auto parents = problem.parents(entry);
    const double weight = 1.0 - static_cast<double>(problem.relative_loss(entry));
    for (const VariableId u : parents)
      for (const VariableId w : parents)
        if (u != w) weights[u][w] += weight;
  }
  partner_offsets_.push_back(0);
  for (VariableId v = 0; v < n; ++v) {
    std::vector<std::pair<double, VariableId>> ranked;
    for (const auto& [u, weight] : weights[v]) ranked.emplace_back(-weight, u);
    std::sort(ranked.begin(), ranked.end());
    ranked.resize(std::min(ranked.size(), kMaxPartners));
    for (const auto& partner : ranked) partners_.push_back(partner.second);
    partner_offsets_.push_back(static_cast<std::uint32_t>(partners_.size()));
  }
}

std::span<const VariableId> SeparatorChooser::choose(const GrowingKTree& tree, VariableId v,
                                                     std::span<const VariableId> parents,
                                                     RandomStream& random) {
  const std::size_t k = tree.width();
  if (parents.size() == k) return parents;
  members_.assign(parents.begin(), parents.end());
  if (policy_ == CliquePolicy::kRandom) {
    const auto num_inserted = static_cast<std::uint32_t>(tree.order().size());
    const VariableId w = parents.empty() ? tree.order()[random.below(num_inserted)] : tree.latest(members_);
    return leave_out(w, tree, random_outside(w, tree, random));
  }
  if (policy_ == CliquePolicy::kPartners) extend_by_partners(tree, v);
  if (members_.size() == k) return members_;
  const VariableId w = newest_holder(tree);
  return leave_out(w, tree, earliest_outside(w, tree));
}

void SeparatorChooser::extend_by_partners(const GrowingKTree& tree, VariableId v) {
  for (std::uint32_t i = partner_offsets_[v]; i < partner_offsets_[v + 1]; ++i) {
    if (members_.size() == tree.width()) return;
    const VariableId u = partners_[i];
    if (!tree.is_inserted(u) || is_member(u)) continue;
    members_.push_back(u);
    if (!tree.holds(members_)) members_.pop_back();
  }
}

VariableId SeparatorChooser::newest_holder(const GrowingKTree& tree) const {
  if (members_.empty()) return tree.order().back();
  VariableId newest = tree.latest(members_);
  for (const VariableId u : members_) {
    const VariableId w = tree.newest_clique_of(u);
    if (tree.positions()[w] > tree.positions()[newest] && tree.clique_holds(w, members_)) newest = w;
  }
  return newest;
}

bool SeparatorChooser::is_member(VariableId u) const {
  return std::find(members_.begin(), members_.end(), u) != members_.end();
}

VariableId SeparatorChooser::earliest_outside(VariableId w, const GrowingKTree& tree) const {
  VariableId earliest = w;
  bool is_found = !is_member(w);
  for (const VariableId u : tree.separator(w)) {
    if (is_member(u)) continue;
    if (!is_found || tree.positions()[u] < tree.positions()[earliest]) earliest = u;
    is_found = true;
  }
  return earliest;
}

VariableId SeparatorChooser::random_outside(VariableId w, const GrowingKTree& tree,
                                            RandomStream& random) const {
  auto skip = random.below(static_cast<std::uint32_t>(tree.width() + 1 - members_.size()));
  if (!is_member(w) && skip-- == 0) return w;
  for (const VariableId u : tree.separator(w))
    if (!is_member(u) && skip-- == 0) return u;
  return w;
}

std::span<const VariableId> SeparatorChooser::leave_out(VariableId w, const GrowingKTree& tree,
                                                        VariableId dropped) {
  separator_.clear();
  if (w != dropped) separator_.push_back(w);
  for (const VariableId u : tree.separator(w))
    if (u != dropped) separator_.push_back(u);
  return separator_;
}

}  // namespace treebound
