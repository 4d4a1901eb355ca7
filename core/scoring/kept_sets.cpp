#include "scoring/kept_sets.hpp"

#include <algorithm>
#include <numeric>

namespace treebound {

void KeptSets::append_to(ParentSetCache& cache) const {
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (scores_[a] != scores_[b]) return scores_[a] > scores_[b];
    const auto left = parents_of(a), right = parents_of(b);
    if (left.size() != right.size()) return left.size() < right.size();
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  });
  for (const std::uint32_t i : order) {
    const auto parents = parents_of(i);
    cache.scores.push_back(scores_[i]);
    cache.parents.insert(cache.parents.end(), parents.begin(), parents.end());
    cache.parent_offsets.push_back(static_cast<std::int64_t>(cache.parents.size()));
  }
  cache.set_offsets.push_back(static_cast<std::int64_t>(cache.scores.size()));
}

}  // namespace treebound
