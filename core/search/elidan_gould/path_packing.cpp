#include "search/elidan_gould/path_packing.hpp"

#include <algorithm>

namespace treebound {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

}  // namespace

std::vector<std::size_t> pack_paths(std::span<const std::uint32_t> order, std::span<const std::uint32_t> up,
                                    std::span<const WeightedPath> paths) {
  std::vector<std::size_t> rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  std::vector<std::vector<std::size_t>> by_top(order.size());
  for (std::size_t p = 0; p < paths.size(); ++p)
    by_top[*std::ranges::min_element(paths[p].vertices, {}, [&](auto v) { return rank[v]; })].push_back(p);

  std::vector<double> best(order.size(), 0), below(order.size(), 0);  // of the subtree, and without its top
  std::vector<std::size_t> choice(order.size(), kNone);
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t top = order[i];
    best[top] = below[top];
    for (const std::size_t p : by_top[top]) {
      double value = paths[p].weight;
      for (const std::uint32_t v : paths[p].vertices) value += below[v] - (v == top ? 0 : best[v]);
      if (value > best[top]) {
        best[top] = value;
        choice[top] = p;
      }
    }
    if (up[top] != top) below[up[top]] += best[top];
  }

  std::vector<std::size_t> taken;
  std::vector<std::uint8_t> is_used(order.size(), 0);  // by a path whose top is further up
  for (const std::uint32_t v : order) {
    if (is_used[v] || choice[v] == kNone) continue;
    taken.push_back(choice[v]);
    for (const std::uint32_t u : paths[choice[v]].vertices) is_used[u] = 1;
  }
  std::ranges::sort(taken);
  return taken;
}

}  // namespace treebound
