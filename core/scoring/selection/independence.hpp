// Independence selection: best-first search for parent sets, led by the estimate BIC* (Scanagatta et al.
// 2015).
//
// BIC* of P u {Y} is what BIC would be if P and Y were independent sources of information about the child:
//   BIC*(P u {Y}) = BIC(P) + BIC(Y) - BIC({}) + c (|P| + |Y| - |P||Y| - 1),  c = (log N / 2)(|X| - 1),
// known at once from the scores of the parts. The open pair (P, Y) with the best estimate is scored exactly,
// and its own extensions are opened in turn. (For BDeu the last term, a difference of penalties, is zero.)
//
// The open list holds streams, not pairs: for a scored set P and a number of states r, the parents Y with r
// states in order of their own score, which is the order of the estimates. Only the head of a stream is in
// the heap, so all n - 1 extensions of a set cost as little room as one, and none need be given up. The
// streams of single parents are opened one after the other for the same reason, and of the streams of a set
// only the best is there until its turn comes: most sets are never extended. A stream dies as a whole when de
// Campos and Ji's rule closes it, since that rule needs only the number of states of Y.
//
// Where parents are required, the search begins with the set of all of them, the *base*, and extends nothing
// else. The empty set is kept all the same, since every list of a cache has it.
//
// Sets are taken from the heap in batches, which are scored in lexicographic order to share the split of the
// rows. The order of the search depends on nothing but the data, so any division of the work gives the same
// sets.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/block_vector.hpp"
#include "scoring/families/family_scorer.hpp"
#include "scoring/selection/parent_set_list.hpp"
#include "scoring/selection/pruning.hpp"
#include "scoring/set_index.hpp"

namespace treebound {

/// A set of two or more parents that was taken from the open list, or the required parents.
struct VisitedSet {
  enum class Status : std::uint8_t { pending, open, closed };  // pending: in the batch, not yet scored

  double score, best, loss;  // as in ScoredSet, whose number of parent states follows from the members
  Term parent_term;
  std::uint32_t num_configurations;
  std::uint32_t first_member;
  std::uint8_t size;
  Status status;

  void set_scored(const ScoredSet& scored) {
    score = scored.score;
    best = scored.best;
    loss = scored.loss;
    parent_term = scored.parent_term;
    num_configurations = scored.num_configurations;
  }
};

/// What the search of one variable has to remember between its turns.
struct IndependenceState {
  struct Stream {
    double estimate;
    std::uint32_t base;        // number of the visited set, or rank of a single parent in its class
    std::uint32_t rank;        // of the next extension in its class
    std::uint16_t base_class;  // class of the single parent; kVisited for a visited set
    std::uint16_t next_class;

    /// Later in the heap's order: a smaller estimate; ties by the other fields, to leave nothing to chance.
    friend bool operator<(const Stream& a, const Stream& b);
  };
  static constexpr std::uint16_t kVisited = 0xffff;

  bool has_started = false;
  bool is_finished = false;
  double gain = 0;  // by how much the best set found beats the empty one
  // All variables together remember tens of millions of sets. Blocks leave less room unused than vectors that
  // grow and move, and none of it in pieces.
  BlockVector<VisitedSet, 64> visited;
  BlockVector<VariableId, 256> members;
  SetIndex index;
  std::vector<Stream> heap;
  PruningReport report;

  std::span<const VariableId> members_of(const VisitedSet& set) const {
    return {&members[set.first_member], set.size};
  }
  /// The visited set with these members, or null.
  const VisitedSet* find(std::uint64_t hash, std::span<const VariableId> parents) const;
  /// Adds a set and returns its number. Sets of an earlier session are added before the search starts, which
  /// then opens their streams.
  std::uint32_t add(std::span<const VariableId> parents, const ScoredSet& scored, VisitedSet::Status status);
};

class IndependenceSearch {
 public:
  IndependenceSearch(const Pruning& pruning, FamilyScorer& scorer, IndependenceState& state,
                     std::size_t max_parents, std::size_t max_visited);

  /// Batches large enough for extensions of one set to meet, small enough to stay close to best-first.
  static constexpr std::size_t kBatch = 512;

  /// Scores up to `max_sets` more sets in batches of up to `max_batch`; after each, and once before,
  /// should_stop(number just scored) is called. Returns how many were scored.
  template <typename ShouldStop>
  std::uint64_t run(std::uint64_t max_sets, std::size_t max_batch, ShouldStop&& should_stop) {
    std::uint64_t total = 0, batch = 0;
    while (!should_stop(batch) && !state_->is_finished && total < max_sets) {
      batch = score_batch(std::min<std::uint64_t>(max_batch, max_sets - total));
      total += batch;
    }
    return total;
  }

 private:
  struct Class {
    std::uint32_t num_states;
    std::vector<VariableId> parents;  // by falling score
  };
  /// A set of the batch: its number, and the stream and parent that it came from.
  struct Pending {
    std::uint32_t number;
    std::uint16_t base_class;
    std::uint32_t base;
    VariableId last;
  };

  void rank_singles();
  void open_first_streams();
  /// Begins with the required parents, if there are any.
  void visit_base();
  void open_streams(std::uint32_t visited);
  /// Calls use(stream) with the streams of a visited set that no rule closes.
  template <typename Use>
  void for_each_stream(std::uint32_t visited, Use&& use) const;
  void open_other_streams(const IndependenceState::Stream& first);
  void open_pair_stream(std::uint16_t base_class, std::uint32_t base, std::uint16_t next_class);
  void push(IndependenceState::Stream stream);
  double estimate(const ScoredSet& base, VariableId y) const;
  ScoredSet single(VariableId y) const;
  ScoredSet scored(const VisitedSet& set) const;

  std::uint64_t score_batch(std::uint64_t max_sets);
  /// Takes the next few extensions of the best stream into the batch.
  void take_next(std::vector<Pending>& batch, std::size_t max_sets);
  /// Adds y to candidate_. Returns the number of the set if it is new and no rule closes it.
  std::optional<std::uint32_t> visit_with(VariableId y);
  void score_pending(const Pending& pending);
  /// Calls visit(subset, scored, left_out) for every scored subset of candidate_ with one member less, until
  /// it returns false; returns false if one of those before is closed.
  template <typename Visit>
  bool for_each_subset(Visit&& visit) const;

  const Pruning* pruning_;
  FamilyScorer* scorer_;
  IndependenceState* state_;
  std::size_t max_parents_;
  std::size_t max_visited_;
  ScoredSet empty_;
  ScoredSet base_;  // of the required parents: the empty set where there are none
  std::vector<Class> classes_;
  std::vector<VariableId> candidate_;
  mutable std::vector<VariableId> subset_;
};

/// The sets worth keeping among those scored so far, with the best single parents and the empty set. Each of
/// n variables may have n - 1 single parents, which a wide table has no room for. The scorer is for required
/// parents and is null where there are none.
struct Collected {
  ParentSetList kept;
  std::uint64_t num_dominated = 0;
};
Collected collect(const Pruning& pruning, const IndependenceState& state, std::size_t max_parents,
                  std::size_t max_singles, FamilyScorer* scorer);

}  // namespace treebound
