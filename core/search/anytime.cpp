#include "search/anytime.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>

#include "base/parallel.hpp"

namespace treebound {

SearchTask::SearchTask(const SearchProblem& problem, Run& run, std::uint64_t seed, SearchStart start)
    : problem(problem),
      run(run),
      seed(seed),
      start(std::move(start)),
      incumbent(run, problem.num_variables(), this->start.score) {
  if (!problem.rules().has_required()) return;
  const std::vector<EntryId> least = problem.least_entries();
  incumbent.offer(problem.total_score(least), 0, [&](Found& found) {
    for (const EntryId entry : least) found.families.add(problem.parents(entry), problem.score(entry));
    const auto order = problem.least_order();
    found.elimination_order.assign(order.begin(), order.end());
  });
}

class AnytimeSearch {
 public:
  AnytimeSearch(const SearchPlan& plan, SearchTask& task)
      : plan_(plan),
        task_(task),
        run_(task.run),
        context_(task),
        last_step_(std::min(run_.max_steps(), plan.num_distinct_steps)),
        steps_per_round_(std::min(plan.steps_per_round, task.incumbent.shortest_stall())),
        round_barrier_(run_.num_threads(), NextRound{this}) {
    task_.incumbent.begin_steps();
    set_round_end();
  }

  ProofCounts run() {
    {
      const std::size_t num_helpers = run_.num_threads() - 1;
      const Helpers helpers(num_helpers, [this](std::size_t) { work(); });
      // The barrier waits for the number of threads requested; those that could not be started never arrive.
      for (std::size_t i = helpers.size(); i < num_helpers; ++i) round_barrier_.arrive_and_drop();
      work();
    }
    failure_.rethrow();
    run_.end(reason());
    if (run_.reason() == StopReason::kOptimal)
      run_.num_steps = std::min<std::uint64_t>(run_.num_steps, task_.incumbent.best_at_rest().step + 1);
    return {num_proved_, num_skipped_, num_out_of_memory_};
  }

 private:
  struct NextRound {
    AnytimeSearch* search;
    void operator()() noexcept { search->begin_round(); }
  };

  /// Also after a failure every thread comes to the barrier until all have seen the end.
  void work() noexcept {
    std::unique_ptr<Constructor> constructor;
    guarded([&] { constructor = plan_.make_constructor(); });
    while (!is_finished_) {
      if (constructor) guarded([&] { work_on_round(*constructor); });
      round_barrier_.arrive_and_wait();
    }
  }

  template <typename Work>
  void guarded(Work&& work) noexcept {
    try {
      work();
    } catch (...) {
      failure_.keep_current();
      run_.abandon();
    }
  }

  // Step 0 is always built, however short the time: there is always a result.
  void work_on_round(Constructor& constructor) {
    for (;;) {
      const std::uint64_t step = next_step_.fetch_add(1, std::memory_order_relaxed);
      if (step >= round_end_ || (step > 0 && should_end())) return;
      RandomStream random(task_.seed, task_.start.first_step + step);
      const Proof proof = constructor.construct(step, random, context_);
      run_.num_steps.fetch_add(1, std::memory_order_relaxed);
      if (proof == Proof::kBeaten) {
        num_skipped_.fetch_add(1, std::memory_order_relaxed);
        continue;
      }
      if (proof == Proof::kOptimal) num_proved_.fetch_add(1, std::memory_order_relaxed);
      if (proof == Proof::kOutOfMemory) num_out_of_memory_.fetch_add(1, std::memory_order_relaxed);
      task_.incumbent.offer(constructor.score(), step, [&](Found& found) { constructor.write(found); });
    }
  }

  bool should_end() const {
    return context_.should_stop() || task_.incumbent.is_optimal() ||
           (run_.has_deadline() && task_.incumbent.has_stalled(run_.num_steps));
  }

  void begin_round() noexcept {
    is_finished_ = round_end_ >= last_step_ || should_end() || task_.incumbent.has_stalled(round_end_);
    if (is_finished_) return;
    guarded([this] {
      if (const auto& ktree = task_.incumbent.best_at_rest().ktree)
        context_.round_order_ = ktree->insertion_order;
      plan_.between_rounds();
    });
    next_step_ = round_end_;
    set_round_end();
  }

  void set_round_end() {
    round_end_ = steps_per_round_ < last_step_ - next_step_ ? next_step_ + steps_per_round_ : last_step_;
  }

  StopReason reason() const {
    const bool is_finished = run_.num_steps >= plan_.num_distinct_steps;
    if (task_.incumbent.is_optimal() && !is_finished) return StopReason::kOptimal;
    if (run_.num_steps >= run_.max_steps()) return StopReason::kSteps;
    if (is_finished) return StopReason::kFinished;
    if (run_.stop_requested()) return StopReason::kInterrupted;
    return context_.should_stop() ? StopReason::kSeconds : StopReason::kStalled;
  }

  const SearchPlan& plan_;
  SearchTask& task_;
  Run& run_;
  SearchContext context_;
  const std::uint64_t last_step_;
  const std::uint64_t steps_per_round_;
  FirstFailure failure_;
  std::atomic<std::uint64_t> next_step_{0};
  std::atomic<std::uint64_t> num_proved_{0};
  std::atomic<std::uint64_t> num_skipped_{0};
  std::atomic<std::uint64_t> num_out_of_memory_{0};
  std::uint64_t round_end_ = 0;  // written only while all threads wait at the barrier
  bool is_finished_ = false;     // the same
  std::barrier<NextRound> round_barrier_;
};

ProofCounts run_search(const SearchPlan& plan, SearchTask& task) { return AnytimeSearch(plan, task).run(); }

}  // namespace treebound
