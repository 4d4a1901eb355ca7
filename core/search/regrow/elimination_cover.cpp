// Room for a family in an elimination tree: find the tree paths that join its members, eliminate them afresh,
// and graft the outcome.
#include <algorithm>

#include "search/regrow/elimination_tree.hpp"

namespace treebound {

/// Climbs from all members at once, a node at a time, until their routes have met: all but one end at a node
/// of another route, or, where parts of the forest are apart, at a root. False if that takes too long.
bool EliminationTree::climb(std::span<const VariableId> family) {
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

/// Fills inner_ with the paths that join the members. The longest route that met no other is cut off where
/// the last of the others came in; parts of the forest that were apart from it enter up to their roots.
bool EliminationTree::find_paths(std::span<const VariableId> family) {
  if (!climb(family)) return false;
  std::uint32_t spine = 0;
  std::size_t longest = 0;
  for (std::uint32_t i = 0; i < family.size(); ++i) {
    if (routes_[i].state == Route::State::kJoined || routes_[i].nodes.size() <= longest) continue;
    longest = routes_[i].nodes.size();
    spine = i;
  }
  std::uint32_t last = 0;
  inner_.clear();
  for (std::uint32_t i = 0; i < family.size(); ++i) {
    if (i == spine) continue;
    inner_.insert(inner_.end(), routes_[i].nodes.begin(), routes_[i].nodes.end());
    std::uint32_t route = i;
    while (routes_[route].state == Route::State::kJoined && routes_[route].joined.route != spine)
      route = routes_[route].joined.route;
    if (routes_[route].state == Route::State::kJoined) last = std::max(last, routes_[route].joined.index);
  }
  const auto& nodes = routes_[spine].nodes;
  inner_.insert(inner_.end(), nodes.begin(), nodes.begin() + last + 1);
  top_ = nodes[last];
  return collect_surroundings();
}

/// Numbers the nodes of the local graph and finds what hangs on the inner ones; false if it is too large.
bool EliminationTree::collect_surroundings() {
  ++stamp_;
  const auto around = above(static_cast<VariableId>(top_));
  around_.assign(around.begin(), around.end());
  if (inner_.size() + around_.size() > kMaxLocal) return false;
  std::uint16_t number = 0;
  for (const auto* part : {&inner_, &around_}) {
    for (const std::int32_t v : *part) local_[static_cast<std::size_t>(v)] = number++;
  }
  for (const std::int32_t v : inner_) stamps_[static_cast<std::size_t>(v)] = stamp_;
  hanging_.clear();
  owners_.clear();
  for (const std::int32_t u : inner_) {
    for (std::int32_t c = at(first_child_, u); c != kNone; c = at(next_child_, c))
      if (stamps_[static_cast<std::size_t>(c)] != stamp_) hanging_.push_back(c);
    for (std::int32_t x = at(first_family_, u); x != kNone; x = at(next_family_, x)) owners_.push_back(x);
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
  for (const std::int32_t c : hanging_) join(graph, above(static_cast<VariableId>(c)));
  for (const std::int32_t x : owners_)
    join(graph, std::span(family_of(x), static_cast<std::size_t>(at(family_sizes_, x))));
  local_states_.clear();
  local_log_states_.clear();
  if (!states_.empty()) {
    for (const auto* part : {&inner_, &around_}) {
      for (const std::int32_t v : *part) {
        local_states_.push_back(states_[static_cast<std::size_t>(v)]);
        local_log_states_.push_back(log_states_[static_cast<std::size_t>(v)]);
      }
    }
  }
  if (!graph.run(bound_, local_states_, local_log_states_)) return false;
  graft(graph);
  return true;
}

/// The inner member that leaves first in the new order; kNone if there is none.
std::int32_t EliminationTree::first_to_leave(std::span<const std::int32_t> members) const {
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
void EliminationTree::graft(const SmallElimination<kWords>& graph) {
  const std::int32_t old_parent = at(up_, top_);
  if (around_.size() >= 2) unlink_child(top_, old_parent);
  std::uint16_t rank = 0;
  for (const std::uint16_t number : graph.order()) ranks_[number] = rank++;
  for (std::size_t i = 0; i < inner_.size(); ++i) {
    const std::int32_t u = inner_[i];
    std::int32_t size = 0;
    graph.for_neighbours(static_cast<std::uint16_t>(i), [&](std::uint16_t number) {
      const std::int32_t w = number < inner_.size() ? inner_[number] : around_[number - inner_.size()];
      log_->set(above_of(u)[size], w);
      log_->set(support_of(u)[size], 0);
      ++size;
    });
    log_->set(at(sizes_, u), size);
    log_->set(at(first_child_, u), kNone);
    log_->set(at(first_family_, u), kNone);
  }
  const auto hang = [&](std::int32_t c) {
    const auto members = above(static_cast<VariableId>(c));
    std::int32_t parent = first_to_leave(members);
    if (parent == kNone && !members.empty()) parent = lowest(members);
    log_->set(at(up_, c), parent);
    for (const std::int32_t w : members)
      if (w != parent) add_support(parent, w);
    if (members.size() >= 2) link_child(c, parent);
  };
  for (const std::int32_t u : inner_) hang(u);
  for (const std::int32_t c : hanging_) hang(c);
  for (const std::int32_t x : owners_) {
    const std::span members(family_of(x), static_cast<std::size_t>(at(family_sizes_, x)));
    const std::int32_t home = first_to_leave(members);
    link_family(x, home);
    for (const std::int32_t w : members)
      if (w != home) add_support(home, w);
  }
  gone_.clear();
  for (const std::int32_t w : around_)
    if (w != old_parent && drop_support(old_parent, w)) gone_.push_back(w);
  if (old_parent != kNone) shrink(old_parent, gone_);
}

bool EliminationTree::make_room(std::span<const VariableId> family) {
  if (family.size() > bound_.max_neighbours + 1) return false;
  if (!states_.empty()) {
    double product = 1;
    for (const VariableId v : family) product *= states_[v];
    if (product > bound_.max_states) return false;
  }
  if (holds(family)) return true;
  if (!find_paths(family)) return false;
  const std::size_t size = inner_.size() + around_.size();
  if (size <= 64) return eliminate_paths(small_, family);
  if (size <= 128) return eliminate_paths(medium_, family);
  return eliminate_paths(large_, family);
}

}  // namespace treebound
