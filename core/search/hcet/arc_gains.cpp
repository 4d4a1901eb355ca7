#include "search/hcet/arc_gains.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "scoring/families/pair_terms.hpp"

namespace treebound {
namespace {

// Parents that one thread looks at between two looks at the clock.
constexpr std::size_t kChunk = 16;
// Work that is worth a further thread, several times what it takes to start one.
constexpr double kNanosecondsPerThread = 2e5;
// Gains are multiples of this, so arcs that gain the same do so to the last bit.
constexpr double kUnit = 0x1p-20;
// A gigabyte of pairs: those of 16,000 variables. Of more variables, only the best pairs are kept.
constexpr std::size_t kMaxPairs = std::size_t{1} << 27;
// A child is given candidates where a look at all variables takes longer, and so many that it takes about as
// long; but no fewer than these.
constexpr double kNanosecondsPerColumn = 4e6;
constexpr std::size_t kFewestCandidates = 256;

/// As measured, roughly, by one thread: each parent splits the rows further, and there are tables to sum.
double nanoseconds_per_set(const Dataset& data) { return 2 * static_cast<double>(data.num_words()) + 200; }

Term log_likelihood(const FamilyTerms& terms) { return terms.joint - terms.parents; }

void sort_best_first(std::vector<ArcGains::Addition>& additions) {
  std::sort(additions.begin(), additions.end(), [](const ArcGains::Addition& a, const ArcGains::Addition& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.parent < b.parent;
  });
}

}  // namespace

ArcGains::ArcGains(const SearchProblem& problem, Run& run)
    : rules_(&problem.rules()),
      data_(problem.source().data),
      score_(problem.source().score->clone()),
      run_(&run),
      columns_(problem.num_variables()),
      workers_(run.num_threads()) {
  for (VariableId v = 0; v < problem.num_variables(); ++v) {
    ++num_columns_;
    const FamilyTerms terms = scorer(0, v).terms({});
    columns_[v].score = score_->score(terms, data_->cardinality(v), 1);
    losses_.push_back(-score_->to_double(log_likelihood(terms)));
  }
}

FamilyScorer& ArcGains::scorer(std::size_t worker_id, VariableId child) {
  auto& worker = workers_[worker_id];
  if (!worker) worker = std::make_unique<Worker>(*data_, *score_);
  if (worker->column != num_columns_) {
    worker->column = num_columns_;
    worker->scorer.begin(child);
  }
  return worker->scorer;
}

double ArcGains::gain(VariableId child, Term from, Term to, double from_states, double to_states) const {
  const double states = data_->cardinality(child);
  const double gained = score_->to_double(to - from) -
                        (score_->penalty(states, to_states) - score_->penalty(states, from_states));
  return std::nearbyint(gained / kUnit) * kUnit;
}

bool ArcGains::count_pairs() {
  const PairTerms pairs(*data_, *score_, *run_, kMaxPairs);
  if (!pairs.is_complete()) return false;
  const auto max_candidates = std::max(
      kFewestCandidates, static_cast<std::size_t>(kNanosecondsPerColumn / nanoseconds_per_set(*data_)));
  has_candidates_ = pairs.is_sparse() || max_candidates < columns_.size();
  return parallel_for(*run_, columns_.size(), [&](std::size_t, std::size_t item) {
    const auto v = static_cast<VariableId>(item);
    std::vector<Addition> additions;
    const Term alone = log_likelihood(pairs.family(v));
    pairs.for_each_partner(v, [&](VariableId u) {
      if (!rules_->allows_parent(v, u)) return;
      const double gained = gain(v, alone, log_likelihood(pairs.family(v, u)), 1, data_->cardinality(u));
      if (gained > kLeastGain || has_candidates_) additions.push_back({gained, u});
    });
    sort_best_first(additions);
    if (has_candidates_) keep_candidates(v, additions, max_candidates);
    columns_[v].additions.assign(additions.begin(), additions.end());
  });
}

/// Makes the first of all parents the candidates of v, and leaves those that gain.
void ArcGains::keep_candidates(VariableId v, std::vector<Addition>& all, std::size_t max_candidates) {
  if (all.size() > max_candidates) all.resize(max_candidates);
  auto& candidates = columns_[v].candidates;
  for (const Addition& addition : all) candidates.push_back(addition.parent);
  std::ranges::sort(candidates);
  std::erase_if(all, [](const Addition& addition) { return addition.gain <= kLeastGain; });
}

/// No parent gains more than the child has to lose, -log of the probability of its states. A likelihood has
/// a penalty; its gain is mutual information, which is also at most the entropy of the parent.
bool ArcGains::may_gain(VariableId child, VariableId parent, double loss, double states) const {
  const double child_states = data_->cardinality(child);
  const double cost = score_->penalty(child_states, states * data_->cardinality(parent)) -
                      score_->penalty(child_states, states);
  return loss - cost > kLeastGain && (cost <= 0 || losses_[parent] - cost > kLeastGain);
}

std::size_t ArcGains::num_threads_for(std::size_t num_sets, std::size_t num_parents) const {
  const double nanoseconds = static_cast<double>(num_sets * (num_parents + 1)) * nanoseconds_per_set(*data_);
  return std::min<std::size_t>(run_->num_threads(),
                               1 + static_cast<std::size_t>(nanoseconds / kNanosecondsPerThread));
}

/// Fills gains_; false if the run stopped before.
bool ArcGains::count_tried(VariableId child, std::span<const VariableId> parents, Term now, double states) {
  gains_.assign(tried_.size(), 0);
  const std::size_t num_chunks = (tried_.size() + kChunk - 1) / kChunk;
  return parallel_for(
      num_threads_for(tried_.size(), parents.size()), num_chunks,
      [&](std::size_t worker, std::size_t chunk) {
        FamilyScorer& own = scorer(worker, child);
        std::vector<VariableId>& set = workers_[worker]->set;
        set.assign(parents.begin(), parents.end());
        set.push_back(0);
        const std::size_t end = std::min((chunk + 1) * kChunk, tried_.size());
        for (std::size_t i = chunk * kChunk; i < end; ++i) {
          set.back() = tried_[i];
          gains_[i] = gain(child, now, log_likelihood(own.terms(set)), states,
                           states * data_->cardinality(tried_[i]));
        }
      },
      [&] { return run_->should_stop(); });
}

void ArcGains::recount_tried(VariableId child, std::span<const VariableId> parents) {
  ++num_columns_;
  const FamilyTerms terms = scorer(0, child).terms(parents);
  const Term now = log_likelihood(terms);
  const double states = scorer(0, child).parent_states(parents);
  const double loss = -score_->to_double(now);
  Column& column = columns_[child];
  column.score = score_->score(terms, data_->cardinality(child), states);

  std::erase_if(tried_, [&](VariableId u) { return !may_gain(child, u, loss, states); });
  column.additions.clear();
  if (count_tried(child, parents, now, states)) {
    for (std::size_t i = 0; i < tried_.size(); ++i)
      if (gains_[i] > kLeastGain) column.additions.push_back({gains_[i], tried_[i]});
    sort_best_first(column.additions);
  }

  column.removals.clear();
  std::vector<VariableId>& set = workers_[0]->set;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    set.assign(parents.begin(), parents.end());
    set.erase(set.begin() + static_cast<std::ptrdiff_t>(i));
    const Term less = log_likelihood(scorer(0, child).terms(set));
    column.removals.push_back(gain(child, now, less, states, states / data_->cardinality(parents[i])));
  }
}

double ArcGains::addition(VariableId child, VariableId parent) const {
  for (const Addition& addition : columns_[child].additions)
    if (addition.parent == parent) return addition.gain;
  return 0;
}

}  // namespace treebound
