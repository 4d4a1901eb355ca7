#include "search/within_ktree/peeled_choices.hpp"

#include <algorithm>
#include <iterator>

namespace treebound {

void PeeledChoices::write(CoveredEntries& covered, ParentChoices& choices) {
  const std::uint32_t n = problem_.num_variables();
  entries_.clear();
  offsets_.clear();
  std::ranges::fill(state_, kOpen);
  for (VariableId v = 0; v < n; ++v) {
    offsets_.push_back(entries_.size());
    const auto all = covered.all(v);
    entries_.insert(entries_.end(), all.begin(), all.end());
    ends_[v] = entries_.size();
  }
  while (take_first() || take_last()) {
  }
  choices.clear();
  for (VariableId v = 0; v < n; ++v) {
    const auto all = entries(v);
    for (const EntryId entry : state_[v] == kOpen ? all : all.first(1)) {
      left_.clear();
      if (state_[v] == kOpen)
        std::ranges::copy_if(problem_.parents(entry), std::back_inserter(left_),
                             [&](VariableId u) { return state_[u] == kOpen; });
      choices.add(problem_.score(entry), left_, entry);
    }
    choices.end_variable();
  }
}

bool PeeledChoices::always_fits(EntryId entry) const {
  return std::ranges::all_of(problem_.parents(entry), [&](VariableId u) { return state_[u] == kFirst; });
}

/// Ends the list of v with its first set that always fits; returns whether that is its best one.
bool PeeledChoices::shorten(VariableId v) {
  const auto all = entries(v);
  const auto place = std::ranges::find_if(all, [&](EntryId entry) { return always_fits(entry); });
  ends_[v] = offsets_[v] + static_cast<std::size_t>(place - all.begin()) + 1;
  return place == all.begin();
}

bool PeeledChoices::take_first() {
  bool has_any = false;
  for (VariableId v = 0; v < state_.size(); ++v) {
    if (state_[v] != kOpen || !shorten(v)) continue;
    state_[v] = kFirst;
    has_any = true;
  }
  return has_any;
}

bool PeeledChoices::take_last() {
  std::ranges::fill(num_uses_, 0);
  for (VariableId v = 0; v < state_.size(); ++v)
    if (state_[v] == kOpen)
      for (const EntryId entry : entries(v))
        for (const VariableId u : problem_.parents(entry)) ++num_uses_[u];
  bool has_any = false;
  for (VariableId v = 0; v < state_.size(); ++v) {
    if (state_[v] != kOpen || num_uses_[v] > 0) continue;
    state_[v] = kLast;
    has_any = true;
    for (const EntryId entry : entries(v))
      for (const VariableId u : problem_.parents(entry)) --num_uses_[u];
  }
  return has_any;
}

}  // namespace treebound
