#include "search/clique_policy.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace treebound {
namespace {
constexpr std::size_t kMaxPartners = 32;
}

CliqueChooser::CliqueChooser(const SearchProblem& problem, CliquePolicy policy) : policy_(policy) {
  if (policy == CliquePolicy::kPartners) list_partners(problem);
}

// An entry weighs 1 - relative loss: what its child keeps of its possible gain by having it.
void CliqueChooser::list_partners(const SearchProblem& problem) {
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

void CliqueChooser::insert(GrowingKTree& tree, VariableId v, std::span<const VariableId> parents,
                           RandomStream& random) {
  members_.assign(parents.begin(), parents.end());
  if (policy_ == CliquePolicy::kPartners) extend_by_partners(tree, v);
  if (members_.size() == tree.width()) return insert_at_members(tree, v);
  if (policy_ == CliquePolicy::kRandom) return insert_at_random(tree, v, random);
  insert_at_newest(tree, v);
}

void CliqueChooser::insert_at_members(GrowingKTree& tree, VariableId v) {
  const std::uint32_t* positions = tree.positions();
  std::sort(members_.begin(), members_.end(),
            [&](VariableId a, VariableId b) { return positions[a] < positions[b]; });
  tree.insert(v, members_);
}

void CliqueChooser::insert_at_random(GrowingKTree& tree, VariableId v, RandomStream& random) const {
  const auto num_inserted = static_cast<std::uint32_t>(tree.order().size());
  const VariableId w = tree.first_clique_of(members_.empty() ? tree.order()[random.below(num_inserted)]
                                                             : tree.latest(members_));
  auto skip = random.below(static_cast<std::uint32_t>(tree.width() + 1 - members_.size()));
  VariableId dropped = w;
  for (const VariableId u : tree.separator(w))
    if (!is_member(u) && skip-- == 0) dropped = u;
  tree.insert_beside(v, w, dropped);
}

void CliqueChooser::insert_at_newest(GrowingKTree& tree, VariableId v) const {
  const VariableId w = newest_holder(tree);
  for (const VariableId u : tree.separator(w))
    if (!is_member(u)) return tree.insert_beside(v, w, u);
  tree.insert_beside(v, w, w);
}

// Of a set in a clique and one more variable, the later of this variable and the latest of the set decides.
void CliqueChooser::extend_by_partners(const GrowingKTree& tree, VariableId v) {
  const std::uint32_t* positions = tree.positions();
  VariableId last = members_.empty() ? GrowingKTree::kNoVariable : tree.latest(members_);
  for (std::uint32_t i = partner_offsets_[v]; i < partner_offsets_[v + 1]; ++i) {
    if (members_.size() == tree.width()) return;
    const VariableId u = partners_[i];
    if (positions[u] == GrowingKTree::kNotInserted || is_member(u)) continue;
    const bool is_later = members_.empty() || positions[u] > positions[last];
    if (is_later ? !tree.clique_holds(u, members_) : !tree.is_in_separator(u, last)) continue;
    members_.push_back(u);
    if (is_later) last = u;
  }
}

VariableId CliqueChooser::newest_holder(const GrowingKTree& tree) const {
  if (members_.empty()) return tree.order().back();
  if (members_.size() == 1) return tree.newest_clique_of(members_[0]);
  VariableId newest = tree.first_clique_of(tree.latest(members_));
  for (const VariableId u : members_) {
    const VariableId w = tree.newest_clique_of(u);
    if (tree.positions()[w] > tree.positions()[newest] && tree.clique_holds(w, members_)) newest = w;
  }
  return newest;
}

bool CliqueChooser::is_member(VariableId u) const {
  for (const VariableId member : members_)
    if (member == u) return true;
  return false;
}

}  // namespace treebound
