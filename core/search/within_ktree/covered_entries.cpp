#include "search/within_ktree/covered_entries.hpp"

#include <cassert>

namespace treebound {

EntryGroups::EntryGroups(const SearchProblem& problem) : problem_(problem) {
  const auto first_parent = [&](EntryId entry) {
    return problem.heads()[entry].first & ~SearchProblem::kMany;
  };
  entries_.reserve(problem.num_entries());
  for (VariableId v = 0; v < problem.num_variables(); ++v) {
    const std::size_t begin = entries_.size();
    for (EntryId entry = problem.best_entry(v); entry < problem.last_entry(v); ++entry)
      entries_.push_back(entry);
    std::ranges::stable_sort(entries_.begin() + static_cast<std::ptrdiff_t>(begin), entries_.end(), {},
                             first_parent);
    for (std::size_t i = begin; i < entries_.size(); ++i) {
      const auto place = static_cast<std::uint32_t>(i);
      if (i == begin || groups_.back().first_parent != first_parent(entries_[i]))
        groups_.push_back({first_parent(entries_[i]), place, place});
      groups_.back().end = place + 1;
    }
    offsets_.push_back(groups_.size());
  }
}

CoveredEntries::CoveredEntries(const EntryGroups& groups)
    : groups_(groups),
      problem_(groups.problem()),
      offsets_(problem_.num_variables() + 2),
      is_near_(problem_.num_variables() + 1) {
  is_near_.back() = 1;
}

void CoveredEntries::look_at(const GrowingKTree& tree) {
  const std::uint32_t n = problem_.num_variables();
  assert(tree.order().size() == n);
  tree_ = &tree;
  // The separators of members of the root name each other; those of the rest name one end of each edge.
  const auto is_root = [&](VariableId v) { return tree.positions()[v] <= tree.width(); };
  std::fill(offsets_.begin(), offsets_.end(), 0u);
  for (VariableId v = 0; v < n; ++v) {
    offsets_[v + 2] += tree.width();
    if (is_root(v)) continue;
    for (const VariableId u : tree.separator(v)) ++offsets_[u + 2];
  }
  for (std::size_t i = 2; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
  neighbours_.resize(offsets_.back());
  for (VariableId v = 0; v < n; ++v) {
    for (const VariableId u : tree.separator(v)) {
      neighbours_[offsets_[v + 1]++] = u;
      if (!is_root(v)) neighbours_[offsets_[u + 1]++] = v;
    }
  }
}

EntryId CoveredEntries::best(VariableId v) {
  mark_neighbours(v, true);
  EntryId best = problem_.last_entry(v);
  for (const EntryGroups::Group& group : groups_.of(v)) {
    if (!is_near_[group.first_parent]) continue;
    for (const EntryId entry : groups_.entries(group)) {
      if (entry >= best) break;
      if (is_covered(entry)) best = entry;
    }
  }
  mark_neighbours(v, false);
  return best;
}

std::span<const EntryId> CoveredEntries::all(VariableId v) {
  mark_neighbours(v, true);
  found_.clear();
  for (const EntryGroups::Group& group : groups_.of(v)) {
    if (!is_near_[group.first_parent]) continue;
    for (const EntryId entry : groups_.entries(group))
      if (is_covered(entry)) found_.push_back(entry);
  }
  mark_neighbours(v, false);
  std::ranges::sort(found_);
  found_.push_back(problem_.last_entry(v));
  return found_;
}

}  // namespace treebound
