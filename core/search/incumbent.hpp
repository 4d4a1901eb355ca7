// The best structure so far: offered by many threads, read by observers.
//
// Of equal scores the smallest step wins, so the outcome does not depend on which thread is first. All scores
// that reach the upper bound count as equal for the same reason: the search ends at the first step with one.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/run.hpp"
#include "search/found.hpp"

namespace treebound {

struct Improvement {
  double seconds;
  std::uint64_t step;
  double score;
};

class Incumbent {
 public:
  /// Steps per variable without an improvement before a search counts as stalled: with many variables, a
  /// share of a short budget alone means little.
  static constexpr std::uint64_t kStallPerVariable = 1000;

  /// Only what beats `floor`, the score of the start, is taken.
  Incumbent(Run& run, std::uint32_t num_variables, double floor)
      : run_(run), floor_(floor), least_stall_(kStallPerVariable * num_variables), score_(floor) {
    run.score = floor;
  }

  double score() const { return score_.load(std::memory_order_acquire); }
  /// Whether a structure with this score, found at this step, would be of no use.
  bool is_beaten(double score, std::uint64_t step) const {
    if (score < floor_) return true;
    const double target = run_.target(), best = std::min(this->score(), target);
    score = std::min(score, target);
    return score < best || (score == best && step > step_.load(std::memory_order_acquire));
  }
  /// Whether it reaches the upper bound of the run.
  bool is_optimal() const { return score() >= run_.target(); }

  /// Whether the last improvement is so long ago that the search may end, before step `num_steps`.
  bool has_stalled(std::uint64_t num_steps) const {
    const std::uint64_t stall = num_steps - std::min(num_steps, step_.load(std::memory_order_acquire));
    if (!std::isfinite(run_.patience()) || stall < least_stall_) return false;
    if (run_.max_steps() != Run::kNoLimit &&
        static_cast<double>(stall) >= run_.patience() * static_cast<double>(run_.max_steps()))
      return true;
    return run_.has_deadline() &&
           run_.elapsed() - improved_at_.load(std::memory_order_relaxed) >=
               run_.patience() * std::chrono::duration<double>(run_.deadline() - run_.start()).count();
  }
  /// The smallest number of steps after which it may count as stalled.
  std::uint64_t shortest_stall() const {
    if (!std::isfinite(run_.patience()) || run_.max_steps() == Run::kNoLimit) return Run::kNoLimit;
    const double share = std::ceil(run_.patience() * static_cast<double>(run_.max_steps()));
    return std::max(least_stall_, static_cast<std::uint64_t>(std::max(1.0, share)));
  }
  /// Marks the end of the preparations before the first step.
  void begin_steps() { improved_at_ = run_.elapsed(); }

  /// Takes the structure that write(found) writes, unless it is beaten.
  template <typename Write>
  void offer(double score, std::uint64_t step, Write&& write) {
    if (is_beaten(score, step)) return;
    const std::scoped_lock lock(mutex_);
    if (is_beaten(score, step)) return;
    Found next;
    write(next);
    next.score = score;
    next.step = step;
    if (score > best_.score) {
      improved_at_ = run_.elapsed();
      trace_.push_back({improved_at_, step, score});
    } else {
      trace_.back() = {trace_.back().seconds, step, score};
    }
    best_ = std::move(next);
    step_ = step;
    score_ = score;
    run_.score = score;
  }

  bool has_found() const {
    const std::scoped_lock lock(mutex_);
    return !trace_.empty();
  }
  /// For use while no thread offers.
  const Found& best_at_rest() const { return best_; }
  /// A copy, taken at any moment.
  Found best() const {
    const std::scoped_lock lock(mutex_);
    return best_;
  }
  std::vector<Improvement> trace() const {
    const std::scoped_lock lock(mutex_);
    return trace_;
  }

 private:
  Run& run_;
  const double floor_;
  const std::uint64_t least_stall_;
  mutable std::mutex mutex_;
  Found best_;
  std::vector<Improvement> trace_;  // as seen in time; its end does not depend on the threads
  std::atomic<double> score_;
  std::atomic<std::uint64_t> step_{0};
  std::atomic<double> improved_at_{0};
};

}  // namespace treebound
