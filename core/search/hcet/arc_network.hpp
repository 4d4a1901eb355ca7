// A network that changes arc by arc, always acyclic and always within the bound.
//
// A change is tried on the elimination tree first: if the tree cannot cover the new families it is rolled
// back and nothing has changed. The caller checks for cycles, since it checks many arcs of one child at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "search/arc_order.hpp"
#include "search/elimination/elimination_tree.hpp"
#include "search/found.hpp"
#include "search/undo_log.hpp"

namespace treebound {

class ArcNetwork {
 public:
  /// Without arcs. `cardinalities` may be empty if the states are not bounded.
  ArcNetwork(std::uint32_t num_variables, BagBound bound, std::span<const std::uint32_t> cardinalities);

  std::span<const VariableId> parents(VariableId v) const { return std::span(families_[v]).subspan(1); }
  std::span<const VariableId> children(VariableId v) const { return arcs_.children(v); }
  std::vector<VariableId> elimination_order() const { return tree_.elimination_order(); }

  /// Replaces everything by a network whose elimination order is known to keep the bound.
  void load(const Families& families, std::span<const VariableId> elimination_order);

  /// Whether the arc, which is not there, would close a cycle.
  bool closes_cycle(VariableId parent, VariableId child) { return arcs_.leads_to(child, parent); }
  /// The same for many parents of one child: prepares closes_cycle(parent), valid until the next change.
  void mark_from(VariableId child) { arcs_.mark_from(child); }
  bool closes_cycle(VariableId parent) { return arcs_.is_descendant(parent); }
  /// Whether reversing the arc, which is there, would close a cycle.
  bool closes_cycle_reversed(VariableId parent, VariableId child);

  /// Each makes a change that closes no cycle; false, and nothing changed, if the tree cannot be kept within
  /// the bound by a local change.
  bool add(VariableId parent, VariableId child);
  bool remove(VariableId parent, VariableId child);
  bool reverse(VariableId parent, VariableId child);

  /// Removes all arcs into v.
  void release(VariableId v);

  /// Variables from which v can be reached, v among them. Valid until the next call.
  std::span<const VariableId> ancestors(VariableId v);

  /// Whether families, arcs and tree agree: slow, for asserts.
  bool is_valid() const;

 private:
  using Family = std::vector<VariableId>;  // the child first

  static void take_out(Family& family, VariableId parent);
  bool fits(VariableId v, const Family& family);
  void set_family(VariableId v, const Family& family);

  UndoLog log_;
  ArcOrder arcs_;
  EliminationTree tree_;
  std::vector<Family> families_;
  Family first_, second_;  // scratch
  std::vector<VariableId> found_;
  std::vector<std::uint64_t> stamps_;
  std::uint64_t stamp_ = 0;
};

}  // namespace treebound
