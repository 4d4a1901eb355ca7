#include "scoring/selection/exhaustive.hpp"

#include <algorithm>
#include <cassert>

namespace treebound {
namespace {

// How many sets are scored between two looks at the clock.
constexpr std::uint64_t kReportEvery = 256;

}  // namespace

ExhaustiveSearch::ExhaustiveSearch(const Pruning& pruning, FamilyScorer* scorer, Run& run,
                                   std::size_t max_parents, std::uint64_t max_sets)
    : pruning_(&pruning),
      scorer_(scorer),
      run_(&run),
      base_(pruning.required()),
      needs_base_(!base_.empty()),
      max_parents_(pruning.max_parents(max_parents)),
      max_sets_(max_sets) {}

void ExhaustiveSearch::begin() {
  score_empty();
  is_finished_ = true;
  if (max_parents_ == 0) return;
  if (!needs_base_) score_singles();
  is_finished_ = pruning_->pairs().is_complete();
}

bool ExhaustiveSearch::has_next_level() const {
  if (!is_finished_ || needs_base_) return is_finished_;
  return base_.size() + level_.size < max_parents_ && !level_.sets.empty();
}

bool ExhaustiveSearch::run() {
  begin();
  if (needs_base_) {
    assert(scorer_ != nullptr);
    scorer_->begin(pruning_->child());
    take_base(scorer_->terms(base_));
  }
  if (!has_next_level()) return is_finished_;
  assert(scorer_ != nullptr);
  scorer_->begin(pruning_->child());
  while (has_next_level()) is_finished_ = score_next_level();
  run_->num_steps += num_scored_ - num_reported_;
  return is_finished_;
}

std::vector<VariableId> ExhaustiveSearch::candidates() {
  std::vector<VariableId> sets;
  if (!has_next_level()) return sets;
  if (needs_base_) return {base_.begin(), base_.end()};
  const PruningReport before = report_;  // settle_level comes past the same sets again
  for_each_candidate([&](auto, auto, auto) {
    const auto set = family(true);
    sets.insert(sets.end(), set.begin(), set.end());
    return true;
  });
  if (sets.empty()) {
    go_up();
  } else {
    report_ = before;
  }
  return sets;
}

void ExhaustiveSearch::settle_level(std::span<const FamilyTerms> terms) {
  if (!has_next_level()) return;
  std::size_t next = 0;
  assert(!needs_base_ || terms.size() == 1);
  if (needs_base_) return take_base(terms[next]);
  is_finished_ = for_each_candidate([&](std::size_t shorter, std::size_t same_run, double best) {
    assert(next < terms.size());
    return take_terms(terms[next++], shorter, same_run, best);
  });
  if (is_finished_) go_up();
  run_->num_steps += num_scored_ - num_reported_;
  num_reported_ = num_scored_;
}

void ExhaustiveSearch::score_empty() {
  empty_ = pruning_->make_scored(pruning_->pairs().family(pruning_->child()), 1);
  kept_.add({}, empty_.score);
  best_score_ = empty_score_ = empty_.score;
  ++run_->num_steps;
}

void ExhaustiveSearch::take_base(const FamilyTerms& terms) {
  double states = 1;
  for (const VariableId p : base_) states *= pruning_->data().cardinality(p);
  empty_ = pruning_->make_scored(terms, states);
  kept_.add(base_, empty_.score);
  best_score_ = empty_.score;
  ++run_->num_steps;
  needs_base_ = false;
  level_.sets = {empty_};
}

std::span<const VariableId> ExhaustiveSearch::family(bool is_sorted) {
  if (base_.empty()) return candidate_;
  family_.assign(base_.begin(), base_.end());
  family_.insert(family_.end(), candidate_.begin(), candidate_.end());
  if (is_sorted) std::ranges::sort(family_);
  return family_;
}

void ExhaustiveSearch::score_singles() {
  const VariableId child = pruning_->child();
  const Dataset& data = pruning_->data();
  next_ = {};
  next_.size = 1;
  std::uint64_t num_singles = 0;
  pruning_->for_each_parent([&](VariableId y) {
    if (const auto rule = pruning_->closes({}, empty_, y, empty_.score)) {
      report_.add(*rule);
      return;
    }
    candidate_.assign(1, y);
    ++num_singles;
    settle(pruning_->make_scored(pruning_->pairs().family(child, y), data.cardinality(y)), empty_.best,
           std::nullopt, max_parents_ == 1);
  });
  run_->num_steps += num_singles;
  next_.run_starts = {0, next_.sets.size()};
  std::swap(level_, next_);
}

template <typename Use>
bool ExhaustiveSearch::for_each_single(Use&& use) {
  bool goes_on = true;
  next_.run_starts = {0};
  pruning_->for_each_parent([&](VariableId y) {
    if (!goes_on) return;
    candidate_[0] = y;
    if (const auto rule = pruning_->closes({}, empty_, y, empty_.score)) {
      report_.add(*rule);
    } else {
      goes_on = use(0, 0, empty_.score);
    }
  });
  return goes_on;
}

template <typename Use>
bool ExhaustiveSearch::for_each_candidate(Use&& use) {
  next_ = {};
  next_.size = level_.size + 1;
  candidate_.resize(next_.size);
  if (level_.size == 0) return for_each_single(use);
  for (std::size_t run = 0; run + 1 < level_.run_starts.size(); ++run) {
    const std::size_t end = level_.run_starts[run + 1];
    for (std::size_t i = level_.run_starts[run]; i + 1 < end; ++i) {
      const std::size_t num_before = next_.sets.size();
      const auto shorter = level_.of(i);
      if (!find_companions(shorter)) {
        report_.implied += end - i - 1;
        continue;
      }
      std::copy(shorter.begin(), shorter.end(), candidate_.begin());
      for (std::size_t j = i + 1; j < end; ++j) {
        candidate_.back() = level_.last(j);
        if (!advance_companions(candidate_.back())) {
          ++report_.implied;
          continue;
        }
        double best = std::max(level_.sets[i].best, level_.sets[j].best);
        for (const Companion& companion : companions_)
          best = std::max(best, level_.sets[companion.next].best);
        if (const auto rule = closing_rule(i, j, best)) {
          report_.add(*rule);
          continue;
        }
        if (!use(i, j, best)) return false;
      }
      if (next_.sets.size() > num_before) next_.run_starts.push_back(num_before);
    }
  }
  return true;
}

bool ExhaustiveSearch::take_terms(const FamilyTerms& terms, std::size_t shorter, std::size_t same_run,
                                  double best) {
  const double states = level_.sets[shorter].parent_states * pruning_->data().cardinality(candidate_.back());
  settle(pruning_->make_scored(terms, states), best, closing_rule_exactly(shorter, same_run, terms.parents),
         base_.size() + next_.size == max_parents_);
  ++num_scored_;
  return num_scored_ - num_reported_ < kReportEvery || !out_of_budget();
}

bool ExhaustiveSearch::score_next_level() {
  const bool is_complete = for_each_candidate([&](std::size_t shorter, std::size_t same_run, double best) {
    return take_terms(scorer_->terms(family(false)), shorter, same_run, best);
  });
  if (is_complete) go_up();
  return is_complete;
}

void ExhaustiveSearch::go_up() {
  next_.run_starts.push_back(next_.sets.size());
  std::swap(level_, next_);
}

bool ExhaustiveSearch::find_companions(std::span<const VariableId> set) {
  companions_.clear();
  for (std::size_t left_out = 0; left_out + 1 < set.size(); ++left_out) {
    prefix_.assign(set.begin(), set.end());
    prefix_.erase(prefix_.begin() + static_cast<std::ptrdiff_t>(left_out));
    const auto found =
        std::lower_bound(level_.run_starts.begin(), level_.run_starts.end() - 1, prefix_,
                         [&](std::size_t start, const auto& prefix) {
                           const auto members = level_.of(start);
                           return std::lexicographical_compare(members.begin(), members.end() - 1,
                                                               prefix.begin(), prefix.end());
                         });
    if (found == level_.run_starts.end() - 1) return false;
    const auto members = level_.of(*found);
    if (!std::equal(prefix_.begin(), prefix_.end(), members.begin())) return false;
    companions_.push_back({*found, *(found + 1)});
  }
  return true;
}

bool ExhaustiveSearch::advance_companions(VariableId last) {
  for (Companion& run : companions_) {
    while (run.next < run.end && level_.last(run.next) < last) ++run.next;
    if (run.next == run.end || level_.last(run.next) != last) return false;
  }
  return true;
}

// The subsets of the candidate with one member less are: itself without its last member (`shorter`), without
// its second last (`same_run`, a neighbour in the same run), and the companions, without the first, the
// second, ...
std::optional<Rule> ExhaustiveSearch::closing_rule(std::size_t shorter, std::size_t same_run,
                                                   double best) const {
  if (!pruning_->closes_any()) return std::nullopt;
  const std::size_t size = candidate_.size();
  if (auto rule = pruning_->closes(level_.of(shorter), level_.sets[shorter], candidate_[size - 1], best))
    return rule;
  if (auto rule = pruning_->closes(level_.of(same_run), level_.sets[same_run], candidate_[size - 2], best))
    return rule;
  for (std::size_t i = 0; i < companions_.size(); ++i) {
    const std::size_t subset = companions_[i].next;
    if (auto rule = pruning_->closes(level_.of(subset), level_.sets[subset], candidate_[i], best))
      return rule;
  }
  return std::nullopt;
}

std::optional<Rule> ExhaustiveSearch::closing_rule_exactly(std::size_t shorter, std::size_t same_run,
                                                           Term term) const {
  if (!pruning_->closes_any()) return std::nullopt;
  const std::size_t size = candidate_.size();
  if (auto rule = pruning_->closes_exactly(level_.sets[shorter], candidate_[size - 1], term)) return rule;
  if (size == 1) return std::nullopt;
  if (auto rule = pruning_->closes_exactly(level_.sets[same_run], candidate_[size - 2], term)) return rule;
  for (std::size_t i = 0; i < companions_.size(); ++i) {
    if (auto rule = pruning_->closes_exactly(level_.sets[companions_[i].next], candidate_[i], term))
      return rule;
  }
  return std::nullopt;
}

void ExhaustiveSearch::settle(ScoredSet scored, double best_subset, std::optional<Rule> closed,
                              bool is_last) {
  if (closed) {
    report_.add(*closed);
    return;
  }
  if (pruning_->has(Rule::dominated) && scored.score <= best_subset) {
    report_.add(Rule::dominated);
  } else {
    kept_.add(family(true), scored.score);
    best_score_ = std::max(best_score_, scored.score);
  }
  if (is_last) return;
  scored.best = std::max(scored.score, best_subset);
  next_.members.insert(next_.members.end(), candidate_.begin(), candidate_.end());
  next_.sets.push_back(scored);
}

bool ExhaustiveSearch::out_of_budget() {
  run_->num_steps += num_scored_ - num_reported_;
  num_reported_ = num_scored_;
  return num_scored_ >= max_sets_ || run_->should_stop();
}

}  // namespace treebound
