// A record of overwritten integers, so a move that is rejected can be undone exactly.
//
// Moves touch a handful of words in arrays that never move; remembering (place, old value) for each write
// costs less than copying the state, and does not depend on its size.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace treebound {

class UndoLog {
 public:
  void set(std::int32_t& place, std::int32_t value) {
    if (place == value) return;
    changes_.push_back({&place, place});
    place = value;
  }

  std::size_t mark() const { return changes_.size(); }

  /// Undoes all writes since the mark, the latest first. The mark must not be older than the last forget().
  void roll_back(std::size_t mark) {
    assert(mark <= changes_.size());
    while (changes_.size() > mark) {
      *changes_.back().place = changes_.back().old_value;
      changes_.pop_back();
    }
  }

  /// Makes all writes so far final.
  void forget() { changes_.clear(); }

 private:
  struct Change {
    std::int32_t* place;
    std::int32_t old_value;
  };
  std::vector<Change> changes_;
};

}  // namespace treebound
