#include "search/anytime.hpp"

#include <algorithm>
#include <barrier>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace treebound {

class AnytimeSearch {
 public:
  AnytimeSearch(const SearchPlan& plan, const SearchLimits& limits)
      : plan_(plan),
        limits_(limits),
        last_step_(std::min(limits.steps, plan.num_distinct_steps)),
        round_barrier_(limits.num_threads, NextRound{this}) {
    if (limits.seconds < kForever)
      context_.deadline_ = context_.start_ + std::chrono::duration_cast<SearchContext::Clock::duration>(
                                                 std::chrono::duration<double>(limits.seconds));
    context_.num_steps_ = limits.steps;
    context_.best_score_ = limits.start.score;
    context_.round_order_ = limits.start.insertion_order;
    set_round_end();
  }

  SearchOutcome run(const SearchPoll& poll) {
    std::vector<std::jthread> threads;
    num_running_ = limits_.num_threads;
    for (std::uint32_t i = 0; i < limits_.num_threads; ++i) threads.emplace_back([this] { work(); });
    watch(poll);
    threads.clear();
    outcome_.steps = num_done_;
    outcome_.num_proved = num_proved_;
    outcome_.num_skipped = num_skipped_;
    outcome_.seconds = elapsed();
    outcome_.reason = reason();
    return std::move(outcome_);
  }

 private:
  struct NextRound {
    AnytimeSearch* search;
    void operator()() noexcept { search->begin_round(); }
  };

  static constexpr double kForever = 1e9;
  static constexpr std::chrono::milliseconds kPollInterval{50};

  double elapsed() const {
    return std::chrono::duration<double>(SearchContext::Clock::now() - context_.start_).count();
  }

  void work() {
    const auto constructor = plan_.make_constructor();
    while (!is_finished_) {
      work_on_round(*constructor);
      round_barrier_.arrive_and_wait();
    }
    const std::scoped_lock lock(mutex_);
    --num_running_;
    all_done_.notify_one();
  }

  // Step 0 is always built, however short the time: there is always an answer.
  void work_on_round(Constructor& constructor) {
    for (;;) {
      const std::uint64_t step = next_step_.fetch_add(1, std::memory_order_relaxed);
      if (step >= round_end_ || (step > 0 && context_.should_stop())) return;
      RandomStream random(limits_.seed, limits_.start.first_step + step);
      const Proof proof = constructor.construct(step, random, context_);
      num_done_.fetch_add(1, std::memory_order_relaxed);
      if (proof == Proof::kBeaten) {
        num_skipped_.fetch_add(1, std::memory_order_relaxed);
        continue;
      }
      if (proof == Proof::kOptimal) num_proved_.fetch_add(1, std::memory_order_relaxed);
      if (!context_.is_beaten(constructor.score(), step)) offer(constructor, step, proof);
    }
  }

  void offer(const Constructor& constructor, std::uint64_t step, Proof proof) {
    const std::scoped_lock lock(mutex_);
    const double score = constructor.score();
    if (context_.is_beaten(score, step)) return;
    if (score > outcome_.best.score)
      outcome_.trace.push_back({elapsed(), step, score});
    else
      outcome_.trace.back().step = step;
    constructor.write(outcome_.best);
    outcome_.best.score = score;
    outcome_.best.step = step;
    outcome_.best.is_optimal_for_order = proof == Proof::kOptimal;
    context_.best_step_ = step;
    context_.best_score_ = score;
  }

  void begin_round() {
    is_finished_ = context_.should_stop() || round_end_ >= last_step_;
    if (!outcome_.best.insertion_order.empty()) context_.round_order_ = outcome_.best.insertion_order;
    if (!is_finished_) plan_.between_rounds();
    next_step_ = round_end_;
    set_round_end();
  }

  void set_round_end() {
    round_end_ =
        plan_.steps_per_round < last_step_ - next_step_ ? next_step_ + plan_.steps_per_round : last_step_;
  }

  void watch(const SearchPoll& poll) {
    FoundStructure shown;
    shown.score = limits_.start.score;
    std::unique_lock lock(mutex_);
    while (!all_done_.wait_for(lock, kPollInterval, [this] { return num_running_ == 0; })) {
      if (outcome_.best.score > shown.score) shown = outcome_.best;
      lock.unlock();
      if (poll(elapsed(), num_done_, shown)) {
        is_interrupted_ = true;
        context_.is_stopped_ = true;
      }
      lock.lock();
    }
  }

  StopReason reason() const {
    if (num_done_ >= limits_.steps) return StopReason::kSteps;
    if (num_done_ >= plan_.num_distinct_steps) return StopReason::kFinished;
    return is_interrupted_ ? StopReason::kInterrupted : StopReason::kSeconds;
  }

  const SearchPlan& plan_;
  const SearchLimits& limits_;
  const std::uint64_t last_step_;
  SearchContext context_;
  SearchOutcome outcome_;
  std::mutex mutex_;
  std::condition_variable all_done_;
  std::uint32_t num_running_ = 0;
  bool is_interrupted_ = false;
  std::atomic<std::uint64_t> next_step_{0};
  std::atomic<std::uint64_t> num_done_{0};
  std::atomic<std::uint64_t> num_proved_{0};
  std::atomic<std::uint64_t> num_skipped_{0};
  std::uint64_t round_end_ = 0;  // written only while all threads wait at the barrier
  bool is_finished_ = false;
  std::barrier<NextRound> round_barrier_;
};

SearchOutcome run_search(const SearchPlan& plan, const SearchLimits& limits, const SearchPoll& poll) {
  return AnytimeSearch(plan, limits).run(poll);
}

}  // namespace treebound
