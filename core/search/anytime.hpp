// What all solvers share: many independent constructions in several threads, and the best one kept.
//
// Step i draws only from random stream (seed, i), and of equal scores the smallest step wins, so a budget of
// steps has one outcome for any number of threads. A solver that learns from earlier steps works in rounds:
// within a round all steps see the best of the rounds before, and nothing else.
//
// The search ends when the incumbent reaches the upper bound of the run: no step after that is begun, and
// those before are completed, so here too the smallest step wins. It may end when it has not improved for
// long (Incumbent::has_stalled); with a budget of steps alone this is checked only when all threads wait.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "base/run.hpp"
#include "search/found.hpp"
#include "search/incumbent.hpp"
#include "search/problem.hpp"

namespace treebound {

/// The task of a solver, and where it stores its result.
struct SearchTask {
  /// Where the rules require parents, the structure of the least allowed sets is the first incumbent.
  SearchTask(const SearchProblem& problem, Run& run, std::uint64_t seed, SearchStart start);

  const SearchProblem& problem;
  Run& run;
  const std::uint64_t seed;
  const SearchStart start;
  Incumbent incumbent;
};

/// What a construction may look at while it runs.
class SearchContext {
 public:
  explicit SearchContext(const SearchTask& task) : task_(task), round_order_(task.start.insertion_order) {}

  bool should_stop() const { return task_.run.should_stop(); }
  /// The part of the budget that is used before this step; zero if it has no end. With a budget of steps
  /// alone the clock is not read.
  double spent(std::uint64_t step) const {
    const Run& run = task_.run;
    const double steps = static_cast<double>(step) / static_cast<double>(run.max_steps());
    if (!run.has_deadline()) return steps;
    return std::max(steps, std::chrono::duration<double>(Clock::now() - run.start()) /
                               std::chrono::duration<double>(run.deadline() - run.start()));
  }
  double best_score() const { return task_.incumbent.score(); }
  /// Whether a structure with this score, found at this step, would be of no use.
  bool is_beaten(double score, std::uint64_t step) const { return task_.incumbent.is_beaten(score, step); }
  /// Best of the rounds before; in the first one that of the start, empty if there is none.
  const std::vector<VariableId>& round_order() const { return round_order_; }

 private:
  friend class AnytimeSearch;
  const SearchTask& task_;
  std::vector<VariableId> round_order_;
};

enum class Proof : std::uint8_t { kNone, kOptimal, kBeaten, kOutOfMemory };

/// One per thread, so it may keep its memory between constructions.
class Constructor {
 public:
  virtual ~Constructor() = default;
  /// Builds the structure of a step and returns what was proved about it.
  virtual Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) = 0;
  virtual double score() const = 0;
  /// Everything but the score and the step.
  virtual void write(Found& found) const = 0;
};

struct SearchPlan {
  std::function<std::unique_ptr<Constructor>()> make_constructor;
  std::uint64_t num_distinct_steps = std::numeric_limits<std::uint64_t>::max();  // then nothing new comes
  std::uint64_t steps_per_round = std::numeric_limits<std::uint64_t>::max();
  std::function<void()> between_rounds = [] {};  // while no construction runs
};

struct ProofCounts {
  std::uint64_t num_proved = 0;         // constructions proved optimal for their order
  std::uint64_t num_skipped = 0;        // orders given up since they could not beat the best
  std::uint64_t num_out_of_memory = 0;  // orders whose proof was given up because memory ran out
};

/// Carries out the plan until the run ends, and records why it did. An exception in a thread, such as
/// std::bad_alloc, ends the search and is thrown when all threads have stopped; the incumbent stays.
ProofCounts run_search(const SearchPlan& plan, SearchTask& task);

}  // namespace treebound
