// The best structure so far: offered by many threads, read by whoever watches.
//
// Of equal scores the smallest step wins, so that the outcome does not depend on who comes first.
#pragma once

#include <atomic>
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
  /// Only what beats `floor`, the score of the start, is taken.
  Incumbent(Run& run, double floor) : run_(run), score_(floor) { run.score = floor; }

  double score() const { return score_.load(std::memory_order_acquire); }
  /// Whether a structure with this score, found at this step, would be of no use.
  bool is_beaten(double score, std::uint64_t step) const {
    const double best = this->score();
    return score < best || (score == best && step > step_.load(std::memory_order_acquire));
  }

  /// Takes the structure that write(found) tells, unless it is beaten.
  template <typename Write>
  void offer(double score, std::uint64_t step, Write&& write) {
    if (is_beaten(score, step)) return;
    const std::scoped_lock lock(mutex_);
    if (is_beaten(score, step)) return;
    Found next;
    write(next);
    next.score = score;
    next.step = step;
    if (score > best_.score)
      trace_.push_back({run_.elapsed(), step, score});
    else
      trace_.back().step = step;
    best_ = std::move(next);
    step_ = step;
    score_ = score;
    run_.score = score;
  }

  bool has_found() const {
    const std::scoped_lock lock(mutex_);
    return !trace_.empty();
  }
  /// For use while nobody offers.
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
  mutable std::mutex mutex_;
  Found best_;
  std::vector<Improvement> trace_;  // as seen in time; its end does not depend on the threads
  std::atomic<double> score_;
  std::atomic<std::uint64_t> step_{0};
};

}  // namespace treebound
