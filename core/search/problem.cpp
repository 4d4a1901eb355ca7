#include "search/problem.hpp"

#include <algorithm>
#include <cassert>

namespace treebound {

SearchProblem::SearchProblem(const CacheView& cache, BagBound bound, std::vector<std::uint32_t> cardinalities,
                             FamilySource source, FamilyRules rules, LeastSets least)
    : num_variables_(static_cast<std::uint32_t>(cache.num_variables())),
      bound_{std::min(bound.max_treewidth, num_variables_ - 1), bound.max_cells},
      cardinalities_(std::move(cardinalities)),
      source_(source),
      rules_(std::move(rules)),
      least_(std::move(least)) {
  assert(bound.max_cells == HUGE_VAL || cardinalities_.size() == num_variables_);
  assert(!rules_.has_required() || least_.scores.size() == num_variables_);
  assert(!rules_.has_required() || least_.elimination_order.size() == num_variables_);
  for (VariableId v = 0; v < num_variables_; ++v) add_variable(cache, v);
  heads_.resize(heads_.size() + kBlock, {num_variables_, num_variables_});
  if (rules_.has_required()) score_holes();
  for (VariableId v = 0; v < num_variables_; ++v) add_losses(v);
}

void SearchProblem::add_variable(const CacheView& cache, VariableId v) {
  const EntryId first = num_entries();
  const auto least = rules_.required(v);
  double least_score = least.empty() ? -HUGE_VAL : least_.scores[v];
  for (auto set = static_cast<std::size_t>(cache.set_offsets[v]);
       set < static_cast<std::size_t>(cache.set_offsets[v + 1]) && cache.scores[set] >= least_score; ++set) {
    const auto parents = cache.parents_of(set);
    if (parents.size() > width() || !rules_.allows(v, parents)) continue;
    if (parents.empty()) least_score = cache.scores[set];
    if (parents.size() == least.size()) break;
    add_entry(v, parents, cache.scores[set]);
  }
  assert(least_score > -HUGE_VAL && least.size() <= width());
  add_entry(v, least, least_score);
  assert(std::is_sorted(scores_.rbegin(), scores_.rend() - static_cast<std::ptrdiff_t>(first)));
  if (!least.empty()) add_entry(v, {}, -HUGE_VAL);
  entry_offsets_.push_back(num_entries());
  sum_of_best_ += scores_[first];
}

void SearchProblem::add_entry(VariableId v, std::span<const VariableId> parents, double score) {
  const std::size_t size = parents.size();
  heads_.push_back({size == 0 ? num_variables_ : parents[0] | (size > 2 ? kMany : 0),
                    size < 2 ? num_variables_ : parents[1]});
  members_.push_back(v);
  members_.insert(members_.end(), parents.begin(), parents.end());
  member_offsets_.push_back(static_cast<std::uint32_t>(members_.size()));
  scores_.push_back(score);
}

/// All that a structure can gain over the least sets is the sum of the differences to their best sets; to
/// zero where rows are given, from which no family scores above it. A hole costs four times as much.
void SearchProblem::score_holes() {
  double most = 1;
  for (VariableId v = 0; v < num_variables_; ++v)
    most += std::max(scores_[best_entry(v)], source_.is_given() ? 0.0 : -HUGE_VAL) - scores_[least_entry(v)];
  for (VariableId v = 0; v < num_variables_; ++v)
    if (last_entry(v) != least_entry(v)) scores_[last_entry(v)] = scores_[least_entry(v)] - 4 * most;
  loss_of_hole_ = 2 * most;
}

void SearchProblem::add_losses(VariableId v) {
  const double best = scores_[best_entry(v)];
  const double span = best - scores_[least_entry(v)];
  for (EntryId entry = best_entry(v); entry <= last_entry(v); ++entry)
    losses_.push_back(span > 0 ? static_cast<float>((best - scores_[entry]) / span) : 0.0f);
}

bool SearchProblem::has_few_cells(VariableId child, std::span<const VariableId> parents) const {
  double cells = cardinalities_[child];
  for (const VariableId p : parents) cells *= cardinalities_[p];
  return cells <= bound_.max_cells;
}

std::vector<EntryId> SearchProblem::least_entries() const {
  std::vector<EntryId> entries;
  for (VariableId v = 0; v < num_variables_; ++v) entries.push_back(least_entry(v));
  return entries;
}

double SearchProblem::total_score(std::span<const EntryId> chosen) const {
  double total = 0;
  for (const EntryId entry : chosen) total += scores_[entry];
  return total;
}

void SearchProblem::put_required_first(std::span<VariableId> order) const {
  if (!rules_.has_required()) return;
  const std::vector<VariableId> before(order.begin(), order.end());
  std::vector<std::uint8_t> is_placed(num_variables_, 0);
  std::vector<VariableId> path;
  std::size_t num_placed = 0;
  for (const VariableId v : before) {
    if (is_placed[v] == 0) path.push_back(v);
    while (!path.empty()) {
      const auto required = rules_.required(path.back());
      const auto next = std::ranges::find_if(required, [&](VariableId p) { return is_placed[p] == 0; });
      if (next != required.end()) {
        path.push_back(*next);
        continue;
      }
      is_placed[path.back()] = 1;
      order[num_placed++] = path.back();
      path.pop_back();
    }
  }
}

}  // namespace treebound
