// The parent sets of one variable that are worth keeping, and their way into the cache.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "scoring/cache/parent_set_cache.hpp"

namespace treebound {

class ParentSetList {
 public:
  void add(std::span<const VariableId> parents, double score) {
    assert(std::isfinite(score));
    scores_.push_back(score);
    for (const VariableId p : parents) parents_.push_back(p);
    ends_.push_back(parents_.size());
  }
  std::size_t size() const { return scores_.size(); }
  /// Best score; there must be a set.
  double best() const { return *std::max_element(scores_.begin(), scores_.end()); }

  /// Appends the sets as the next variable of the cache, best first.
  void append_to(ParentSetCache& cache) const;

 private:
  std::span<const VariableId> parents_of(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return {parents_.data() + begin, ends_[i] - begin};
  }

  std::vector<double> scores_;
  std::vector<std::size_t> ends_;
  std::vector<VariableId> parents_;
};

}  // namespace treebound
