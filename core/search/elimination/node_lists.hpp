// For each node of a tree a doubly linked list of numbers, each in one list at most. All changes are logged
// and can be undone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/undo_log.hpp"

namespace treebound {

class NodeLists {
 public:
  static constexpr std::int32_t kNone = -1;

  explicit NodeLists(std::size_t size) : first_(size, kNone), next_(size, kNone), previous_(size, kNone) {}

  template <typename Visit>
  void for_each(std::int32_t node, Visit visit) const {
    for (std::int32_t x = at(first_, node); x != kNone; x = at(next_, x)) visit(x);
  }

  /// Puts x, which is in no list, at the front of the list of a node.
  void link(std::int32_t x, std::int32_t node, UndoLog& log) {
    const std::int32_t first = at(first_, node);
    log.set(at(next_, x), first);
    log.set(at(previous_, x), kNone);
    if (first != kNone) log.set(at(previous_, first), x);
    log.set(at(first_, node), x);
  }

  /// Removes x from the list of a node.
  void unlink(std::int32_t x, std::int32_t node, UndoLog& log) {
    const std::int32_t next = at(next_, x), previous = at(previous_, x);
    if (next != kNone) log.set(at(previous_, next), previous);
    log.set(previous != kNone ? at(next_, previous) : at(first_, node), next);
  }

  /// Leaves the list of a node empty.
  void clear(std::int32_t node, UndoLog& log) { log.set(at(first_, node), kNone); }

  /// Whether the list of a node holds exactly these numbers, in any order: slow, for asserts.
  bool holds(std::int32_t node, std::vector<std::int32_t> expected) const {
    std::vector<std::int32_t> found;
    std::int32_t before = kNone;
    for (std::int32_t x = at(first_, node); x != kNone; x = at(next_, x)) {
      if (at(previous_, x) != before || found.size() == expected.size()) return false;
      found.push_back(x);
      before = x;
    }
    std::ranges::sort(found);
    std::ranges::sort(expected);
    return found == expected;
  }

 private:
  static std::int32_t& at(std::vector<std::int32_t>& numbers, std::int32_t index) {
    return numbers[static_cast<std::size_t>(index)];
  }
  static std::int32_t at(const std::vector<std::int32_t>& numbers, std::int32_t index) {
    return numbers[static_cast<std::size_t>(index)];
  }

  std::vector<std::int32_t> first_, next_, previous_;
};

}  // namespace treebound
