// A width certificate that changes with the network: the elimination tree of the moral graph, kept exact
// under adding and removing families, at a cost that does not depend on the number of variables.
//
// Eliminating the variables of a graph one by one gives each variable u a bag: u and the neighbours that it
// has when it leaves, here `above(u)`. The first of them to leave is the parent of u, and the bags along this
// tree are a tree decomposition (Benjumeda, Bielza, Larranaga 2019 search with such trees, too). No order is
// stored: it is the tree, and the members of above(u) are ancestors of u. Bags are never larger than the
// families ask for, because every member of above(u) counts who supports it: a family whose lowest member is
// u, or a child of u in the tree whose own bag it is in. When the last support goes, so does the member, and
// the loss is handed up.
//
// A family that no bag holds is given room by eliminating afresh only the tree paths that join its members:
// what hangs below a path enters as a clique, what is above stays as it is (the graft of BN-SLIM, Peruvemba
// Ramaswamy and Szeider 2021, with a greedy elimination in the place of MaxSAT). Restricting the new order to
// these paths is what makes the test local; that it may fail where a global search for an order would succeed
// is the price.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "search/regrow/small_elimination.hpp"
#include "search/regrow/undo_log.hpp"

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
    for (VariableId v = 0; v < num_variables_; ++v)
      if (const auto family = family_of(v); family.size() >= 2) write_family(v, family);
    build(order);
  }

  /// Whether some bag holds all variables of a family as things are.
  bool holds(std::span<const VariableId> family) const;

  /// Makes some bag hold the family if a local change can do it; false, and nothing changed, if not. A
  /// success must be followed by add() for the same family.
  bool make_room(std::span<const VariableId> family);

  /// Registers the family (child and parents, two members or more) of `owner`; some bag must hold it.
  void add(VariableId owner, std::span<const VariableId> family);

  /// Takes the family of `owner` out, if it has one, and shrinks the bags that were larger for its sake.
  void remove(VariableId owner);

  /// Variables whose families are in the way of a family that finds no room: those registered along the
  /// paths that join its members. Valid until the next call of any method.
  std::span<const std::int32_t> in_the_way(std::span<const VariableId> family) {
    if (!find_paths(family)) owners_.clear();
    return owners_;
  }

  std::span<const std::int32_t> above(VariableId u) const {
    return {above_.data() + std::size_t{u} * capacity_, static_cast<std::size_t>(sizes_[u])};
  }
  std::int32_t parent(VariableId u) const { return up_[u]; }

  /// All variables, every one before its ancestors.
  std::vector<VariableId> elimination_order() const;

 private:
  static constexpr std::int32_t kNone = -1;
  static constexpr std::size_t kMaxLocal = 256;

  static std::int32_t& at(std::vector<std::int32_t>& numbers, std::int32_t index) {
    return numbers[static_cast<std::size_t>(index)];
  }
  std::int32_t* above_of(std::int32_t u) { return above_.data() + static_cast<std::size_t>(u) * capacity_; }
  std::int32_t* support_of(std::int32_t u) {
    return support_.data() + static_cast<std::size_t>(u) * capacity_;
  }
  std::int32_t* family_of(std::int32_t x) {
    return families_.data() + static_cast<std::size_t>(x) * (capacity_ + 1);
  }
  void write_family(VariableId owner, std::span<const VariableId> family);
  void build(std::span<const VariableId> order);
  void gather(std::int32_t u, std::int32_t w);
  bool is_above(std::int32_t u, std::int32_t w) const;
  std::int32_t lowest(std::span<const std::int32_t> chain) const;
  void add_support(std::int32_t u, std::int32_t w);
  bool drop_support(std::int32_t u, std::int32_t w);
  void shrink(std::int32_t u, std::vector<std::int32_t>& gone);
  void link_child(std::int32_t c, std::int32_t u);
  void unlink_child(std::int32_t c, std::int32_t u);
  void link_family(std::int32_t x, std::int32_t u);
  void unlink_family(std::int32_t x);

  bool climb(std::span<const VariableId> family);
  bool find_paths(std::span<const VariableId> family);
  bool collect_surroundings();
  template <std::size_t kWords>
  bool eliminate_paths(SmallElimination<kWords>& graph, std::span<const VariableId> family);
  template <std::size_t kWords>
  void graft(const SmallElimination<kWords>& graph);
  std::int32_t first_to_leave(std::span<const std::int32_t> members) const;
  template <typename Members>
  void join(auto& graph, const Members& members);

  std::uint32_t num_variables_;
  BagBound bound_;
  std::size_t capacity_;  // of above(u)
  std::vector<double> states_;
  std::vector<float> log_states_;
  UndoLog* log_;

  std::vector<std::int32_t> up_, sizes_, above_, support_;
  // Children with two or more members above, as doubly linked lists: only these take part when a path is
  // eliminated afresh. A child with one member above hangs on it whatever happens.
  std::vector<std::int32_t> first_child_, next_child_, previous_child_;
  // Families by owner, and those registered at a node (their lowest member) as linked lists.
  std::vector<std::int32_t> families_, family_sizes_, homes_;
  std::vector<std::int32_t> first_family_, next_family_, previous_family_;

  // Scratch of make_room: inner_ are the nodes to eliminate afresh, then what surrounds them.
  std::vector<std::int32_t> inner_, around_, hanging_, owners_;
  std::int32_t top_ = kNone;  // inner node whose members above lie outside, if there is one
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
  std::vector<std::int32_t> gone_, next_gone_, moved_;
  SmallElimination<1> small_;
  SmallElimination<2> medium_;
  SmallElimination<4> large_;
};

}  // namespace treebound
