#include "scoring/selection/parent_set_list.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace treebound {

void ParentSetList::append_to(ParentSetCache& cache) const {
  assert(size() > 0);  // every variable has its empty set
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return stands_before({scores_[a], parents_of(a)}, {scores_[b], parents_of(b)});
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
