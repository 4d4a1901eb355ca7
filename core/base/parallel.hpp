// Work shared out among threads.
//
// If a thread cannot be started, the others do its work: the calling thread always works too. An exception in
// one thread stops the others and is thrown again in the calling thread when all have ended.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <latch>
#include <memory>
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

/// Allocates the exception state of the calling thread. If there is no memory for it when a thread first
/// throws, the process ends.
inline void prepare_to_throw() noexcept {
  try {
    throw 0;
  } catch (int) {
  }
}

/// Threads that run work(1), work(2), ... next to the calling thread, as many as could be started. The work
/// must not throw. The destructor waits for all.
///
/// Neither their stacks nor the first thread to work may take the last of the memory. So some memory is
/// reserved while they start, and none begins to work before all are prepared.
class Helpers {
 public:
  template <typename Work>
  Helpers(std::size_t num_helpers, Work&& work) {
    if (num_helpers > 0) start(num_helpers, work);
    may_prepare_.count_down();
    for (std::size_t ready = num_ready_; ready < size(); ready = num_ready_) num_ready_.wait(ready);
    may_begin_.count_down();
  }
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  std::size_t size() const { return threads_.size(); }

 private:
  static constexpr std::size_t kReserve = std::size_t{16} << 20;
  static constexpr std::size_t kReservePerThread = std::size_t{1} << 20;

  template <typename Work>
  void start(std::size_t num_helpers, Work& work) {
    try {
      const auto reserve = std::make_unique_for_overwrite<char[]>(kReserve + num_helpers * kReservePerThread);
      // Written to, or the compiler removes the allocation.
      *static_cast<volatile char*>(reserve.get()) = 0;
      threads_.reserve(num_helpers);
      while (threads_.size() < num_helpers)
        threads_.emplace_back([this, work, worker = threads_.size() + 1] {
          may_prepare_.wait();
          prepare_to_throw();
          ++num_ready_;
          num_ready_.notify_one();
          may_begin_.wait();
          work(worker);
        });
    } catch (const std::system_error&) {  // the system has no more threads
    } catch (const std::bad_alloc&) {     // or no memory for one
    }
  }

  std::latch may_prepare_{1}, may_begin_{1};
  std::atomic<std::size_t> num_ready_{0};
  std::vector<std::jthread> threads_;
};

/// Calls work(worker, item) for every item below `num_items`. Items are handed out one at a time, in order:
/// threads that finish early take more. `worker`, below `num_threads`, is the number of the thread, for state
/// of its own. No further items are handed out once should_stop() returns true; returns whether all were.
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
    const Helpers helpers(std::max<std::size_t>(1, std::min(num_threads, num_items)) - 1,
                          [&](std::size_t worker) { take_items(worker); });
    take_items(0);
  }
  failure.rethrow();
  return !is_cut_short;
}

/// All items, without a way to stop.
template <typename Work>
void parallel_for(std::size_t num_threads, std::size_t num_items, Work&& work) {
  parallel_for(num_threads, num_items, work, [] { return false; });
}

/// Uses the threads of the run and ends when it should stop. An exception stops the run, so work in the other
/// threads that polls it ends early.
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
