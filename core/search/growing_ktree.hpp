// A k-tree that grows by insertion (paper, section 2.2). The first k+1 variables form the root clique; each
// further variable v joins a k-clique, its *separator* S(v), and with it makes the clique C(v) = S(v) + v.
//
// A set lies in a clique iff, without its latest-inserted member m, it is a subset of S(m): whatever was
// inserted before m and is adjacent to m is in S(m). So cliques are never listed and never scanned. For a
// member of the root S is the rest of the root, which makes the same test right there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"

namespace treebound {

class GrowingKTree {
 public:
  static constexpr std::uint32_t kNotInserted = 0xFFFFFFFFu;

  /// `num_variables` must exceed `width`. Position num_variables is that of the pseudo-variable of empty
  /// sets.
  GrowingKTree(std::uint32_t num_variables, std::uint32_t width)
      : width_(width), positions_(num_variables + 1), newest_(num_variables) {
    order_.reserve(num_variables);
    separators_.resize(static_cast<std::size_t>(num_variables) * width);
  }

  /// Forgets everything and starts again from the clique of these width+1 variables.
  void start(std::span<const VariableId> root) {
    std::fill(positions_.begin(), positions_.end() - 1, kNotInserted);
    positions_.back() = 0;
    order_.clear();
    for (const VariableId v : root) {
      std::remove_copy(root.begin(), root.end(), separator_begin(v), v);
      enter(v);
      newest_[v] = root.back();
    }
  }

  /// `separator` must be a k-clique of the tree.
  void insert(VariableId v, std::span<const VariableId> separator) {
    std::copy(separator.begin(), separator.end(), separator_begin(v));
    enter(v);
    newest_[v] = v;
    for (const VariableId u : separator) newest_[u] = v;
  }

  std::uint32_t width() const { return width_; }
  const std::vector<VariableId>& order() const { return order_; }
  const std::uint32_t* positions() const { return positions_.data(); }
  bool is_inserted(VariableId v) const { return positions_[v] != kNotInserted; }
  const std::vector<VariableId>& separators() const { return separators_; }
  std::span<const VariableId> separator(VariableId v) const {
    return {separators_.data() + static_cast<std::size_t>(v) * width_, width_};
  }
  /// The variable w whose C(w) is the most recent clique that v belongs to.
  VariableId newest_clique_of(VariableId v) const { return newest_[v]; }

  bool is_in_separator(VariableId u, VariableId v) const {
    const auto members = separator(v);
    return std::find(members.begin(), members.end(), u) != members.end();
  }

  /// Latest-inserted of the (inserted, at least one) members.
  VariableId latest(std::span<const VariableId> members) const {
    VariableId last = members[0];
    for (const VariableId u : members)
      if (positions_[u] > positions_[last]) last = u;
    return last;
  }

  /// Whether C(v) contains all members.
  bool clique_holds(VariableId v, std::span<const VariableId> members) const {
    for (const VariableId u : members)
      if (u != v && !is_in_separator(u, v)) return false;
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

 private:
  std::vector<VariableId>::iterator separator_begin(VariableId v) {
    return separators_.begin() + static_cast<std::ptrdiff_t>(v) * width_;
  }
  void enter(VariableId v) {
    positions_[v] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(v);
  }

  std::uint32_t width_;
  std::vector<std::uint32_t> positions_;
  std::vector<VariableId> newest_;
  std::vector<VariableId> order_;
  std::vector<VariableId> separators_;
};

}  // namespace treebound
