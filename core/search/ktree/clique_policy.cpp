#include "search/ktree/clique_policy.hpp"

#include <algorithm>
#include <utility>

#include "search/ktree/parent_index.hpp"

namespace treebound {
namespace {

using Members = std::span<const VariableId>;  // what the separator must hold

constexpr std::size_t kMaxPartners = 32;

bool contains(Members members, VariableId u) {
  for (const VariableId member : members)
    if (member == u) return true;
  return false;
}

// Of an empty list what stands at its beginning can be read too (see SearchProblem::parents), so the
// processor need not guess whether there is a member.
void insert_at_random(GrowingKTree& tree, VariableId v, Members members, RandomStream& random) {
  const auto num_members = static_cast<std::uint32_t>(members.size());
  auto [place, dropped] =
      random.two_below(static_cast<std::uint32_t>(tree.order().size()), tree.width() + 1 - num_members);
  const VariableId first = *members.data();
  const VariableId latest = num_members > 1 ? tree.latest(members) : first;
  const VariableId w = tree.first_clique_of(num_members == 0 ? tree.order()[place] : latest);
  // The latest member is mostly w itself, behind its separator.
  if (num_members > 1 || (num_members == 1 && first != w))
    for (std::uint32_t i = 0; i <= dropped; ++i)
      if (i < tree.width() && contains(members, tree.separator(w)[i])) ++dropped;
  tree.insert_beside(v, w, dropped);
}

VariableId newest_holder(const GrowingKTree& tree, Members members) {
  if (members.empty()) return tree.order().back();
  if (members.size() == 1) return tree.newest_clique_of(members[0]);
  VariableId newest = tree.first_clique_of(tree.latest(members));
  for (const VariableId u : members) {
    const VariableId w = tree.newest_clique_of(u);
    if (tree.positions()[w] > tree.positions()[newest] && tree.clique_holds(w, members)) newest = w;
  }
  return newest;
}

void insert_at_newest(GrowingKTree& tree, VariableId v, Members members) {
  const VariableId w = newest_holder(tree, members);
  const VariableId* separator = tree.separator(w).data();
  std::size_t earliest = 0;
  while (earliest < tree.width() && contains(members, separator[earliest])) ++earliest;
  tree.insert_beside(v, w, earliest);
}

}  // namespace

Partners::Partners(const SearchProblem& problem, CliquePolicy policy)
    : offsets_(problem.num_variables() + 1) {
  if (policy != CliquePolicy::kPartners) return;
  const std::uint32_t n = problem.num_variables();
  const ParentIndex index(problem);
  // One variable at a time: the weights of all pairs at once took gigabytes at ten thousand variables.
  std::vector<double> weights(n, 0);
  std::vector<std::uint8_t> is_partner(n, 0);
  std::vector<std::pair<double, VariableId>> ranked;
  for (VariableId v = 0; v < n; ++v) {
    ranked.clear();
    for (const auto& [child, entry] : index.of(v)) {
      const double weight = 1.0 - static_cast<double>(problem.relative_loss(entry));
      for (const VariableId u : problem.parents(entry)) {
        if (u == v) continue;
        if (!std::exchange(is_partner[u], 1)) ranked.emplace_back(0, u);
        weights[u] += weight;
      }
    }
    for (auto& [rank, u] : ranked) {
      rank = -std::exchange(weights[u], 0);
      is_partner[u] = 0;
    }
    std::sort(ranked.begin(), ranked.end());
    ranked.resize(std::min(ranked.size(), kMaxPartners));
    for (const auto& partner : ranked) partners_.push_back(partner.second);
    offsets_[v + 1] = static_cast<std::uint32_t>(partners_.size());
  }
}

void CliqueChooser::insert(GrowingKTree& tree, VariableId v, std::span<const VariableId> parents,
                           RandomStream& random) {
  const Members members = policy_ == CliquePolicy::kPartners ? extended(tree, v, parents) : parents;
  if (members.size() == tree.width()) return insert_at_members(tree, v, members);
  if (policy_ == CliquePolicy::kRandom) return insert_at_random(tree, v, members, random);
  insert_at_newest(tree, v, members);
}

void CliqueChooser::insert_at_members(GrowingKTree& tree, VariableId v, Members members) {
  const std::uint32_t* positions = tree.positions();
  if (members.data() != members_.data()) members_.assign(members.begin(), members.end());
  std::sort(members_.begin(), members_.end(),
            [&](VariableId a, VariableId b) { return positions[a] < positions[b]; });
  tree.insert(v, members_);
}

// Of a set in a clique and one more variable, the later of this variable and the latest of the set decides.
// Only a variable that is not later can be a member already.
Members CliqueChooser::extended(const GrowingKTree& tree, VariableId v, Members parents) {
  const auto partners = partners_.of(v);
  const std::size_t width = tree.width();
  if (partners.empty() || parents.size() == width) return parents;
  const std::uint32_t* positions = tree.positions();
  members_.resize(width);
  VariableId* members = members_.data();
  std::copy(parents.begin(), parents.end(), members);
  std::size_t size = parents.size();
  VariableId last = size == 0 ? GrowingKTree::kNoVariable : tree.latest(parents);
  for (const VariableId u : partners) {
    if (positions[u] == GrowingKTree::kNotInserted) continue;
    const bool is_later = size == 0 || positions[u] > positions[last];
    if (is_later ? !tree.clique_holds(u, {members, size})
                 : !tree.is_in_clique(u, last) || contains({members, size}, u))
      continue;
    members[size++] = u;
    if (size == width) break;
    if (is_later) last = u;
  }
  return {members, size};
}

}  // namespace treebound
