// Parent set identification for all variables: shares out threads and budget, and can stop and go on.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/run.hpp"
#include "data/dataset.hpp"
#include "scoring/cache/parent_set_cache.hpp"
#include "scoring/families/family_rules.hpp"
#include "scoring/families/pair_terms.hpp"
#include "scoring/local_score.hpp"
#include "scoring/selection/exhaustive.hpp"
#include "scoring/selection/independence.hpp"
#include "scoring/selection/pruning.hpp"

namespace treebound {

struct ScoringOptions {
  enum class Method { exhaustive, independence };
  Method method;
  std::size_t max_parents;
  RuleSet rules;
  std::size_t max_visited_per_variable;  // bounds the memory of independence selection
  std::size_t max_pairs;                 // bounds that of the pairs that all searches begin with
  FamilyRules families;                  // which sets may be scored
};

struct ScoringResult {
  ParentSetCache cache;
  std::vector<std::uint8_t> is_finished;  // per variable of the job, as are the sets of the cache
  PruningReport report;
};

class ScoringJob {
 public:
  /// Scores sets of some variables, ascending; `pairs` are those of the same data and options if the caller
  /// has counted them before.
  ScoringJob(const Dataset& data, const LocalScore& score, ScoringOptions options,
             std::vector<VariableId> variables, std::shared_ptr<PairTerms> pairs);

  /// Works until everything is scored, or the run ends. Steps are sets scored, shared out equally among
  /// variables; for the same steps the outcome is the same with any number of threads. The score of the run
  /// is the sum of the best ones. May be called again, with another run, to go on.
  void work(Run& run);

  /// One turn of up to `steps_each` steps for each of some unfinished variables; returns the steps taken.
  /// work() with a budget of steps is such turns, of steps_of_turn() steps each.
  std::uint64_t work_turn(Run& run, std::span<const VariableId> todo, std::uint64_t steps_each);
  /// The steps of a variable in a turn, counted from 1, given the steps and variables that are left.
  static std::uint64_t steps_of_turn(ScoringOptions::Method method, int turn, std::uint64_t steps_left,
                                     std::size_t num_unfinished);

  bool is_finished() const;
  const std::vector<VariableId>& variables() const { return variables_; }
  std::vector<VariableId> unfinished() const;
  /// Pairs for another job; null before work().
  std::shared_ptr<PairTerms> pairs() const { return pairs_; }

  /// Whether there is a result: not while pairs are still being counted.
  bool has_result() const { return has_result_; }
  /// The sets found so far; every variable has at least its empty set. May be called while another thread is
  /// in work(), which then pauses.
  ScoringResult result(std::size_t num_threads);
  /// Calls use(v, state) for every variable of the data; may be called at any time too.
  template <typename Use>
  void for_each_state(Use&& use) {
    const std::unique_lock pause(pause_);
    for (VariableId v = 0; v < states_.size(); ++v) use(v, std::as_const(states_[v]));
  }

  /// Exhaustive search: takes over the finished result of a variable from an earlier session.
  void restore_finished(VariableId v, ParentSetList kept);
  /// Independence selection: what was visited, to save, or to fill from an earlier session before the first
  /// call of work().
  IndependenceState& state(VariableId v) { return states_[v]; }
  void restore_state_finished(VariableId v) {
    states_[v].is_finished = true;
    finished_[v] = 1;
  }

 private:
  void prepare(Run& run);
  void count_pairs(Run& run);
  void run_exhaustive(Run& run, std::span<const VariableId> todo, std::uint64_t steps_each);
  void run_independence(Run& run, std::uint64_t max_steps);
  /// One turn for each variable; steps_each bounds a turn, as do shares of the seconds until `round_end`.
  /// Returns the steps taken.
  std::uint64_t run_round(Run& run, std::span<const VariableId> todo, Clock::time_point round_end,
                          std::uint64_t steps_each);
  Collected collect_variable(VariableId v);
  Pruning pruning(VariableId v) const {
    return {*data_, *score_, *pairs_, options_.rules, options_.families, v};
  }
  double empty_score(VariableId v) const;
  double gain(VariableId v) const;  // by how much the best set so far beats the empty one
  void mark_finished(VariableId v, Run& run);
  StopReason reason(const Run& run) const;

  const Dataset* data_;
  std::unique_ptr<LocalScore> score_;
  ScoringOptions options_;
  std::atomic<bool> has_result_{false};
  std::shared_mutex pause_;  // held shared while states change, alone while they are read
  std::vector<VariableId> variables_;
  std::shared_ptr<PairTerms> pairs_;
  std::vector<std::uint8_t> finished_;
  std::vector<ParentSetList> kept_;                     // exhaustive
  std::vector<PruningReport> reports_;                  // exhaustive
  std::vector<IndependenceState> states_;               // independence
  std::vector<std::unique_ptr<FamilyScorer>> scorers_;  // one per thread
};

}  // namespace treebound
