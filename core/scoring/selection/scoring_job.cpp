#include "scoring/selection/scoring_job.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <limits>

#include "base/parallel.hpp"

namespace treebound {
namespace {

// Each round spends this share of what is left, so variables which finish early leave time for the
// others.
constexpr double kRoundShare = 0.5;
// A turn shorter than this goes into its preparation: then, and after this many rounds, all that is left goes
// into one last round.
constexpr double kShortestTurn = 0.02;
constexpr int kMaxRounds = 5;
// A turn ends with a whole batch. In turns of about a batch's time that would rob the variables at the end.
constexpr auto kShortTurn = std::chrono::milliseconds(50);
constexpr std::size_t kBatchInShortTurn = 32;
// Variables whose sets are collected before they go into the cache: the sets of all would be there twice.
constexpr std::size_t kCollectedAtOnce = 256;
// More than any run scores, and shares of it convert to doubles and back.
constexpr std::uint64_t kMostSteps = std::numeric_limits<std::int64_t>::max();

}  // namespace

ScoringJob::ScoringJob(const Dataset& data, const LocalScore& score, ScoringOptions options,
                       std::vector<VariableId> variables, std::shared_ptr<PairTerms> pairs)
    : data_(&data),
      score_(score.clone()),
      options_(std::move(options)),
      has_result_(pairs != nullptr),
      variables_(std::move(variables)),
      pairs_(std::move(pairs)),
      finished_(data.num_variables(), 0),
      kept_(data.num_variables()),
      reports_(data.num_variables()),
      states_(data.num_variables()) {
  assert(score.num_rows() == data.num_rows());
  assert(std::ranges::all_of(variables_, [&](VariableId v) { return v < data.num_variables(); }));
}

void ScoringJob::mark_finished(VariableId v, Run& run) {
  finished_[v] = 1;
  ++run.num_finished;
}

double ScoringJob::empty_score(VariableId v) const {
  return score_->score(pairs_->family(v), data_->cardinality(v), 1);
}

double ScoringJob::gain(VariableId v) const {
  if (options_.method == ScoringOptions::Method::exhaustive)
    return kept_[v].size() > 0 ? kept_[v].best() - empty_score(v) : 0;
  return states_[v].has_started ? states_[v].gain : 0;
}

void ScoringJob::prepare(Run& run) {
  while (scorers_.size() < run.num_threads())
    scorers_.push_back(std::make_unique<FamilyScorer>(*data_, *score_));
  run.num_finished = variables_.size() - unfinished().size();
  count_pairs(run);
}

void ScoringJob::work(Run& run) {
  prepare(run);
  if (pairs_->is_complete()) {
    const std::uint64_t max_steps = std::min(run.max_steps(), kMostSteps);
    if (options_.method == ScoringOptions::Method::exhaustive) {
      const auto todo = unfinished();
      run_exhaustive(run, todo, steps_of_turn(options_.method, 1, max_steps, todo.size()));
    } else {
      run_independence(run, max_steps);
    }
  }
  run.end(reason(run));
}

std::uint64_t ScoringJob::work_turn(Run& run, std::span<const VariableId> todo, std::uint64_t steps_each) {
  assert(std::ranges::none_of(todo, [&](VariableId v) { return finished_[v] != 0; }));
  prepare(run);
  std::uint64_t num_steps = 0;
  if (!pairs_->is_complete()) {
    // The run was stopped.
  } else if (options_.method == ScoringOptions::Method::exhaustive) {
    run_exhaustive(run, todo, steps_each);
  } else {
    num_steps = run_round(run, todo, run.deadline(), steps_each);
  }
  run.end(reason(run));
  return num_steps;
}

std::uint64_t ScoringJob::steps_of_turn(ScoringOptions::Method method, int turn, std::uint64_t steps_left,
                                        std::size_t num_unfinished) {
  assert(turn >= 1);
  const std::size_t num_active = std::max<std::size_t>(1, num_unfinished);
  if (method == ScoringOptions::Method::exhaustive)
    return std::max<std::uint64_t>(1, steps_left / num_active);
  const double share = static_cast<double>(steps_left) * (turn < kMaxRounds ? kRoundShare : 1.0);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(share / static_cast<double>(num_active)));
}

void ScoringJob::count_pairs(Run& run) {
  if (!pairs_ || !pairs_->is_complete()) {
    has_result_ = false;
    const std::size_t max_pairs = options_.max_parents == 0 ? 0 : options_.max_pairs;
    pairs_ = std::make_shared<PairTerms>(*data_, *score_, run, max_pairs);
    has_result_ = true;
  }
  double sum = 0;
  for (const VariableId v : variables_) sum += empty_score(v) + gain(v);
  run.score = sum;
}

/// Shares of the time are used up before its end, those of the steps before their number.
StopReason ScoringJob::reason(const Run& run) const {
  if (is_finished()) return StopReason::kFinished;
  if (run.stop_requested()) return StopReason::kInterrupted;
  const bool is_late = run.should_stop() || run.max_steps() == Run::kNoLimit;
  return is_late ? StopReason::kSeconds : StopReason::kSteps;
}

std::vector<VariableId> ScoringJob::unfinished() const {
  std::vector<VariableId> variables;
  for (const VariableId v : variables_) {
    if (!finished_[v]) variables.push_back(v);
  }
  return variables;
}

void ScoringJob::run_exhaustive(Run& run, std::span<const VariableId> todo, std::uint64_t steps_each) {
  parallel_for(run, todo.size(), [&](std::size_t worker, std::size_t item) {
    const VariableId v = todo[item];
    const Pruning pruning = this->pruning(v);
    ExhaustiveSearch search(pruning, scorers_[worker].get(), run, options_.max_parents, steps_each);
    const bool is_finished = search.run();
    const std::shared_lock changing(pause_);
    run.score += search.gain() - gain(v);
    kept_[v] = search.take_kept();
    reports_[v] = search.report();
    if (is_finished) mark_finished(v, run);
  });
}

void ScoringJob::run_independence(Run& run, std::uint64_t max_steps) {
  for (int round = 1; !run.should_stop() && max_steps > 0; ++round) {
    const std::size_t num_active = unfinished().size();
    if (num_active == 0) return;
    const auto now = Clock::now();
    auto round_end = run.deadline();
    if (round_end != Clock::time_point::max() && round < kMaxRounds) {
      const std::chrono::duration<double> left = round_end - now;
      const double turn = left.count() * kRoundShare * static_cast<double>(run.num_threads()) /
                          static_cast<double>(num_active);
      if (turn > kShortestTurn) {
        round_end = now + std::chrono::duration_cast<Clock::duration>(left * kRoundShare);
      }
    }
    const std::uint64_t steps_each = steps_of_turn(options_.method, round, max_steps, num_active);
    auto todo = unfinished();
    todo.resize(static_cast<std::size_t>(std::min<std::uint64_t>(todo.size(), max_steps / steps_each)));
    // Turns that overrun shorten those at the end of a round, so the ends take turns, too.
    if (round % 2 == 0) std::reverse(todo.begin(), todo.end());
    const auto num_steps = std::max<std::uint64_t>(1, run_round(run, todo, round_end, steps_each));
    max_steps -= std::min(max_steps, num_steps);
    if (round >= kMaxRounds && round_end != Clock::time_point::max()) return;
  }
}

std::uint64_t ScoringJob::run_round(Run& run, std::span<const VariableId> todo, Clock::time_point round_end,
                                    std::uint64_t steps_each) {
  std::atomic<std::uint64_t> num_steps{0};
  parallel_for(run, todo.size(), [&](std::size_t worker, std::size_t item) {
    auto turn_end = round_end;
    std::size_t max_batch = IndependenceSearch::kBatch;
    if (round_end != Clock::time_point::max()) {
      const auto now = Clock::now();
      const auto num_left = static_cast<long>(todo.size() - item);
      const auto at_work = std::min<long>(static_cast<long>(run.num_threads()), num_left);
      turn_end = now + (round_end - now) * at_work / num_left;
      if (turn_end - now < kShortTurn) max_batch = kBatchInShortTurn;
    }
    const VariableId v = todo[item];
    scorers_[worker]->begin(v);
    const Pruning pruning = this->pruning(v);
    std::shared_lock changing(pause_);
    double reported = gain(v);
    if (!states_[v].has_started) run.num_steps += data_->num_variables();  // the empty set and single parents
    IndependenceSearch search(pruning, *scorers_[worker], states_[v], options_.max_parents,
                              options_.max_visited_per_variable);
    bool has_begun = false;  // a turn scores at least one batch, however late it comes
    num_steps += search.run(steps_each, max_batch, [&](std::uint64_t num_scored) {
      run.num_steps += num_scored;
      run.score += states_[v].gain - reported;
      reported = states_[v].gain;
      changing.unlock();  // a reader may come in here, between batches
      changing.lock();
      const bool may_end = std::exchange(has_begun, true) && turn_end != Clock::time_point::max();
      return run.is_stopped() || (may_end && Clock::now() >= turn_end);
    });
    if (states_[v].is_finished) mark_finished(v, run);
  });
  return num_steps;
}

bool ScoringJob::is_finished() const {
  return std::ranges::all_of(variables_, [&](VariableId v) { return finished_[v] != 0; });
}

void ScoringJob::restore_finished(VariableId v, ParentSetList kept) {
  assert(v < kept_.size() && kept.size() > 0);
  kept_[v] = std::move(kept);
  finished_[v] = 1;
}

ScoringResult ScoringJob::result(std::size_t num_threads) {
  assert(num_threads > 0 && has_result_);
  const std::unique_lock pause(pause_);
  const std::size_t n = variables_.size();
  ScoringResult result;
  for (const VariableId v : variables_) result.is_finished.push_back(finished_[v]);
  std::vector<Collected> collected;
  for (std::size_t first = 0; first < n; first += kCollectedAtOnce) {
    collected.assign(std::min(kCollectedAtOnce, n - first), {});
    parallel_for(num_threads, collected.size(), [&](std::size_t, std::size_t item) {
      collected[item] = collect_variable(variables_[first + item]);
    });
    for (std::size_t item = 0; item < collected.size(); ++item) {
      const VariableId v = variables_[first + item];
      (kept_[v].size() > 0 ? kept_[v] : collected[item].kept).append_to(result.cache);
      result.report += kept_[v].size() > 0 ? reports_[v] : states_[v].report;
      result.report.add(Rule::dominated, collected[item].num_dominated);
    }
  }
  return result;
}

/// The sets found so far for a variable, unless they are in kept_ already.
Collected ScoringJob::collect_variable(VariableId v) {
  if (kept_[v].size() > 0) return {};
  const Pruning pruning = this->pruning(v);
  // The least allowed set is always there, even if the job was stopped before this variable had its turn.
  std::unique_ptr<FamilyScorer> scorer;
  if (!pruning.required().empty()) scorer = std::make_unique<FamilyScorer>(*data_, *score_);
  if (options_.method == ScoringOptions::Method::independence)
    return collect(pruning, states_[v], options_.max_parents, options_.max_visited_per_variable,
                   scorer.get());
  // Single parents cost nothing.
  Run unwatched;
  const std::size_t max_parents = scorer ? 0 : std::min<std::size_t>(1, options_.max_parents);
  ExhaustiveSearch search(pruning, scorer.get(), unwatched, max_parents, 0);
  search.run();
  return {search.take_kept(), 0};
}

}  // namespace treebound
