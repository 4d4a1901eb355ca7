// The witness of the width, changed together with the network: the elimination tree of the moral graph, kept
// exact under adding and removing families, at a cost that does not depend on the number of variables.
//
// Eliminating the variables of a graph one by one gives each variable u a bag: u and its neighbours at that
// moment, the *separator* of u. The first of these to be eliminated is the parent of u, and the bags along
// this tree are a tree decomposition (Benjumeda, Bielza, Larranaga 2019 search with such trees, too). No
// order is stored: the tree implies it, and the members of separator(u) are ancestors of u. Bags are never
// larger than the families require, because every member of separator(u) has a count of its supports: the
// families whose lowest member is u, and the children of u in the tree whose separators it is in. When the
// last support is removed, so is the member, and the parent of u loses a support in turn.
//
// A family that no bag holds is covered by eliminating again only the tree paths that join its members: the
// separators of the subtrees below a path enter as cliques, the nodes above stay as they are (as in BN-SLIM,
// Peruvemba Ramaswamy and Szeider 2021, with a greedy elimination in the place of MaxSAT). The test is local
// because the new order is restricted to these paths; it may fail where a global search for an order would
// succeed.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "search/elimination/cover_odds.hpp"
#include "search/elimination/node_lists.hpp"
#include "search/elimination/small_elimination.hpp"
#include "search/undo_log.hpp"

namespace treebound {

class EliminationTree {
 public:
  /// `cardinalities` may be empty if the states are not bounded.
  EliminationTree(std::uint32_t num_variables, BagBound bound, std::span<const std::uint32_t> cardinalities,
                  UndoLog& log);

  /// Makes the tree of an elimination order for the families family_of(v), child included. There must be no
  /// family registered, and the bags of the order must keep the bound.
  template <typename FamilyOf>
  void build(std::span<const VariableId> order, FamilyOf&& family_of) {
    assert(std::ranges::all_of(family_sizes_, [](std::int32_t size) { return size == 0; }));
    for (VariableId v = 0; v < num_variables_; ++v)
      if (const auto family = family_of(v); family.size() >= 2) write_family(v, family);
    build(order);
  }

  /// Whether some bag holds all variables of a family now.
  bool holds(std::span<const VariableId> family) const;

  /// Inserts a family into the tree: makes some bag hold it if a local change can do so; false, and nothing
  /// changed, if not. A success must be followed by add() for the same family.
  bool cover(std::span<const VariableId> family);

  enum class Outcome : std::uint8_t { kCovered, kFailed, kPassedOver };
  /// The same, but skips families whose members are so far apart that it nearly always fails.
  Outcome cover_if_likely(std::span<const VariableId> family);

  /// Registers a family of two members or more under the number `owner`, in a network that of its child,
  /// which must have none; some bag must hold it.
  void add(VariableId owner, std::span<const VariableId> family);

  /// Removes the family of `owner`, if it has one, and shrinks the bags that were larger because of it.
  void remove(VariableId owner);

  /// Variables whose families block a family that cannot be covered: those registered along the paths that
  /// join its members; empty if these are too long. Valid until the next call of any method.
  std::span<const std::int32_t> blocking_families(std::span<const VariableId> family) {
    if (!find_paths(family) || !collect_local_graph()) owners_.clear();
    return owners_;
  }

  /// The neighbours of u when it is eliminated; with u itself they are its bag.
  std::span<const std::int32_t> separator(VariableId u) const {
    return {separators_.data() + std::size_t{u} * capacity_, static_cast<std::size_t>(sizes_[u])};
  }
  std::int32_t parent(VariableId u) const { return up_[u]; }

  /// All variables, every one before its ancestors.
  std::vector<VariableId> elimination_order() const;

  /// Whether the tree is that of its families and keeps the bound: slow, for asserts. Between cover() and
  /// add() it is not.
  bool is_valid() const;

 private:
  bool are_bags_valid() const;
  bool are_supports_valid() const;
  bool are_lists_valid() const;
  bool has_family(VariableId owner) const { return family_sizes_[owner] > 0; }
  static constexpr std::int32_t kNone = NodeLists::kNone;
  static constexpr std::size_t kMaxLocal = 256;

  static std::int32_t& at(std::vector<std::int32_t>& numbers, std::int32_t index) {
    return numbers[static_cast<std::size_t>(index)];
  }
  std::int32_t* separator_of(std::int32_t u) {
    return separators_.data() + static_cast<std::size_t>(u) * capacity_;
  }
  std::int32_t* support_of(std::int32_t u) {
    return support_.data() + static_cast<std::size_t>(u) * capacity_;
  }
  std::int32_t* family_of(std::int32_t x) {
    return families_.data() + static_cast<std::size_t>(x) * (capacity_ + 1);
  }
  void write_family(VariableId owner, std::span<const VariableId> family);
  void build(std::span<const VariableId> order);
  void add_to_separator(std::int32_t u, std::int32_t w);
  bool is_in_separator(std::int32_t u, std::int32_t w) const;
  std::int32_t lowest(std::span<const std::int32_t> chain) const;
  void add_support(std::int32_t u, std::int32_t w);
  bool drop_support(std::int32_t u, std::int32_t w);
  void shrink(std::int32_t u, std::vector<std::int32_t>& gone);
  void link_family(std::int32_t x, std::int32_t u);

  bool climb(std::span<const VariableId> family);
  bool find_paths(std::span<const VariableId> family);
  bool collect_local_graph();
  bool may_be_covered(std::span<const VariableId> family) const;
  bool eliminate_inner(std::span<const VariableId> family);
  template <std::size_t kWords>
  bool eliminate_paths(SmallElimination<kWords>& graph, std::span<const VariableId> family);
  template <std::size_t kWords>
  void apply(const SmallElimination<kWords>& graph);
  std::int32_t first_eliminated(std::span<const std::int32_t> members) const;
  template <typename Members>
  void join(auto& graph, const Members& members);

  std::uint32_t num_variables_;
  BagBound bound_;
  std::size_t capacity_;  // of a separator
  std::vector<double> states_;
  std::vector<float> log_states_;
  UndoLog* log_;

  std::vector<std::int32_t> up_, sizes_, separators_, support_;
  // Children with two or more members in their separator: only these take part when a path is eliminated
  // again. A child with one member there always stays a child of that member.
  NodeLists children_;
  // Families by owner, the node where each is registered (its lowest member), and the owners at a node.
  std::vector<std::int32_t> families_, family_sizes_, family_nodes_;
  NodeLists owners_at_;

  // Scratch of cover(): inner_ are the nodes to eliminate again, outer_ the separator of the topmost of them.
  std::vector<std::int32_t> inner_, outer_, attached_, owners_;
  std::int32_t top_ = kNone;  // the topmost inner node: its separator lies outside
  std::vector<std::uint16_t> local_, ranks_;
  std::vector<std::uint64_t> stamps_;
  std::uint64_t stamp_ = 0;
  struct Place {
    std::uint32_t route;
    std::uint32_t index;
  };
  struct Route {
    std::vector<std::int32_t> nodes;
    std::int32_t front;  // next node to enter, kNone beyond a root
    enum class State : std::uint8_t { kClimbing, kJoined, kAtRoot } state;
    Place joined;  // where it met another route
  };
  std::vector<Route> routes_;
  std::vector<Place> places_;
  std::vector<double> local_states_;
  std::vector<float> local_log_states_;
  std::vector<std::uint16_t> clique_;
  std::vector<std::int32_t> gone_, next_gone_;
  CoverOdds odds_;
  SmallElimination<1> small_;
  SmallElimination<2> medium_;
  SmallElimination<4> large_;
};

}  // namespace treebound
