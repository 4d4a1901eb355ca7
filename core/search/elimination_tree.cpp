#include "search/elimination_tree.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace treebound {
namespace {

template <typename Container>
std::int32_t& at(Container& container, std::int32_t index) {
  return container[static_cast<std::size_t>(index)];
}

}  // namespace

EliminationTree::EliminationTree(std::uint32_t num_variables, BagBound bound,
                                 std::span<const std::uint32_t> cardinalities, UndoLog& log)
    : num_variables_(num_variables),
      bound_(bound),
      capacity_(std::max(bound.max_neighbours, 1u)),
      log_(&log),
      up_(num_variables, kNone),
      sizes_(num_variables, 0),
      above_(num_variables * capacity_, kNone),
      support_(num_variables * capacity_, 0),
      first_child_(num_variables, kNone),
      next_child_(num_variables, kNone),
      previous_child_(num_variables, kNone),
      families_(num_variables * (capacity_ + 1), kNone),
      family_sizes_(num_variables, 0),
      homes_(num_variables, kNone),
      first_family_(num_variables, kNone),
      next_family_(num_variables, kNone),
      previous_family_(num_variables, kNone),
      local_(num_variables, 0),
      ranks_(kMaxLocal, 0),
      stamps_(num_variables, 0),
      routes_(capacity_ + 1),
      places_(num_variables) {
  if (bound.max_states < HUGE_VAL) {
    for (const std::uint32_t cardinality : cardinalities) {
      states_.push_back(cardinality);
      log_states_.push_back(static_cast<float>(std::log2(cardinality)));
    }
  }
}

bool EliminationTree::is_above(std::int32_t u, std::int32_t w) const {
  const auto members = above(static_cast<VariableId>(u));
  return std::find(members.begin(), members.end(), w) != members.end();
}

bool EliminationTree::holds(std::span<const VariableId> family) const {
  for (const VariableId u : family) {
    if (sizes_[u] + 1 < static_cast<std::int32_t>(family.size())) continue;
    const bool is_bag = std::all_of(family.begin(), family.end(), [&](VariableId w) {
      return w == u || is_above(static_cast<std::int32_t>(u), static_cast<std::int32_t>(w));
    });
    if (is_bag) return true;
  }
  return false;
}

/// The first to leave of variables that share a bag: of two such, the later one is above the earlier.
std::int32_t EliminationTree::lowest(std::span<const std::int32_t> chain) const {
  std::int32_t result = chain[0];
  for (const std::int32_t v : chain.subspan(1))
    if (!is_above(result, v)) result = v;
  return result;
}

void EliminationTree::add_support(std::int32_t u, std::int32_t w) {
  std::int32_t* const members = above_of(u);
  const auto place = std::find(members, members + at(sizes_, u), w) - members;
  assert(place < at(sizes_, u));
  log_->set(support_of(u)[place], support_of(u)[place] + 1);
}

/// Returns whether it was the last, and w is above u no more.
bool EliminationTree::drop_support(std::int32_t u, std::int32_t w) {
  std::int32_t* const members = above_of(u);
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

/// Hands up the loss of members of above(u): they have just left it.
void EliminationTree::shrink(std::int32_t u, std::vector<std::int32_t>& gone) {
  while (!gone.empty()) {
    const std::int32_t parent = at(up_, u);
    const auto rest = above(static_cast<VariableId>(u));
    const bool was_wide = rest.size() + gone.size() >= 2;
    next_gone_.clear();
    if (std::find(gone.begin(), gone.end(), parent) == gone.end()) {
      if (was_wide && rest.size() < 2) unlink_child(u, parent);
      for (const std::int32_t w : gone)
        if (drop_support(parent, w)) next_gone_.push_back(w);
    } else {
      if (was_wide) unlink_child(u, parent);
      const std::int32_t next = rest.empty() ? kNone : lowest(rest);
      log_->set(at(up_, u), next);
      // What is handed to the new parent is above it already; taking it from the old one first might end it.
      for (const std::int32_t w : rest)
        if (w != next) add_support(next, w);
      if (rest.size() >= 2) link_child(u, next);
      for (const std::int32_t w : rest)
        if (drop_support(parent, w)) next_gone_.push_back(w);
      for (const std::int32_t w : gone)
        if (w != parent && drop_support(parent, w)) next_gone_.push_back(w);
    }
    u = parent;
    gone.swap(next_gone_);
  }
}

void EliminationTree::link_child(std::int32_t c, std::int32_t u) {
  const std::int32_t first = at(first_child_, u);
  log_->set(at(next_child_, c), first);
  log_->set(at(previous_child_, c), kNone);
  if (first != kNone) log_->set(at(previous_child_, first), c);
  log_->set(at(first_child_, u), c);
}

void EliminationTree::unlink_child(std::int32_t c, std::int32_t u) {
  const std::int32_t next = at(next_child_, c), previous = at(previous_child_, c);
  if (next != kNone) log_->set(at(previous_child_, next), previous);
  log_->set(previous != kNone ? at(next_child_, previous) : at(first_child_, u), next);
}

void EliminationTree::link_family(std::int32_t x, std::int32_t u) {
  const std::int32_t first = at(first_family_, u);
  log_->set(at(next_family_, x), first);
  log_->set(at(previous_family_, x), kNone);
  if (first != kNone) log_->set(at(previous_family_, first), x);
  log_->set(at(first_family_, u), x);
  log_->set(at(homes_, x), u);
}

void EliminationTree::unlink_family(std::int32_t x) {
  const std::int32_t next = at(next_family_, x), previous = at(previous_family_, x);
  if (next != kNone) log_->set(at(previous_family_, next), previous);
  log_->set(previous != kNone ? at(next_family_, previous) : at(first_family_, at(homes_, x)), next);
}

void EliminationTree::write_family(VariableId owner, std::span<const VariableId> family) {
  std::int32_t* const members = family_of(static_cast<std::int32_t>(owner));
  for (std::size_t i = 0; i < family.size(); ++i) log_->set(members[i], static_cast<std::int32_t>(family[i]));
  log_->set(family_sizes_[owner], static_cast<std::int32_t>(family.size()));
}

/// Puts w above u, or supports it once more if it is there.
void EliminationTree::gather(std::int32_t u, std::int32_t w) {
  if (is_above(u, w)) return add_support(u, w);
  const std::int32_t size = at(sizes_, u);
  assert(size < static_cast<std::int32_t>(capacity_));
  log_->set(above_of(u)[size], w);
  log_->set(support_of(u)[size], 1);
  log_->set(at(sizes_, u), size + 1);
}

void EliminationTree::build(std::span<const VariableId> order) {
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
    const std::int32_t home = first(members);
    link_family(x, home);
    for (const std::int32_t w : members)
      if (w != home) gather(home, w);
  }
  for (const VariableId v : order) {
    const auto members = above(v);
    if (members.empty()) continue;
    const auto u = static_cast<std::int32_t>(v);
    const std::int32_t parent = first(members);
    log_->set(at(up_, u), parent);
    for (const std::int32_t w : members)
      if (w != parent) gather(parent, w);
    if (members.size() >= 2) link_child(u, parent);
  }
}

void EliminationTree::add(VariableId owner, std::span<const VariableId> family) {
  const auto x = static_cast<std::int32_t>(owner);
  write_family(owner, family);
  const std::int32_t* const members = family_of(x);
  const std::int32_t home = lowest({members, family.size()});
  link_family(x, home);
  for (std::size_t i = 0; i < family.size(); ++i)
    if (members[i] != home) add_support(home, members[i]);
}

void EliminationTree::remove(VariableId owner) {
  const auto x = static_cast<std::int32_t>(owner);
  const std::int32_t size = at(family_sizes_, x);
  if (size == 0) return;
  const std::int32_t home = at(homes_, x);
  const std::int32_t* const members = family_of(x);
  unlink_family(x);
  log_->set(at(family_sizes_, x), 0);
  gone_.clear();
  for (std::int32_t i = 0; i < size; ++i)
    if (members[i] != home && drop_support(home, members[i])) gone_.push_back(members[i]);
  shrink(home, gone_);
}

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
