// Work shared out among threads.
//
// A thread that cannot be started is done without: the calling thread always works too. An exception in one
// thread stops the others and is thrown again in the calling thread, when all have ended.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "base/run.hpp"

namespace treebound {

/// The exception of the thread that failed first.
class FirstFailure {
 public:
  /// For use in a catch clause.
  void keep_current() noexcept {
    if (!is_taken_.exchange(true)) failure_ = std::current_exception();
  }
  bool has_failed() const { return is_taken_.load(std::memory_order_relaxed); }
  /// Only when no other thread can fail any more.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> is_taken_{false};
  std::exception_ptr failure_;
};

/// Threads that run work(1), work(2), ... beside the calling one, as many as could be started. The work must
/// not throw. Destruction waits for all.
template <typename Work>
std::vector<std::jthread> start_helpers(std::size_t num_helpers, Work&& work) {
  std::vector<std::jthread> helpers;
  try {
    helpers.reserve(num_helpers);
    while (helpers.size() < num_helpers) helpers.emplace_back(work, helpers.size() + 1);
  } catch (const std::system_error&) {  // the system has no more threads
  } catch (const std::bad_alloc&) {     // or no memory for one
  }
  return helpers;
}

/// Calls work(worker, item) for every item below `num_items`. Items are handed out one at a time, in order,
/// so that threads that finish early take more; `worker`, below `num_threads`, numbers the threads, for state
/// that each keeps to itself. No further items are handed out once should_stop() says so; returns whether all
/// were.
template <typename Work, typename ShouldStop>
bool parallel_for(std::size_t num_threads, std::size_t num_items, Work&& work, ShouldStop&& should_stop) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> is_cut_short{false};
  FirstFailure failure;
  const auto take_items = [&](std::size_t worker) noexcept {
    try {
      for (std::size_t item = next++; item < num_items && !failure.has_failed(); item = next++) {
        if (should_stop()) {
          is_cut_short = true;
          return;
        }
        work(worker, item);
      }
    } catch (...) {
      failure.keep_current();
    }
  };
  {
    const auto helpers = start_helpers(std::max<std::size_t>(1, std::min(num_threads, num_items)) - 1,
                                       [&](std::size_t worker) { take_items(worker); });
    take_items(0);
  }
  failure.rethrow();
  return !is_cut_short;
}

/// All items, whatever comes.
template <typename Work>
void parallel_for(std::size_t num_threads, std::size_t num_items, Work&& work) {
  parallel_for(num_threads, num_items, work, [] { return false; });
}

/// With the threads of the run, until it should stop. An exception stops the run, so that work which polls
/// it ends early in the other threads.
template <typename Work>
bool parallel_for(Run& run, std::size_t num_items, Work&& work) {
  return parallel_for(
      run.num_threads(), num_items,
      [&](std::size_t worker, std::size_t item) {
        try {
          work(worker, item);
        } catch (...) {
          run.abandon();
          throw;
        }
      },
      [&] { return run.should_stop(); });
}

}  // namespace treebound
