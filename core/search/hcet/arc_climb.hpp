// Hill-climbing over arcs: one change after another, always the one that gains most among those that keep the
// network acyclic and its elimination tree within the bound.
//
// A heap holds the best addition of every child, and all removals and reversals that gain. Moves that a
// change made out of date are recognised by their stamp when they come up. An addition that would close a
// cycle is skipped, and tried again when an arc was removed that the cycle may have used; one that the tree
// cannot cover is *rejected*: it is not tried again in this climb, as in the paper. Forbidden arcs are never
// added, and required ones are never removed or reversed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "search/hcet/arc_gains.hpp"
#include "search/hcet/arc_network.hpp"
#include "search/problem.hpp"

namespace treebound {

class ArcClimb {
 public:
  struct Counts {
    std::uint64_t num_added = 0, num_removed = 0, num_reversed = 0, num_rejected = 0;
  };
  enum class Outcome : std::uint8_t { kMoved, kAtOptimum, kStopped };

  ArcClimb(ArcNetwork& network, ArcGains& gains, const SearchProblem& problem, Run& run);

  /// Fills the heap with all moves that gain.
  void begin();
  /// Makes the best move there is and counts again what it changed.
  Outcome step();
  /// Counts again what v gains by its arcs, after its parents were exchanged.
  void recount(VariableId v);
  /// Lets all additions to v be tried again.
  void readmit(VariableId v) { rejected_[v].clear(); }

  const Counts& counts() const { return counts_; }

 private:
  enum class Kind : std::uint8_t { kAdd, kRemove, kReverse };
  struct Move {
    double gain;
    Kind kind;
    VariableId parent, child;
    std::uint64_t stamp;
  };
  /// The heap has the move with the greatest gain on top; of equal ones the first of these numbers.
  static bool is_after(const Move& a, const Move& b);

  std::uint64_t stamp_of(Kind kind, VariableId parent, VariableId child) const;
  bool is_current(const Move& move) const {
    return move.stamp == stamp_of(move.kind, move.parent, move.child);
  }
  bool is_rejected(VariableId parent, VariableId child) const {
    return !rejected_[child].empty() && rejected_[child][parent];
  }
  void reject(VariableId parent, VariableId child);
  void push(const Move& move);
  Move pop();
  void push_next_addition(VariableId child);
  void skip_cycles(VariableId child);
  void push_reversal(std::size_t parent_index, VariableId child);
  void push_moves_of(VariableId v);
  bool try_move(const Move& move);
  void look_again(VariableId parent);

  ArcNetwork* network_;
  ArcGains* gains_;
  const SearchProblem* problem_;
  Run* run_;
  std::vector<Move> heap_;
  std::vector<Move> skipped_;                // reversals that would close a cycle
  std::vector<std::uint32_t> next_;          // by child: how many additions have been skipped
  std::vector<std::uint64_t> head_stamps_;   // by child: of its addition in the heap
  std::vector<std::uint64_t> versions_;      // by child: of its gains
  std::vector<std::vector<bool>> rejected_;  // by child, empty if none was
  Counts counts_;
};

}  // namespace treebound
