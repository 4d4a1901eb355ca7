// A k-tree that grows by insertion (paper, section 2.2). The first k+1 variables form the root clique; each
// further variable v joins a k-clique, its *separator* S(v), and with it makes the clique C(v) = S(v) + v.
//
// A set lies in a clique iff, without its latest-inserted member m, it is a subset of S(m): every variable
// that was inserted before m and is adjacent to m is in S(m). So cliques are never listed and never scanned.
// For a member of the root S is the rest of the root, which makes the same test right there.
//
// The row of v holds C(v): S(v) in the order of insertion, then v, padded with a value that is no variable.
// Copying and searching a row then takes whole vector registers and no calls. Rows are also written only in
// whole registers: a variable mostly joins a clique made just before, and a processor that has to read a
// register from several recent writes waits until they have reached its cache.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/ids.hpp"

namespace treebound {

class GrowingKTree {
 public:
  static constexpr std::uint32_t kNotInserted = 0xFFFFFFFFu;
  static constexpr VariableId kNoVariable = 0xFFFFFFFFu;

  /// `num_variables` must exceed `width`. Position num_variables is that of the pseudo-variable of empty
  /// sets.
  GrowingKTree(std::uint32_t num_variables, std::uint32_t width)
      : width_(width),
        stride_((width + kLanes) / kLanes * kLanes),
        positions_(num_variables + 1),
        newest_(num_variables),
        order_(num_variables),
        cliques_(num_variables * stride_, kNoVariable) {
    assert(width < num_variables);
  }

  /// Forgets everything and starts again from the clique of these width+1 variables.
  void start(std::span<const VariableId> root) {
    assert(root.size() == width_ + 1);
    clear();
    for (const VariableId v : root) {
      *std::remove_copy(root.begin(), root.end(), row(v), v) = v;
      enter(v);
      newest_[v] = root.back();
    }
  }

  /// Forgets everything and takes over the first variables of another tree of the same size, the root at
  /// least.
  void start_like(const GrowingKTree& other, std::size_t num_variables) {
    assert(num_variables > width_ && num_variables <= other.num_inserted_ && stride_ == other.stride_);
    clear();
    for (const VariableId v : other.order().first(num_variables)) {
      for (std::size_t i = 0; i < stride_; i += kLanes) store(row(v) + i, load(other.row(v) + i));
      if (num_inserted_ > width_) {
        close(v);
      } else {
        enter(v);
        newest_[v] = other.order_[width_];
      }
    }
  }

  /// v joins a k-clique of the tree, given in the order of insertion.
  void insert(VariableId v, std::span<const VariableId> separator) {
    assert(separator.size() == width_ && !is_inserted(v) && holds(separator));
    assert(std::ranges::is_sorted(separator, {}, [&](VariableId u) { return positions_[u]; }));
    *std::copy(separator.begin(), separator.end(), row(v)) = v;
    close(v);
  }

  /// v joins C(w) without its member number `dropped`, counted along S(w), w last. w must have made the
  /// clique.
  void insert_beside(VariableId v, VariableId w, std::size_t dropped) {
    assert(!is_inserted(v) && is_inserted(w) && positions_[w] >= width_ && dropped <= width_);
    const VariableId* from = row(w);
    VariableId* to = row(v);
    const auto first_moved = static_cast<std::int32_t>(dropped);
    const auto place_of_v = static_cast<std::int32_t>(width_);
    Places place = {0, 1, 2, 3};
    Lanes next = load(from);
    for (std::size_t i = 0; i < stride_; i += kLanes, place += static_cast<std::int32_t>(kLanes)) {
      const Lanes here = next;
      next = i + kLanes < stride_ ? load(from + i + kLanes) : Lanes{} + kNoVariable;
      const Lanes turned = __builtin_shufflevector(here, next, 4, 1, 2, 3);
      const Lanes moved = __builtin_shufflevector(turned, turned, 1, 2, 3, 0);
      const Lanes kept = place < first_moved ? here : moved;
      store(to + i, place == place_of_v ? Lanes{} + v : kept);
    }
    close(v);
  }

  std::uint32_t width() const { return width_; }
  std::span<const VariableId> order() const { return {order_.data(), num_inserted_}; }
  const std::uint32_t* positions() const { return positions_.data(); }
  bool is_inserted(VariableId v) const { return positions_[v] != kNotInserted; }
  std::span<const VariableId> separator(VariableId v) const { return {row(v), width_}; }

  /// The variable w whose C(w) is the most recent clique that v belongs to.
  VariableId newest_clique_of(VariableId v) const { return newest_[v]; }
  /// The variable that names the first clique that v belongs to: the last of the root for its members.
  VariableId first_clique_of(VariableId v) const { return positions_[v] <= width_ ? order_[width_] : v; }

  bool is_in_clique(VariableId u, VariableId v) const {
    // One comparison at the end: the processor cannot predict where u stands.
    const VariableId* members = row(v);
    Places is_here = load(members) == u;
    for (std::size_t i = kLanes; i < stride_; i += kLanes) is_here |= load(members + i) == u;
    const auto halves = reinterpret_cast<Halves>(is_here);
    return (halves[0] | halves[1]) != 0;
  }

  /// Latest-inserted of the (inserted, at least one) members.
  VariableId latest(std::span<const VariableId> members) const {
    assert(!members.empty() && std::ranges::all_of(members, [&](VariableId u) { return is_inserted(u); }));
    VariableId last = members[0];
    for (const VariableId u : members)
      if (positions_[u] > positions_[last]) last = u;
    return last;
  }

  /// Whether C(v) contains all members.
  bool clique_holds(VariableId v, std::span<const VariableId> members) const {
    for (const VariableId u : members)
      if (!is_in_clique(u, v)) return false;
    return true;
  }

  /// Whether the members have all been inserted and lie in one clique.
  bool holds(std::span<const VariableId> members) const {
    if (members.empty()) return true;
    VariableId last = members[0];
    for (const VariableId u : members) {
      if (!is_inserted(u)) return false;
      if (positions_[u] > positions_[last]) last = u;
    }
    return clique_holds(last, members);
  }

  /// Whether those of the members that have been inserted lie in one clique.
  bool holds_inserted(std::span<const VariableId> members) const {
    VariableId last = kNoVariable;
    for (const VariableId u : members)
      if (is_inserted(u) && (last == kNoVariable || positions_[u] > positions_[last])) last = u;
    for (const VariableId u : members)
      if (is_inserted(u) && !is_in_clique(u, last)) return false;
    return true;
  }

 private:
  static constexpr std::size_t kLanes = 4;
  using Lanes [[gnu::vector_size(kLanes * sizeof(VariableId))]] = VariableId;
  using Places [[gnu::vector_size(kLanes * sizeof(std::int32_t))]] = std::int32_t;
  using Halves [[gnu::vector_size(kLanes * sizeof(VariableId))]] = std::uint64_t;

  static Lanes load(const VariableId* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
  }
  static void store(VariableId* to, Lanes lanes) { std::memcpy(to, &lanes, sizeof lanes); }

  VariableId* row(VariableId v) { return cliques_.data() + v * stride_; }
  const VariableId* row(VariableId v) const { return cliques_.data() + v * stride_; }

  void clear() {
    std::fill(positions_.begin(), positions_.end() - 1, kNotInserted);
    positions_.back() = 0;
    num_inserted_ = 0;
  }

  void enter(VariableId v) {
    positions_[v] = num_inserted_;
    order_[num_inserted_++] = v;
  }

  void close(VariableId v) {
    enter(v);
    assert(holds(separator(v)) && row(v)[width_] == v);
    newest_[v] = v;
    for (const VariableId u : separator(v)) newest_[u] = v;
  }

  std::uint32_t width_;
  std::uint32_t num_inserted_ = 0;
  std::size_t stride_;
  std::vector<std::uint32_t> positions_;
  std::vector<VariableId> newest_;
  std::vector<VariableId> order_;
  std::vector<VariableId> cliques_;
};

}  // namespace treebound
