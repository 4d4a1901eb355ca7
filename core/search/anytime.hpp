// What all solvers share: many independent constructions, by as many threads as asked, the best one kept.
//
// Step i draws only from random stream (seed, i), and of equal scores the smallest step wins, so a budget of
// steps has one outcome whatever the number of threads. A solver that learns from earlier steps asks for
// rounds: within a round all steps see the best of the rounds before, and nothing else.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "base/run.hpp"
#include "search/problem.hpp"

namespace treebound {

/// A search to go on from: only what beats its score counts, and step i draws from stream (seed, first_step +
/// i).
struct SearchStart {
  double score = -std::numeric_limits<double>::infinity();
  std::vector<VariableId> insertion_order;  // may be empty
  std::uint64_t first_step = 0;
};

struct SearchLimits {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t steps = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t num_threads = 1;
  std::uint64_t seed = 0;
  SearchStart start = {};
};

/// One structure with its witness. A solver that grows a k-tree writes the set chosen per variable (index in
/// the cache), the variables as inserted, and in row v of `separators` the k-clique that v joined (of a
/// member of the root clique: the rest of it). One that does not writes families of its own (the parents of v
/// are parents[parent_offsets[v]..parent_offsets[v + 1]]) with their scores, and an elimination order.
struct FoundStructure {
  double score = -std::numeric_limits<double>::infinity();
  std::uint64_t step = 0;
  bool is_optimal_for_order = false;
  std::vector<std::int64_t> sets;
  std::vector<VariableId> insertion_order;
  std::vector<VariableId> separators;
  std::vector<std::int64_t> parent_offsets;
  std::vector<VariableId> parents;
  std::vector<double> local_scores;
  std::vector<VariableId> elimination_order;
};

struct Improvement {
  double seconds;
  std::uint64_t step;
  double score;
};

struct SearchOutcome {
  FoundStructure best;
  std::vector<Improvement> trace;  // as seen in time; its end does not depend on the threads
  std::uint64_t steps = 0;
  std::uint64_t num_proved = 0;   // constructions proved optimal for their order
  std::uint64_t num_skipped = 0;  // orders given up since they could not beat the best
  double seconds = 0;
  StopReason reason = StopReason::kSteps;
};

/// What a construction may look at while it runs.
class SearchContext {
 public:
  using Clock = std::chrono::steady_clock;

  bool should_stop() const {
    return is_stopped_.load(std::memory_order_relaxed) || Clock::now() >= deadline_;
  }
  /// The part of the budget that is used before this step; zero if it has no end. Where only steps are
  /// counted it does not look at the clock.
  double spent(std::uint64_t step) const {
    const double steps = static_cast<double>(step) / static_cast<double>(num_steps_);
    if (deadline_ == Clock::time_point::max()) return steps;
    return std::max(steps, std::chrono::duration<double>(Clock::now() - start_) /
                               std::chrono::duration<double>(deadline_ - start_));
  }
  double best_score() const { return best_score_.load(std::memory_order_acquire); }
  /// Whether a structure with this score, found at this step, would be of no use.
  bool is_beaten(double score, std::uint64_t step) const {
    const double best = best_score();
    return score < best || (score == best && step > best_step_.load(std::memory_order_acquire));
  }
  /// Best of the rounds before; in the first one that of the start, empty if there is none.
  const std::vector<VariableId>& round_order() const { return round_order_; }

 private:
  friend class AnytimeSearch;
  std::atomic<bool> is_stopped_{false};
  Clock::time_point start_ = Clock::now();
  Clock::time_point deadline_ = Clock::time_point::max();
  std::uint64_t num_steps_ = 1;
  std::atomic<double> best_score_{-std::numeric_limits<double>::infinity()};
  std::atomic<std::uint64_t> best_step_{0};
  std::vector<VariableId> round_order_;
};

enum class Proof : std::uint8_t { kNone, kOptimal, kBeaten };

/// One per thread, so it may keep its memory between constructions.
class Constructor {
 public:
  virtual ~Constructor() = default;
  /// Builds the structure of a step and says what was proved about it.
  virtual Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) = 0;
  virtual double score() const = 0;
  virtual void write(FoundStructure& found) const = 0;
};

struct SearchPlan {
  std::function<std::unique_ptr<Constructor>()> make_constructor;
  std::uint64_t num_distinct_steps = std::numeric_limits<std::uint64_t>::max();  // then nothing new comes
  std::uint64_t steps_per_round = std::numeric_limits<std::uint64_t>::max();
  std::function<void()> between_rounds = [] {};  // while no construction runs
};

/// Called by the calling thread a few times per second, with the best structure as of now (its score is that
/// of the start, and its lists are empty, while nothing better was found); true asks to stop.
using SearchPoll = std::function<bool(double seconds, std::uint64_t steps, const FoundStructure& best)>;

SearchOutcome run_search(const SearchPlan& plan, const SearchLimits& limits, const SearchPoll& poll);

}  // namespace treebound
