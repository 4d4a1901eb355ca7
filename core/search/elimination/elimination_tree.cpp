#include "search/elimination/elimination_tree.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/asserts.hpp"

namespace treebound {
EliminationTree::EliminationTree(std::uint32_t num_variables, BagBound bound,
                                 std::span<const std::uint32_t> cardinalities, UndoLog& log)
    : num_variables_(num_variables),
      bound_(bound),
      capacity_(std::max(bound.max_treewidth, 1u)),
      log_(&log),
      up_(num_variables, kNone),
      sizes_(num_variables, 0),
      separators_(num_variables * capacity_, kNone),
      support_(num_variables * capacity_, 0),
      children_(num_variables),
      families_(num_variables * (capacity_ + 1), kNone),
      family_sizes_(num_variables, 0),
      family_nodes_(num_variables, kNone),
      owners_at_(num_variables),
      local_(num_variables, 0),
      ranks_(kMaxLocal, 0),
      stamps_(num_variables, 0),
      routes_(capacity_ + 1),
      places_(num_variables) {
  assert(cardinalities.empty() ? bound.max_cells == HUGE_VAL : cardinalities.size() == num_variables);
  if (bound.max_cells < HUGE_VAL) {
    for (const std::uint32_t cardinality : cardinalities) {
      states_.push_back(cardinality);
      log_states_.push_back(static_cast<float>(std::log2(cardinality)));
    }
  }
}

bool EliminationTree::is_in_separator(std::int32_t u, std::int32_t w) const {
  const auto members = separator(static_cast<VariableId>(u));
  return std::find(members.begin(), members.end(), w) != members.end();
}

bool EliminationTree::holds(std::span<const VariableId> family) const {
  for (const VariableId u : family) {
    if (sizes_[u] + 1 < static_cast<std::int32_t>(family.size())) continue;
    const bool is_bag = std::all_of(family.begin(), family.end(), [&](VariableId w) {
      return w == u || is_in_separator(static_cast<std::int32_t>(u), static_cast<std::int32_t>(w));
    });
    if (is_bag) return true;
  }
  return false;
}

/// The first eliminated of variables that share a bag: of two such, the later is in the separator of the
/// earlier.
std::int32_t EliminationTree::lowest(std::span<const std::int32_t> chain) const {
  std::int32_t result = chain[0];
  for (const std::int32_t v : chain.subspan(1))
    if (!is_in_separator(result, v)) result = v;
  assert(std::ranges::all_of(chain, [&](auto v) { return v == result || is_in_separator(result, v); }));
  return result;
}

void EliminationTree::add_support(std::int32_t u, std::int32_t w) {
  std::int32_t* const members = separator_of(u);
  const auto place = std::find(members, members + at(sizes_, u), w) - members;
  assert(place < at(sizes_, u));
  log_->set(support_of(u)[place], support_of(u)[place] + 1);
}

/// Returns whether it was the last, and w is removed from the separator of u.
bool EliminationTree::drop_support(std::int32_t u, std::int32_t w) {
  std::int32_t* const members = separator_of(u);
  std::int32_t* const support = support_of(u);
  const auto place = std::find(members, members + at(sizes_, u), w) - members;
  assert(place < at(sizes_, u));
  log_->set(support[place], support[place] - 1);
  if (support[place] > 0) return false;
  const std::int32_t last = at(sizes_, u) - 1;
  log_->set(members[place], members[last]);
  log_->set(support[place], support[last]);
  log_->set(at(sizes_, u), last);
  return true;
}

/// Removes the supports that u gave its parent for members that its separator has just lost, and so on
/// upwards.
void EliminationTree::shrink(std::int32_t u, std::vector<std::int32_t>& gone) {
  while (!gone.empty()) {
    const std::int32_t parent = at(up_, u);
    const auto rest = separator(static_cast<VariableId>(u));
    const bool was_wide = rest.size() + gone.size() >= 2;
    next_gone_.clear();
    if (std::find(gone.begin(), gone.end(), parent) == gone.end()) {
      if (was_wide && rest.size() < 2) children_.unlink(u, parent, *log_);
      for (const std::int32_t w : gone)
        if (drop_support(parent, w)) next_gone_.push_back(w);
    } else {
      if (was_wide) children_.unlink(u, parent, *log_);
      const std::int32_t next = rest.empty() ? kNone : lowest(rest);
      log_->set(at(up_, u), next);
      // The new parent has these members already; removing the old supports first might remove the members.
      for (const std::int32_t w : rest)
        if (w != next) add_support(next, w);
      if (rest.size() >= 2) children_.link(u, next, *log_);
      for (const std::int32_t w : rest)
        if (drop_support(parent, w)) next_gone_.push_back(w);
      for (const std::int32_t w : gone)
        if (w != parent && drop_support(parent, w)) next_gone_.push_back(w);
    }
    u = parent;
    gone.swap(next_gone_);
  }
}

void EliminationTree::link_family(std::int32_t x, std::int32_t u) {
  owners_at_.link(x, u, *log_);
  log_->set(at(family_nodes_, x), u);
}

void EliminationTree::write_family(VariableId owner, std::span<const VariableId> family) {
  assert(!has_family(owner));
  assert(family.size() >= 2 && family.size() <= capacity_ + 1);
  std::int32_t* const members = family_of(static_cast<std::int32_t>(owner));
  for (std::size_t i = 0; i < family.size(); ++i) log_->set(members[i], static_cast<std::int32_t>(family[i]));
  log_->set(family_sizes_[owner], static_cast<std::int32_t>(family.size()));
}

/// Puts w into the separator of u, or supports it once more if it is there.
void EliminationTree::add_to_separator(std::int32_t u, std::int32_t w) {
  if (is_in_separator(u, w)) return add_support(u, w);
  const std::int32_t size = at(sizes_, u);
  assert(size < static_cast<std::int32_t>(capacity_));
  log_->set(separator_of(u)[size], w);
  log_->set(support_of(u)[size], 1);
  log_->set(at(sizes_, u), size + 1);
}

void EliminationTree::build(std::span<const VariableId> order) {
  assert(order.size() == num_variables_);
  std::vector<std::uint32_t> turns(num_variables_);
  for (std::uint32_t i = 0; i < order.size(); ++i) turns[order[i]] = i;
  const auto first = [&](std::span<const std::int32_t> members) {
    return *std::min_element(members.begin(), members.end(), [&](std::int32_t a, std::int32_t b) {
      return turns[static_cast<std::size_t>(a)] < turns[static_cast<std::size_t>(b)];
    });
  };
  for (std::int32_t x = 0; x < static_cast<std::int32_t>(num_variables_); ++x) {
    const std::span<const std::int32_t> members(family_of(x), static_cast<std::size_t>(at(family_sizes_, x)));
    if (members.empty()) continue;
    const std::int32_t node = first(members);
    link_family(x, node);
    for (const std::int32_t w : members)
      if (w != node) add_to_separator(node, w);
  }
  for (const VariableId v : order) {
    const auto members = separator(v);
    if (members.empty()) continue;
    const auto u = static_cast<std::int32_t>(v);
    const std::int32_t parent = first(members);
    log_->set(at(up_, u), parent);
    for (const std::int32_t w : members)
      if (w != parent) add_to_separator(parent, w);
    if (members.size() >= 2) children_.link(u, parent, *log_);
  }
  TREEBOUND_ASSERT_VALID(*this);
}

void EliminationTree::add(VariableId owner, std::span<const VariableId> family) {
  assert(holds(family));
  const auto x = static_cast<std::int32_t>(owner);
  write_family(owner, family);
  const std::int32_t* const members = family_of(x);
  const std::int32_t node = lowest({members, family.size()});
  link_family(x, node);
  for (std::size_t i = 0; i < family.size(); ++i)
    if (members[i] != node) add_support(node, members[i]);
  TREEBOUND_ASSERT_VALID(*this);
}

void EliminationTree::remove(VariableId owner) {
  const auto x = static_cast<std::int32_t>(owner);
  const std::int32_t size = at(family_sizes_, x);
  if (size == 0) return;
  const std::int32_t node = at(family_nodes_, x);
  const std::int32_t* const members = family_of(x);
  owners_at_.unlink(x, node, *log_);
  log_->set(at(family_sizes_, x), 0);
  gone_.clear();
  for (std::int32_t i = 0; i < size; ++i)
    if (members[i] != node && drop_support(node, members[i])) gone_.push_back(members[i]);
  shrink(node, gone_);
  TREEBOUND_ASSERT_VALID(*this);
}

std::vector<VariableId> EliminationTree::elimination_order() const {
  std::vector<std::uint32_t> num_children(num_variables_, 0);
  for (const std::int32_t parent : up_)
    if (parent != kNone) ++num_children[static_cast<std::size_t>(parent)];
  std::vector<VariableId> order;
  for (VariableId v = 0; v < num_variables_; ++v)
    if (num_children[v] == 0) order.push_back(v);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::int32_t parent = up_[order[i]];
    if (parent != kNone && --num_children[static_cast<std::size_t>(parent)] == 0)
      order.push_back(static_cast<VariableId>(parent));
  }
  return order;
}

}  // namespace treebound
