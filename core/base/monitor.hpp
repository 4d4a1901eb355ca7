// What a long job shares with whoever watches it: how far it is, and the wish to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

namespace treebound {

using Clock = std::chrono::steady_clock;

/// Written by the workers, read by the watcher; the watcher may ask for a stop at any moment. Workers poll
/// `should_stop` between pieces of work that take well under a millisecond.
class Monitor {
 public:
  void request_stop() { stop_.store(true, std::memory_order_relaxed); }
  bool stop_requested() const { return stop_.load(std::memory_order_relaxed); }

  void start(double seconds) {
    stop_.store(false, std::memory_order_relaxed);
    deadline_ = seconds < kForever
                    ? Clock::now() +
                          std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))
                    : Clock::time_point::max();
  }
  Clock::time_point deadline() const { return deadline_; }
  bool should_stop() const {
    return stop_requested() || (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_);
  }

  std::atomic<std::uint64_t> num_steps{0};     // sets scored
  std::atomic<std::uint64_t> num_finished{0};  // variables whose search has ended
  std::atomic<double> sum_of_best{0};          // over variables, the best score so far

  /// Longer than any budget; keeps the conversion to clock ticks from overflowing.
  static constexpr double kForever = 1e9;

 private:
  std::atomic<bool> stop_{false};
  Clock::time_point deadline_ = Clock::time_point::max();
};

}  // namespace treebound
