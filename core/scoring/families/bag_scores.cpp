#include "scoring/families/bag_scores.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "scoring/set_index.hpp"

namespace treebound {

BagScores::BagScores(const Dataset& data, const LocalScore& score)
    : data_(&data), score_(score.clone()), counter_(data), remembered_(kNumRemembered) {}

bool BagScores::is_countable(std::span<const VariableId> members) const {
  if (members.empty() || members.size() > kMaxMembers) return false;
  double num_cells = 1;
  for (const VariableId v : members) num_cells *= data_->cardinality(v);
  return num_cells <= kMaxCells;
}

void BagScores::count(std::span<const VariableId> members) {
  assert(is_countable(members) && is_variable_set(members, data_->num_variables()));
  Remembered& place = remembered_[set_hash(members) % kNumRemembered];
  terms_ = place.terms.data();
  states_[0] = 1;
  for (Mask subset = 1; subset < Mask{1} << members.size(); ++subset) {
    const auto last = static_cast<std::size_t>(std::bit_width(subset)) - 1;
    states_[subset] = states_[subset ^ Mask{1} << last] * data_->cardinality(members[last]);
  }
  if (std::ranges::equal(place.members, members)) {
    members_ = place.members;
    return;
  }
  place.members.assign(members.begin(), members.end());
  members_ = place.members;
  const Mask all = (Mask{1} << members.size()) - 1;
  counts_.resize(static_cast<std::size_t>(states_[all]));
  counter_.count(members, counts_.data());
  tables_[0].assign(counts_.begin(), counts_.end());
  std::size_t stride = 1;
  for (std::size_t i = members.size(); i-- > 0; stride *= data_->cardinality(members[i]))
    strides_[i] = stride;
  sum_subsets(all, 0, 0);
}

/// Sums the terms of the table at this depth, and of those that follow by leaving further members out, in
/// ascending order: each subset comes once.
void BagScores::sum_subsets(Mask subset, std::size_t first_to_drop, std::size_t depth) {
  const auto& table = tables_[depth];
  const Term* const term_of = score_->tables(states_[subset], states_[subset]).joint;
  Term sum = 0;
  for (const std::uint32_t n : table) sum += term_of[n];
  terms_[subset] = sum;
  for (std::size_t i = first_to_drop; i < members_.size(); ++i) {
    const std::size_t num_states = data_->cardinality(members_[i]);
    const std::size_t inner = strides_[i];
    auto& smaller = tables_[depth + 1];
    smaller.assign(table.size() / num_states, 0);
    for (std::size_t outer = 0; outer < smaller.size() / inner; ++outer) {
      std::uint32_t* const to = smaller.data() + outer * inner;
      for (std::size_t state = 0; state < num_states; ++state) {
        const std::uint32_t* const from = table.data() + (outer * num_states + state) * inner;
        for (std::size_t j = 0; j < inner; ++j) to[j] += from[j];
      }
    }
    sum_subsets(subset ^ Mask{1} << i, i + 1, depth + 1);
  }
}

}  // namespace treebound
