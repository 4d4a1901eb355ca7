// A network under construction: one parent set per variable, always acyclic and always within the bound.
//
// Not tied to an insertion order: arcs keep a topological order of their own, the width is certified by an
// elimination tree, and any network whose families find room is reachable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/regrow/arc_order.hpp"
#include "search/regrow/elimination_tree.hpp"
#include "search/regrow/family_pool.hpp"
#include "search/regrow/undo_log.hpp"

namespace treebound {

class BoundedNetwork {
 public:
  BoundedNetwork(const FamilyPool& pool, BagBound bound, std::span<const std::uint32_t> cardinalities);

  EntryId chosen(VariableId v) const { return chosen_[v]; }
  const std::vector<EntryId>& all_chosen() const { return chosen_; }
  double score(VariableId v) const { return pool_->score(chosen_[v]); }
  /// What all changes since the last keep() or take_back() have gained.
  double gain() const { return gain_; }
  std::span<const VariableId> parents(VariableId v) const { return pool_->parents(chosen_[v]); }
  const FamilyPool& pool() const { return *pool_; }
  const ArcOrder& arcs() const { return arcs_; }
  const EliminationTree& tree() const { return tree_; }

  /// Starts anew from a network that is known to keep the bound when its variables leave in this order.
  void load(std::span<const EntryId> chosen, std::span<const VariableId> elimination_order);

  /// Takes the parents of v away.
  void release(VariableId v);
  /// Gives v, released before, these parents if they close no cycle and find room.
  bool place(VariableId v, EntryId entry);
  /// Gives v, released before, the best parents that close no cycle and find room. Room is made at most
  /// `max_tests` times in vain; after that only sets that some bag holds already are taken.
  void place_best(VariableId v, std::uint32_t max_tests);

  /// Asks for the variables that paths along the arcs from v, released before, lead to, v among them; valid
  /// until the next change.
  void mark_from(VariableId v) {
    arcs_.mark_from(v);
    origin_ = v;
  }
  bool is_reached(VariableId u) { return u == origin_ || arcs_.is_descendant(u); }
  /// Variables whose families stand in the way of a family that no bag holds; empty if they are too many.
  std::span<const std::int32_t> in_the_way(EntryId entry) { return tree_.in_the_way(pool_->family(entry)); }
  bool holds(EntryId entry) const { return tree_.holds(pool_->family(entry)); }

  /// Makes all changes final, or takes those since the last call of either back.
  void keep();
  void take_back();

 private:
  bool is_acyclic(EntryId entry);
  void choose(VariableId v, EntryId entry);

  const FamilyPool* pool_;
  UndoLog log_;
  ArcOrder arcs_;
  EliminationTree tree_;
  std::vector<EntryId> chosen_;
  struct Change {
    VariableId variable;
    EntryId before;
  };
  std::vector<Change> changes_;
  VariableId origin_ = 0;
  double gain_ = 0;
};

}  // namespace treebound
