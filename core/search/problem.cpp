#include "search/problem.hpp"

#include <algorithm>
#include <cassert>

namespace treebound {

SearchProblem::SearchProblem(const CacheView& cache, std::uint32_t max_treewidth)
    : num_variables_(static_cast<std::uint32_t>(cache.set_offsets.size() - 1)),
      width_(std::min(max_treewidth, num_variables_ - 1)) {
  for (VariableId v = 0; v < num_variables_; ++v) add_variable(cache, v);
  heads_.resize(heads_.size() + kBlock, {num_variables_, num_variables_});
}

void SearchProblem::add_variable(const CacheView& cache, VariableId v) {
  const EntryId first = num_entries();
  for (std::int64_t set = cache.set_offsets[v]; set < cache.set_offsets[v + 1]; ++set) {
    const auto index = static_cast<std::size_t>(set);
    const auto members = cache.parents_of(index);
    const std::size_t size = members.size();
    if (size > width_) continue;
    heads_.push_back({size == 0 ? num_variables_ : members[0] | (size > 2 ? kMany : 0),
                      size < 2 ? num_variables_ : members[1]});
    members_.push_back(v);
    members_.insert(members_.end(), members.begin(), members.end());
    member_offsets_.push_back(static_cast<std::uint32_t>(members_.size()));
    scores_.push_back(cache.scores[index]);
    if (size == 0) break;
  }
  assert(num_entries() > first && parents(num_entries() - 1).empty());
  assert(std::is_sorted(scores_.rbegin(), scores_.rend() - static_cast<std::ptrdiff_t>(first)));
  entry_offsets_.push_back(num_entries());
  const double best = scores_[first];
  sum_of_best_ += best;
  const double span = best - scores_.back();
  for (EntryId entry = first; entry < num_entries(); ++entry)
    losses_.push_back(span > 0 ? static_cast<float>((best - scores_[entry]) / span) : 0.0f);
}

double SearchProblem::total_score(std::span<const EntryId> chosen) const {
  double total = 0;
  for (const EntryId entry : chosen) total += scores_[entry];
  return total;
}

}  // namespace treebound
