// Work shared out among threads item by item.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace treebound {

/// Calls work(worker, item) for every item below `num_items`. Items are handed out one at a time, in order,
/// so that threads that finish early take more; `worker` numbers the threads, for state that each keeps to
/// itself.
template <typename Work>
void parallel_for(std::size_t num_threads, std::size_t num_items, Work&& work) {
  std::atomic<std::size_t> next{0};
  const auto run = [&](std::size_t worker) {
    for (std::size_t item = next++; item < num_items; item = next++) work(worker, item);
  };
  std::vector<std::jthread> helpers;
  for (std::size_t worker = 1; worker < std::min(num_threads, num_items); ++worker)
    helpers.emplace_back(run, worker);
  run(0);
}

}  // namespace treebound
