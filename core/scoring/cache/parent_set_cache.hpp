// Candidate parent sets with their scores, for all variables, in flat arrays: what scoring hands to search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/rows.hpp"

namespace treebound {

struct ParentSetView {
  double score = 0;
  std::span<const VariableId> parents;
};

/// The order of the sets of a variable, best first: higher score, then fewer parents, then lexicographic.
inline bool stands_before(const ParentSetView& a, const ParentSetView& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.parents.size() != b.parents.size()) return a.parents.size() < b.parents.size();
  return std::ranges::lexicographical_compare(a.parents, b.parents);
}

/// Sets are numbered 0..num_sets-1, those of variable v are set_offsets[v]..set_offsets[v+1]-1, best first.
/// The parents of set s are parents[parent_offsets[s]]..parents[parent_offsets[s+1]-1], ascending.
struct ParentSetCache {
  std::vector<std::int64_t> set_offsets{0};
  std::vector<double> scores;
  std::vector<std::int64_t> parent_offsets{0};
  std::vector<VariableId> parents;

  std::size_t num_variables() const { return set_offsets.size() - 1; }
  std::size_t num_sets() const { return scores.size(); }
  std::span<const VariableId> parents_of(std::size_t set) const {
    return row_of<VariableId>(parents, parent_offsets, set);
  }
};

/// A cache owned elsewhere, with the same layout.
struct CacheView {
  std::span<const std::int64_t> set_offsets;
  std::span<const double> scores;
  std::span<const std::int64_t> parent_offsets;
  std::span<const VariableId> parents;

  std::size_t num_variables() const { return set_offsets.size() - 1; }
  std::size_t num_sets() const { return scores.size(); }
  std::span<const VariableId> parents_of(std::size_t set) const {
    return row_of(parents, parent_offsets, set);
  }
};

inline CacheView view(const ParentSetCache& cache) {
  return {cache.set_offsets, cache.scores, cache.parent_offsets, cache.parents};
}

}  // namespace treebound
