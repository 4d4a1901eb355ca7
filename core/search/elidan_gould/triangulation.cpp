#include "search/elidan_gould/triangulation.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace treebound {
namespace {

using Members = std::vector<VariableId>;

bool contains(std::span<const VariableId> sorted, VariableId v) {
  return std::binary_search(sorted.begin(), sorted.end(), v);
}

bool contains_all(std::span<const VariableId> sorted, std::span<const VariableId> few) {
  return std::ranges::includes(sorted, few);
}

Members join(std::span<const VariableId> a, std::span<const VariableId> b) {
  Members both;
  std::ranges::set_union(a, b, std::back_inserter(both));
  return both;
}

}  // namespace

Triangulation::Triangulation(std::span<const VariableId> parents) {
  for (VariableId v = 0; v < parents.size(); ++v)
    add_bag(parents[v] == v ? Members{v} : Members{std::min(v, parents[v]), std::max(v, parents[v])});
  VariableId last_root = 0;
  bool has_root = false;
  for (VariableId v = 0; v < parents.size(); ++v) {
    if (parents[v] != v) {
      link(v, parents[v]);
      continue;
    }
    if (has_root) link(last_root, v);
    last_root = v;
    has_root = true;
  }
}

BagId Triangulation::add_bag(Members members) {
  width_ = std::max(width_, members.size() - 1);
  bags_.push_back(std::move(members));
  links_.emplace_back();
  stamps_.push_back(0);
  came_from_.push_back(0);
  return static_cast<BagId>(bags_.size() - 1);
}

void Triangulation::link(BagId a, BagId b) {
  links_[a].push_back(b);
  links_[b].push_back(a);
}

void Triangulation::unlink(BagId a, BagId b) {
  std::erase(links_[a], b);
  std::erase(links_[b], a);
}

/// From the nearest bag with s to the nearest bag with the family: the bags of either are a subtree.
void Triangulation::find_path(VariableId s, std::span<const VariableId> family, BagId home) {
  ++stamp_;
  queue_.assign(1, home);
  stamps_[home] = stamp_;
  came_from_[home] = home;
  std::size_t next = 0;
  while (!contains(bags_[queue_[next]], s)) {
    const BagId b = queue_[next++];
    for (const BagId c : links_[b]) {
      if (stamps_[c] == stamp_) continue;
      stamps_[c] = stamp_;
      came_from_[c] = b;
      queue_.push_back(c);
    }
  }
  update_.path.clear();
  for (BagId b = queue_[next];; b = came_from_[b]) {
    update_.path.push_back(b);
    if (contains_all(bags_[b], family)) break;
  }
}

/// Of bag i of the path and the one before it.
Members Triangulation::separator(std::size_t i) const {
  Members shared;
  std::ranges::set_intersection(bags_[update_.path[i - 1]], bags_[update_.path[i]],
                                std::back_inserter(shared));
  return shared;
}

/// What stands for bag i of the path on the way of s.
Members Triangulation::new_bag(std::size_t i, VariableId s, std::span<const VariableId> family) const {
  const bool is_last = i + 1 == update_.path.size();
  const Members beyond = is_last ? Members(family.begin(), family.end()) : separator(i + 1);
  return join(join(separator(i), beyond), std::span(&s, 1));
}

const Triangulation::Update& Triangulation::plan(VariableId s, std::span<const VariableId> family,
                                                 BagId home) {
  assert(!contains(family, s) && contains_all(bags_[home], family));
  find_path(s, family, home);
  update_.is_cut = false;
  update_.width = 0;
  for (std::size_t i = 1; i < update_.path.size() && !update_.is_cut; ++i)
    update_.is_cut = separator(i).empty();
  if (update_.is_cut) {
    update_.width = family.size();
    return update_;
  }
  for (std::size_t i = 1; i < update_.path.size(); ++i)
    update_.width = std::max(update_.width, new_bag(i, s, family).size() - 1);
  return update_;
}

BagId Triangulation::apply_cut(VariableId s, std::span<const VariableId> family) {
  const auto& path = update_.path;
  std::size_t cut = 1;
  while (!separator(cut).empty()) ++cut;
  unlink(path[cut - 1], path[cut]);
  const BagId meeting = add_bag(join(family, std::span(&s, 1)));
  link(path.front(), meeting);
  link(meeting, path.back());
  return meeting;
}

BagId Triangulation::apply(VariableId s, std::span<const VariableId> family) {
  if (update_.path.size() == 1) return update_.path[0];
  if (update_.is_cut) return apply_cut(s, family);
  const std::vector<BagId> path = update_.path;
  std::vector<Members> news;
  for (std::size_t i = 1; i < path.size(); ++i) news.push_back(new_bag(i, s, family));
  for (std::size_t i = 1; i < path.size(); ++i) unlink(path[i - 1], path[i]);
  BagId before = path[0];
  for (std::size_t i = 1; i < path.size(); ++i) {
    BagId b = path[i];
    if (contains_all(news[i - 1], bags_[b])) {
      width_ = std::max(width_, news[i - 1].size() - 1);
      bags_[b] = std::move(news[i - 1]);
    } else {
      b = add_bag(std::move(news[i - 1]));
      link(b, path[i]);
    }
    link(before, b);
    before = b;
  }
  return before;
}

void Triangulation::breadth_first(std::vector<BagId>& order, std::vector<BagId>& up) const {
  order.assign(1, 0);
  up.assign(bags_.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const BagId b : links_[order[i]]) {
      if (b == up[order[i]]) continue;
      up[b] = order[i];
      order.push_back(b);
    }
  }
  assert(order.size() == bags_.size());
}

std::vector<VariableId> Triangulation::elimination_order() const {
  std::vector<BagId> order, up;
  breadth_first(order, up);
  std::vector<VariableId> reversed;
  std::vector<std::uint8_t> is_met(bags_.size() + 1, 0);
  for (const BagId b : order) {
    for (const VariableId v : bags_[b]) {
      if (is_met[v]) continue;
      is_met[v] = 1;
      reversed.push_back(v);
    }
  }
  return {reversed.rbegin(), reversed.rend()};
}

}  // namespace treebound
