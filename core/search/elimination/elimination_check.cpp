// EliminationTree::is_valid: recounts everything that the tree keeps up to date.
#include <algorithm>

#include "search/elimination/elimination_tree.hpp"

namespace treebound {
namespace {

/// Whether the doubly linked list of a node holds exactly these numbers, in any order.
bool is_list_of(std::int32_t first, const std::vector<std::int32_t>& next,
                const std::vector<std::int32_t>& previous, std::vector<std::int32_t> expected) {
  std::vector<std::int32_t> found;
  std::int32_t before = -1;
  for (std::int32_t here = first; here != -1; here = next[static_cast<std::size_t>(here)]) {
    if (previous[static_cast<std::size_t>(here)] != before || found.size() == expected.size()) return false;
    found.push_back(here);
    before = here;
  }
  std::ranges::sort(found);
  std::ranges::sort(expected);
  return found == expected;
}

}  // namespace

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
    if (!is_list_of(first_child_[u], next_child_, previous_child_, children[u])) return false;
    if (!is_list_of(first_family_[u], next_family_, previous_family_, families[u])) return false;
  }
  return true;
}

bool EliminationTree::is_valid() const {
  return are_bags_valid() && are_supports_valid() && are_lists_valid();
}

}  // namespace treebound
