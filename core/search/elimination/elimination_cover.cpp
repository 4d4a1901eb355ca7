// Covers a family in an elimination tree: finds the tree paths that join its members, eliminates them again
// with the family as a clique, and writes the outcome into the tree.
#include <algorithm>
#include <cassert>

#include "search/elimination/elimination_tree.hpp"

namespace treebound {

/// Climbs from all members at once, a node at a time, until their routes have met: all but one end at a node
/// of another route or, if the members are in different trees of the forest, at a root. False if that takes
/// too many nodes.
bool EliminationTree::climb(std::span<const VariableId> family) {
  assert(family.size() >= 2 && family.size() <= routes_.size());
  ++stamp_;
  for (std::size_t i = 0; i < family.size(); ++i) {
    routes_[i].nodes.clear();
    routes_[i].front = static_cast<std::int32_t>(family[i]);
    routes_[i].state = Route::State::kClimbing;
  }
  std::size_t num_nodes = 0;
  std::size_t num_climbing = family.size();
  bool has_root = false;
  while (num_climbing > (has_root ? 0u : 1u)) {
    for (std::uint32_t i = 0; i < family.size(); ++i) {
      Route& route = routes_[i];
      if (route.state != Route::State::kClimbing || num_climbing == (has_root ? 0u : 1u)) continue;
      const std::int32_t node = route.front;
      if (node == kNone) {
        route.state = Route::State::kAtRoot;
        has_root = true;
        --num_climbing;
      } else if (stamps_[static_cast<std::size_t>(node)] == stamp_) {
        route.state = Route::State::kJoined;
        route.joined = places_[static_cast<std::size_t>(node)];
        --num_climbing;
      } else {
        if (++num_nodes > kMaxLocal / 2) return false;
        stamps_[static_cast<std::size_t>(node)] = stamp_;
        places_[static_cast<std::size_t>(node)] = {i, static_cast<std::uint32_t>(route.nodes.size())};
        route.nodes.push_back(node);
        route.front = at(up_, node);
      }
    }
  }
  return true;
}

/// Fills inner_ with the paths that join the members. The longest route that met no other ends where the last
/// of the others met it; routes in other trees of the forest enter up to their roots.
bool EliminationTree::find_paths(std::span<const VariableId> family) {
  if (!climb(family)) return false;
  std::uint32_t main = 0;
  std::size_t longest = 0;
  for (std::uint32_t i = 0; i < family.size(); ++i) {
    if (routes_[i].state == Route::State::kJoined || routes_[i].nodes.size() <= longest) continue;
    longest = routes_[i].nodes.size();
    main = i;
  }
  std::uint32_t last = 0;
  inner_.clear();
  for (std::uint32_t i = 0; i < family.size(); ++i) {
    if (i == main) continue;
    inner_.insert(inner_.end(), routes_[i].nodes.begin(), routes_[i].nodes.end());
    std::uint32_t route = i;
    while (routes_[route].state == Route::State::kJoined && routes_[route].joined.route != main)
      route = routes_[route].joined.route;
    if (routes_[route].state == Route::State::kJoined) last = std::max(last, routes_[route].joined.index);
  }
  const auto& nodes = routes_[main].nodes;
  inner_.insert(inner_.end(), nodes.begin(), nodes.begin() + last + 1);
  top_ = nodes[last];
  return true;
}

/// Numbers the nodes of the local graph and finds the subtrees and families at the inner ones; false if it is
/// too large.
bool EliminationTree::collect_local_graph() {
  ++stamp_;
  const auto outer = separator(static_cast<VariableId>(top_));
  outer_.assign(outer.begin(), outer.end());
  if (inner_.size() + outer_.size() > kMaxLocal) return false;
  std::uint16_t number = 0;
  for (const auto* part : {&inner_, &outer_}) {
    for (const std::int32_t v : *part) local_[static_cast<std::size_t>(v)] = number++;
  }
  for (const std::int32_t v : inner_) stamps_[static_cast<std::size_t>(v)] = stamp_;
  attached_.clear();
  owners_.clear();
  for (const std::int32_t u : inner_) {
    children_.for_each(u, [&](std::int32_t c) {
      if (stamps_[static_cast<std::size_t>(c)] != stamp_) attached_.push_back(c);
    });
    owners_at_.for_each(u, [&](std::int32_t x) { owners_.push_back(x); });
  }
  return true;
}

template <typename Members>
void EliminationTree::join(auto& graph, const Members& members) {
  clique_.clear();
  for (const auto v : members) clique_.push_back(local_[static_cast<std::size_t>(v)]);
  graph.join(clique_);
}

template <std::size_t kWords>
bool EliminationTree::eliminate_paths(SmallElimination<kWords>& graph, std::span<const VariableId> family) {
  graph.reset(inner_.size());
  join(graph, family);
  for (const std::int32_t c : attached_) join(graph, separator(static_cast<VariableId>(c)));
  for (const std::int32_t x : owners_)
    join(graph, std::span(family_of(x), static_cast<std::size_t>(at(family_sizes_, x))));
  local_states_.clear();
  local_log_states_.clear();
  if (!states_.empty()) {
    for (const auto* part : {&inner_, &outer_}) {
      for (const std::int32_t v : *part) {
        local_states_.push_back(states_[static_cast<std::size_t>(v)]);
        local_log_states_.push_back(log_states_[static_cast<std::size_t>(v)]);
      }
    }
  }
  if (!graph.run(bound_, local_states_, local_log_states_)) return false;
  apply(graph);
  return true;
}

/// The inner member that is eliminated first in the new order; kNone if there is none.
std::int32_t EliminationTree::first_eliminated(std::span<const std::int32_t> members) const {
  std::int32_t result = kNone;
  std::uint16_t best = kMaxLocal;
  for (const std::int32_t v : members) {
    const std::uint16_t number = local_[static_cast<std::size_t>(v)];
    if (stamps_[static_cast<std::size_t>(v)] != stamp_ || ranks_[number] >= best) continue;
    best = ranks_[number];
    result = v;
  }
  return result;
}

template <std::size_t kWords>
void EliminationTree::apply(const SmallElimination<kWords>& graph) {
  assert(graph.order().size() == inner_.size());
  const std::int32_t old_parent = at(up_, top_);
  if (outer_.size() >= 2) children_.unlink(top_, old_parent, *log_);
  std::uint16_t rank = 0;
  for (const std::uint16_t number : graph.order()) ranks_[number] = rank++;
  for (std::size_t i = 0; i < inner_.size(); ++i) {
    const std::int32_t u = inner_[i];
    std::int32_t size = 0;
    graph.for_neighbours(static_cast<std::uint16_t>(i), [&](std::uint16_t number) {
      const std::int32_t w = number < inner_.size() ? inner_[number] : outer_[number - inner_.size()];
      log_->set(separator_of(u)[size], w);
      log_->set(support_of(u)[size], 0);
      ++size;
    });
    log_->set(at(sizes_, u), size);
    children_.clear(u, *log_);
    owners_at_.clear(u, *log_);
  }
  const auto attach = [&](std::int32_t c) {
    const auto members = separator(static_cast<VariableId>(c));
    std::int32_t parent = first_eliminated(members);
    if (parent == kNone && !members.empty()) parent = lowest(members);
    log_->set(at(up_, c), parent);
    for (const std::int32_t w : members)
      if (w != parent) add_support(parent, w);
    if (members.size() >= 2) children_.link(c, parent, *log_);
  };
  for (const std::int32_t u : inner_) attach(u);
  for (const std::int32_t c : attached_) attach(c);
  for (const std::int32_t x : owners_) {
    const std::span members(family_of(x), static_cast<std::size_t>(at(family_sizes_, x)));
    const std::int32_t node = first_eliminated(members);
    assert(node != kNone);
    link_family(x, node);
    for (const std::int32_t w : members)
      if (w != node) add_support(node, w);
  }
  gone_.clear();
  for (const std::int32_t w : outer_)
    if (w != old_parent && drop_support(old_parent, w)) gone_.push_back(w);
  if (old_parent != kNone) shrink(old_parent, gone_);
}

/// Whether the family alone keeps the bound.
bool EliminationTree::may_be_covered(std::span<const VariableId> family) const {
  assert(family.size() >= 2);
  if (family.size() > bound_.max_treewidth + 1) return false;
  if (states_.empty()) return true;
  double product = 1;
  for (const VariableId v : family) product *= states_[v];
  return product <= bound_.max_cells;
}

bool EliminationTree::cover(std::span<const VariableId> family) {
  if (!may_be_covered(family)) return false;
  return holds(family) || (find_paths(family) && eliminate_inner(family));
}

EliminationTree::Outcome EliminationTree::cover_if_likely(std::span<const VariableId> family) {
  if (!may_be_covered(family)) return Outcome::kPassedOver;
  if (holds(family)) return Outcome::kCovered;
  if (!find_paths(family) || !odds_.is_worth_a_test(inner_.size())) return Outcome::kPassedOver;
  const bool is_covered = eliminate_inner(family);
  odds_.note(inner_.size(), is_covered);
  return is_covered ? Outcome::kCovered : Outcome::kFailed;
}

/// Eliminates the paths that were found again.
bool EliminationTree::eliminate_inner(std::span<const VariableId> family) {
  if (!collect_local_graph()) return false;
  const std::size_t size = inner_.size() + outer_.size();
  if (size <= 64) return eliminate_paths(small_, family);
  if (size <= 128) return eliminate_paths(medium_, family);
  return eliminate_paths(large_, family);
}

}  // namespace treebound
