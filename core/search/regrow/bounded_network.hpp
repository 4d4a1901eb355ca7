// A network under construction: one parent set per variable, always acyclic and always within the bound.
//
// It is not tied to an insertion order: the arcs have a topological order of their own, the witness of the
// width is an elimination tree, and any network whose families can be covered is reachable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/arc_order.hpp"
#include "search/elimination/elimination_tree.hpp"
#include "search/regrow/family_pool.hpp"
#include "search/undo_log.hpp"

namespace treebound {

class BoundedNetwork {
 public:
  /// The network of the least allowed sets.
  explicit BoundedNetwork(const FamilyPool& pool);

  FamilyId chosen(VariableId v) const { return chosen_[v]; }
  const std::vector<FamilyId>& all_chosen() const { return chosen_; }
  double score(VariableId v) const { return pool_->score(chosen_[v]); }
  /// What all changes since the last keep() or take_back() have gained.
  double gain() const { return gain_; }
  std::span<const VariableId> parents(VariableId v) const { return pool_->parents(chosen_[v]); }
  /// Whether these changes have left a hole (../problem.hpp), while there was none before.
  bool has_hole() const { return gain_ < -pool_->problem().loss_of_hole(); }
  const FamilyPool& pool() const { return *pool_; }
  const ArcOrder& arcs() const { return arcs_; }
  const EliminationTree& tree() const { return tree_; }

  /// Replaces everything by a network whose elimination order is known to keep the bound.
  void load(std::span<const FamilyId> chosen, std::span<const VariableId> elimination_order);

  /// Removes the parents of v.
  void release(VariableId v);
  /// Gives v, released before, these parents if they close no cycle and the tree can cover the family.
  bool place(VariableId v, FamilyId family);
  /// Gives v, released before, the best parents that close no cycle and that the tree can cover. After
  /// `max_tests` families that could not be covered, only those that some bag holds already are taken.
  void place_best(VariableId v, std::uint32_t max_tests);

  /// Prepares is_reached: whether u is v, released before, or one of its descendants. Valid until the next
  /// change.
  void mark_from(VariableId v) {
    arcs_.mark_from(v);
    origin_ = v;
  }
  bool is_reached(VariableId u) { return u == origin_ || arcs_.is_descendant(u); }
  /// Variables whose families block one that no bag holds; empty if the paths between its members are long.
  std::span<const std::int32_t> blocking_families(FamilyId family) {
    return tree_.blocking_families(pool_->members(family));
  }
  bool holds(FamilyId family) const { return tree_.holds(pool_->members(family)); }

  /// Makes all changes final, or undoes those since the last call of either.
  void keep();
  void take_back();

  /// Whether arcs, tree and chosen families agree: slow, for asserts.
  bool is_valid() const;

 private:
  bool is_released(VariableId v) const { return chosen_[v] == pool_->last_family(v); }
  bool is_acyclic(std::span<const VariableId> parents);
  bool try_family(VariableId v, FamilyId family, std::uint32_t max_tests, std::uint32_t& num_failed);
  void choose(VariableId v, FamilyId family);

  const FamilyPool* pool_;
  UndoLog log_;
  ArcOrder arcs_;
  EliminationTree tree_;
  std::vector<FamilyId> chosen_;
  struct Change {
    VariableId variable;
    FamilyId before;
  };
  std::vector<Change> changes_;
  VariableId origin_ = 0;
  double gain_ = 0;
};

}  // namespace treebound
