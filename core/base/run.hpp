// One run of long work: its limits, the request to stop it, how far it has come, and why it ended.
//
// Scoring, search, sampling, fitting and inference over many rows all take a Run. Its workers poll
// `should_stop` between pieces of work that take well under a millisecond and count what they have done; an
// observer reads the counts and may request a stop at any moment, from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>

namespace treebound {

using Clock = std::chrono::steady_clock;

enum class StopReason : std::uint8_t {
  kFinished,     // nothing was left to do
  kSteps,        // the budget of steps was used
  kSeconds,      // the time was up
  kInterrupted,  // a stop was requested
  kMemory,       // there was not enough memory to go on
  kOptimal,      // the best score so far reaches the upper bound
  kStalled,      // no improvement for the share of the budget that is called patience
};

/// A score reaches the bound if it is below it by no more than this share of the bound. Sums of scores in
/// another order differ by rounding, and integer programs prove no more.
inline constexpr double kOptimalityTolerance = 1e-9;

class Run {
 public:
  /// Longer than any budget; keeps the conversion to clock ticks from overflowing.
  static constexpr double kForever = 1e9;
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  static constexpr double kNeverStalls = std::numeric_limits<double>::infinity();

  /// The clock starts at once.
  explicit Run(double seconds = kForever, std::uint64_t max_steps = kNoLimit, std::uint32_t num_threads = 1,
               double patience = kNeverStalls)
      : max_steps_(max_steps), num_threads_(num_threads), patience_(patience) {
    if (seconds < kForever)
      deadline_ =
          start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Clock::time_point start() const { return start_; }
  bool has_deadline() const {
    return deadline_ != Clock::time_point::max() && !is_unhurried_.load(std::memory_order_relaxed);
  }
  Clock::time_point deadline() const { return deadline_; }
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  std::uint64_t max_steps() const { return max_steps_; }
  std::uint32_t num_threads() const { return num_threads_; }
  /// The share of the budget without an improvement after which a search may end.
  double patience() const { return patience_; }

  /// For observers.
  void request_stop() {
    is_interrupted_.store(true, std::memory_order_relaxed);
    abandon();
  }
  bool stop_requested() const { return is_interrupted_.load(std::memory_order_relaxed); }

  /// For a worker that cannot go on: the others stop, but no stop was requested.
  void abandon() { is_stopped_.store(true, std::memory_order_relaxed); }

  bool should_stop() const { return is_stopped() || (has_deadline() && Clock::now() >= deadline_); }

  /// For a worker that must finish what it has begun: until it is set back, deadlines are ignored.
  void set_unhurried(bool is_unhurried) { is_unhurried_.store(is_unhurried, std::memory_order_relaxed); }
  /// The same without reading the clock.
  bool is_stopped() const { return is_stopped_.load(std::memory_order_relaxed); }

  /// Called once, by the work itself, when it ends.
  void end(StopReason reason) { reason_.store(reason, std::memory_order_relaxed); }
  StopReason reason() const { return reason_.load(std::memory_order_relaxed); }

  /// The score that counts as reaching the bound; infinity without a bound.
  double target() const {
    const double highest = bound.load(std::memory_order_relaxed);
    return std::isfinite(highest) ? highest - kOptimalityTolerance * std::abs(highest) : highest;
  }

  std::atomic<std::uint64_t> num_steps{0};
  std::atomic<std::uint64_t> num_finished{0};  // items (variables, rows) that are done
  std::atomic<double> score{-std::numeric_limits<double>::infinity()};  // best so far
  std::atomic<double> bound{std::numeric_limits<double>::infinity()};   // that no score can exceed

 private:
  const Clock::time_point start_ = Clock::now();
  Clock::time_point deadline_ = Clock::time_point::max();
  const std::uint64_t max_steps_;
  const std::uint32_t num_threads_;
  const double patience_;
  std::atomic<bool> is_stopped_{false};
  std::atomic<bool> is_interrupted_{false};
  std::atomic<bool> is_unhurried_{false};
  std::atomic<StopReason> reason_{StopReason::kFinished};
};

}  // namespace treebound
