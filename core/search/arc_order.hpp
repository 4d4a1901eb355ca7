// The arcs of a network that changes, with a topological order kept up to date (Pearce and Kelly 2006).
//
// Most candidate parents stand before their child in the order and are harmless at a glance. For the others
// the descendants of the child are marked, only as far as the order makes it necessary or, before a walk down
// a long list of candidate sets, all at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "search/undo_log.hpp"

namespace treebound {

class ArcOrder {
 public:
  ArcOrder(std::uint32_t num_variables, UndoLog& log);

  /// Adds arcs that close no cycle, and moves as few variables as that takes.
  void add(VariableId child, std::span<const VariableId> parents);
  /// Removes arcs that are there.
  void remove(VariableId child, std::span<const VariableId> parents);

  std::span<const VariableId> children(VariableId v) const { return children_[v]; }

  /// Place of each variable in the topological order.
  std::span<const std::int32_t> positions() const { return positions_; }

  /// Whether children and parents agree and the positions are a topological order: slow, for asserts.
  bool is_valid() const;

  bool has_parents(VariableId v) const { return !parents_[v].empty(); }

  /// Whether there is a path from v to u, another variable. Visits only variables between them.
  bool leads_to(VariableId v, VariableId u);

  /// Prepares is_descendant for a variable; valid until arcs change.
  void mark_from(VariableId v) {
    origin_ = v;
    is_marked_ = false;
  }
  /// Whether there is a path from the marked variable to u, another variable.
  bool is_descendant(VariableId u) {
    if (positions_[u] < positions_[origin_]) return false;
    if (!is_marked_ || positions_[u] > marked_up_to_) mark_descendants(positions_[u]);
    return stamps_[u] == stamp_;
  }

  /// For each variable whether it is v or one of its descendants, and a zero behind the last one. Valid until
  /// the next call.
  const std::uint8_t* all_descendants(VariableId v);

 private:
  void mark_descendants(std::int32_t last);
  void move_before(VariableId parent, VariableId child);

  UndoLog* log_;
  std::vector<std::int32_t> positions_;
  std::vector<std::vector<VariableId>> children_;
  std::vector<std::vector<VariableId>> parents_;
  VariableId origin_ = 0;
  bool is_marked_ = false;
  std::int32_t marked_up_to_ = 0;  // descendants are marked up to this position
  std::vector<std::uint64_t> stamps_;
  std::uint64_t stamp_ = 0;
  std::vector<std::uint8_t> is_descendant_;  // of the variable that was requested last
  std::vector<VariableId> descendants_;
  std::vector<VariableId> reached_, earlier_;
  std::vector<VariableId> waiting_;
  std::vector<VariableId> beyond_;  // children of marked descendants that stand after marked_up_to_
  std::vector<std::int32_t> slots_;
};

}  // namespace treebound
