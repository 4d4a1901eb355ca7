// EliminationTree::is_valid: recounts everything that the tree keeps up to date.
#include <algorithm>

#include "search/elimination/elimination_tree.hpp"

namespace treebound {

/// The separators are within the bound, the parent of u is the lowest of its separator, and the others are in
/// the separator of the parent; no cycle leads upwards.
bool EliminationTree::are_bags_valid() const {
  for (VariableId u = 0; u < num_variables_; ++u) {
    const auto members = separator(u);
    if (members.size() > bound_.max_treewidth) return false;
    double states = states_.empty() ? 1 : states_[u];
    for (const std::int32_t w : members) {
      if (w < 0 || w >= static_cast<std::int32_t>(num_variables_) || w == static_cast<std::int32_t>(u))
        return false;
      if (std::ranges::count(members, w) != 1) return false;
      if (w != up_[u] && !is_in_separator(up_[u], w)) return false;
      if (!states_.empty()) states *= states_[static_cast<std::size_t>(w)];
    }
    if (states > bound_.max_cells && !members.empty()) return false;
    if (members.empty() ? up_[u] != kNone : std::ranges::count(members, up_[u]) != 1) return false;
  }
  return elimination_order().size() == num_variables_;
}

/// Every member of a separator has as many supports as there are families registered at the node and children
/// that need it, and at least one.
bool EliminationTree::are_supports_valid() const {
  std::vector<std::int32_t> supports(support_.size(), 0);
  bool is_found = true;
  const auto count = [&](std::int32_t node, std::int32_t w) {
    const auto members = separator(static_cast<VariableId>(node));
    const auto place = std::ranges::find(members, w) - members.begin();
    is_found &= place < std::ssize(members);
    if (is_found) ++supports[static_cast<std::size_t>(node) * capacity_ + static_cast<std::size_t>(place)];
  };
  for (VariableId x = 0; x < num_variables_; ++x) {
    const auto members =
        std::span(families_).subspan(x * (capacity_ + 1)).first(static_cast<std::size_t>(family_sizes_[x]));
    if (!members.empty() && std::ranges::find(members, family_nodes_[x]) == members.end()) return false;
    for (const std::int32_t w : members)
      if (w != family_nodes_[x]) count(family_nodes_[x], w);
    for (const std::int32_t w : separator(x))
      if (w != up_[x]) count(up_[x], w);
  }
  if (!is_found) return false;
  for (VariableId u = 0; u < num_variables_; ++u) {
    const std::size_t first = u * capacity_;
    for (std::size_t i = first; i < first + separator(u).size(); ++i)
      if (support_[i] != supports[i] || support_[i] < 1) return false;
  }
  return true;
}

bool EliminationTree::are_lists_valid() const {
  std::vector<std::vector<std::int32_t>> children(num_variables_), families(num_variables_);
  for (VariableId x = 0; x < num_variables_; ++x) {
    if (separator(x).size() >= 2)
      children[static_cast<std::size_t>(up_[x])].push_back(static_cast<std::int32_t>(x));
    if (family_sizes_[x] > 0)
      families[static_cast<std::size_t>(family_nodes_[x])].push_back(static_cast<std::int32_t>(x));
  }
  for (VariableId u = 0; u < num_variables_; ++u) {
    const auto node = static_cast<std::int32_t>(u);
    if (!children_.holds(node, children[u]) || !owners_at_.holds(node, families[u])) return false;
  }
  return true;
}

bool EliminationTree::is_valid() const {
  return are_bags_valid() && are_supports_valid() && are_lists_valid();
}

}  // namespace treebound
