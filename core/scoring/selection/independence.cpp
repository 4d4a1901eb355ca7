#include "scoring/selection/independence.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <tuple>

namespace treebound {
namespace {

// How many extensions a stream gives when its turn comes: they share one split of the rows. More of them
// score more sets per second, but not better ones.
constexpr std::size_t kRunOfPairs = 32;
constexpr std::size_t kRun = 4;

ScoredSet score_single(const Pruning& pruning, VariableId y) {
  return pruning.make_scored(pruning.pairs().family(pruning.child(), y), pruning.data().cardinality(y));
}

ScoredSet score_empty(const Pruning& pruning) {
  return pruning.make_scored(pruning.pairs().family(pruning.child()), 1);
}

/// Of the required parents; the empty set where there are none.
ScoredSet score_base(const Pruning& pruning, FamilyScorer* scorer) {
  const auto required = pruning.required();
  if (required.empty()) return score_empty(pruning);
  return pruning.make_scored(scorer->terms(required), scorer->parent_states(required));
}

bool is_required(const Pruning& pruning, VariableId parent) {
  return std::ranges::binary_search(pruning.required(), parent);
}

/// Calls visit(y, rule) for every possible parent on top of the base, with the rule that closes it, if any.
template <typename Visit>
void for_each_single(const Pruning& pruning, const ScoredSet& base, Visit&& visit) {
  pruning.for_each_parent([&](VariableId y) { visit(y, pruning.closes({}, base, y, base.score)); });
}

/// Single parents that no rule closes, with their scores negated; the best if there are too many.
std::vector<std::pair<double, VariableId>> best_singles(const Pruning& pruning, const ScoredSet& empty,
                                                        std::size_t max_singles) {
  std::vector<std::pair<double, VariableId>> singles;
  for_each_single(pruning, empty, [&](VariableId y, std::optional<Rule> rule) {
    if (!rule) singles.emplace_back(-score_single(pruning, y).score, y);
  });
  if (singles.size() > max_singles) {
    const auto end = singles.begin() + static_cast<std::ptrdiff_t>(max_singles);
    std::nth_element(singles.begin(), end, singles.end());
    singles.erase(end, singles.end());
  }
  return singles;
}

/// The best score among all proper subsets of a visited set that are allowed and were scored; the least of
/// them is the base.
double best_proper_subset(const Pruning& pruning, const IndependenceState& state, const VisitedSet& set,
                          double base_score) {
  double best = base_score;
  const auto members = state.members_of(set);
  std::vector<VariableId> subset;
  for (std::uint32_t mask = 1; mask + 1 < (1u << set.size); ++mask) {
    subset.clear();
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (mask >> i & 1u) subset.push_back(members[i]);
    }
    if (subset.size() == 1 && pruning.required().empty()) {
      best = std::max(best, score_single(pruning, subset[0]).score);
    } else if (const VisitedSet* found = state.find(set_hash(subset), subset)) {
      if (found->status == VisitedSet::Status::open) best = std::max(best, found->score);
    }
  }
  return best;
}

}  // namespace

bool operator<(const IndependenceState::Stream& a, const IndependenceState::Stream& b) {
  const auto key = [](const IndependenceState::Stream& s) {
    return std::tuple(s.base_class, s.base, s.next_class, s.rank);
  };
  return a.estimate != b.estimate ? a.estimate < b.estimate : key(a) > key(b);
}

std::uint32_t IndependenceState::add(std::span<const VariableId> parents, const ScoredSet& scored,
                                     VisitedSet::Status status) {
  assert(std::ranges::is_sorted(parents));
  const auto number = static_cast<std::uint32_t>(visited.size());
  VisitedSet set{};
  set.set_scored(scored);
  set.first_member = static_cast<std::uint32_t>(members.append(parents));
  set.size = static_cast<std::uint8_t>(parents.size());
  set.status = status;
  visited.push_back(set);
  index.insert(set_hash(parents), number);
  return number;
}

const VisitedSet* IndependenceState::find(std::uint64_t hash, std::span<const VariableId> parents) const {
  const std::uint32_t number = index.find(hash, [&](std::uint32_t candidate) {
    const auto stored = members_of(visited[candidate]);
    return std::equal(stored.begin(), stored.end(), parents.begin(), parents.end());
  });
  return number == SetIndex::kNone ? nullptr : &visited[number];
}

IndependenceSearch::IndependenceSearch(const Pruning& pruning, FamilyScorer& scorer, IndependenceState& state,
                                       std::size_t max_parents, std::size_t max_visited)
    : pruning_(&pruning),
      scorer_(&scorer),
      state_(&state),
      max_parents_(pruning.max_parents(max_parents)),
      max_visited_(max_visited),
      empty_(score_empty(pruning)),
      base_(score_base(pruning, &scorer)) {
  assert(pruning.pairs().is_complete());
  rank_singles();
  if (state_->has_started) return;
  state_->has_started = true;
  if (pruning.required().empty()) {
    open_first_streams();
  } else {
    visit_base();
  }
  for (std::uint32_t i = 0; i < state_->visited.size(); ++i) open_streams(i);
}

ScoredSet IndependenceSearch::single(VariableId y) const { return score_single(*pruning_, y); }

ScoredSet IndependenceSearch::scored(const VisitedSet& set) const {
  return {set.score, set.best,        scorer_->parent_states(state_->members_of(set)),
          set.loss,  set.parent_term, set.num_configurations};
}

// Parents that a rule closes at once belong to no set that matters, so they are in no class.
void IndependenceSearch::rank_singles() {
  if (max_parents_ == 0) return;
  std::map<std::uint32_t, std::vector<std::pair<double, VariableId>>> by_states;
  const bool has_base = !pruning_->required().empty();
  for_each_single(*pruning_, base_, [&](VariableId y, std::optional<Rule> rule) {
    if (!rule) {
      const double score = single(y).score;
      by_states[pruning_->data().cardinality(y)].emplace_back(-score, y);
      if (!has_base) state_->gain = std::max(state_->gain, score - empty_.score);
    } else if (!state_->has_started) {
      state_->report.add(*rule);
    }
  });
  for (auto& [num_states, ranked] : by_states) {
    std::sort(ranked.begin(), ranked.end());
    classes_.push_back({num_states, {}});
    for (const auto& [score, y] : ranked) classes_.back().parents.push_back(y);
  }
}

void IndependenceSearch::open_first_streams() {
  if (max_parents_ < 2) return;
  for (std::uint16_t a = 0; a < classes_.size(); ++a) {
    for (std::uint16_t b = a; b < classes_.size(); ++b) open_pair_stream(a, 0, b);
  }
}

/// A set of an earlier session may be there already.
void IndependenceSearch::visit_base() {
  const auto required = pruning_->required();
  if (state_->find(set_hash(required), required) == nullptr)
    state_->add(required, base_, VisitedSet::Status::open);
  state_->gain = base_.score - empty_.score;
}

void IndependenceSearch::open_pair_stream(std::uint16_t base_class, std::uint32_t base,
                                          std::uint16_t next_class) {
  const std::uint32_t rank = base_class == next_class ? base + 1 : 0;
  if (base >= classes_[base_class].parents.size() || rank >= classes_[next_class].parents.size()) return;
  push({estimate(single(classes_[base_class].parents[base]), classes_[next_class].parents[rank]), base, rank,
        base_class, next_class});
}

void IndependenceSearch::open_streams(std::uint32_t number) {
  const VisitedSet& set = state_->visited[number];
  if (set.status == VisitedSet::Status::closed || set.size >= max_parents_) return;
  std::optional<IndependenceState::Stream> best;
  std::size_t num_open = 0;
  for_each_stream(number, [&](const IndependenceState::Stream& stream) {
    if (!best || *best < stream) best = stream;
    num_open += classes_[stream.next_class].parents.size();
  });
  std::size_t num_all = 0;
  for (const Class& c : classes_) num_all += c.parents.size();
  state_->report.add(Rule::de_campos_ji, num_all - num_open);
  if (best) push(*best);
}

template <typename Use>
void IndependenceSearch::for_each_stream(std::uint32_t number, Use&& use) const {
  const ScoredSet set = scored(state_->visited[number]);
  for (std::uint16_t c = 0; c < classes_.size(); ++c) {
    const double saving = (classes_[c].num_states - 1.0) * pruning_->unit_penalty() * set.parent_states;
    if (pruning_->has(Rule::de_campos_ji) && set.loss <= saving) continue;
    use(IndependenceState::Stream{estimate(set, classes_[c].parents[0]), number, 0,
                                  IndependenceState::kVisited, c});
  }
}

// None of them comes before the best one in the order of the heap, and coming late changes nothing.
void IndependenceSearch::open_other_streams(const IndependenceState::Stream& first) {
  bool is_best = true;
  for_each_stream(first.base, [&](const auto& stream) { is_best = is_best && !(first < stream); });
  if (!is_best) return;
  for_each_stream(first.base, [&](const auto& stream) {
    if (stream.next_class != first.next_class) push(stream);
  });
}

void IndependenceSearch::push(IndependenceState::Stream stream) {
  state_->heap.push_back(stream);
  std::push_heap(state_->heap.begin(), state_->heap.end());
}

double IndependenceSearch::estimate(const ScoredSet& base, VariableId y) const {
  const double q = base.parent_states, r = pruning_->data().cardinality(y);
  return base.score + single(y).score - empty_.score + pruning_->unit_penalty() * (q + r - q * r - 1);
}

std::uint64_t IndependenceSearch::score_batch(std::uint64_t max_sets) {
  const auto wanted = static_cast<std::size_t>(max_sets);
  std::vector<Pending> batch;
  while (batch.size() < wanted && !state_->heap.empty() && state_->visited.size() < max_visited_) {
    take_next(batch, wanted - batch.size());
  }
  // Extensions of one set follow each other, small sets first, so their common part is split once.
  std::sort(batch.begin(), batch.end(), [&](const Pending& a, const Pending& b) {
    const auto key = [&](const Pending& p) {
      return std::tuple(state_->visited[p.number].size, p.base_class, p.base, p.last);
    };
    return key(a) < key(b);
  });
  for (const Pending& pending : batch) score_pending(pending);
  state_->is_finished = state_->heap.empty() || state_->visited.size() >= max_visited_;
  if (state_->is_finished) state_->heap = {};
  return batch.size();
}

void IndependenceSearch::take_next(std::vector<Pending>& batch, std::size_t max_sets) {
  std::pop_heap(state_->heap.begin(), state_->heap.end());
  IndependenceState::Stream stream = state_->heap.back();
  state_->heap.pop_back();
  const auto& parents = classes_[stream.next_class].parents;
  const bool is_pair = stream.base_class != IndependenceState::kVisited;
  const VariableId first = is_pair ? classes_[stream.base_class].parents[stream.base] : 0;
  const ScoredSet base = is_pair ? single(first) : scored(state_->visited[stream.base]);
  if (is_pair && stream.rank == (stream.base_class == stream.next_class ? stream.base + 1 : 0)) {
    open_pair_stream(stream.base_class, stream.base + 1, stream.next_class);
  }
  if (!is_pair && stream.rank == 0) open_other_streams(stream);
  const std::size_t run = std::min(max_sets, is_pair ? kRunOfPairs : kRun);
  for (std::size_t i = 0; i < run && stream.rank < parents.size(); ++i, ++stream.rank) {
    if (is_pair) {
      candidate_.assign(1, first);
    } else {
      const auto members = state_->members_of(state_->visited[stream.base]);
      candidate_.assign(members.begin(), members.end());
    }
    if (const auto number = visit_with(parents[stream.rank])) {
      batch.push_back({*number, stream.base_class, stream.base, parents[stream.rank]});
    }
  }
  if (stream.rank == parents.size()) return;
  stream.estimate = estimate(base, parents[stream.rank]);
  push(stream);
}

std::optional<std::uint32_t> IndependenceSearch::visit_with(VariableId y) {
  const auto place = std::lower_bound(candidate_.begin(), candidate_.end(), y);
  if (place != candidate_.end() && *place == y) return std::nullopt;
  candidate_.insert(place, y);
  if (state_->find(set_hash(candidate_), candidate_)) return std::nullopt;

  double best = base_.score;
  bool is_open = for_each_subset([&](auto, const ScoredSet& scored, VariableId) {
    best = std::max(best, scored.best);
    return true;
  });
  if (!is_open) {
    ++state_->report.implied;
  } else {
    std::optional<Rule> rule;
    for_each_subset([&](std::span<const VariableId> subset, const ScoredSet& scored, VariableId left_out) {
      rule = pruning_->closes(subset, scored, left_out, best);
      return !rule;
    });
    if (rule) state_->report.add(*rule);
    is_open = !rule;
  }
  const auto number = state_->add(candidate_, ScoredSet{},
                                  is_open ? VisitedSet::Status::pending : VisitedSet::Status::closed);
  if (!is_open) return std::nullopt;
  return number;
}

void IndependenceSearch::score_pending(const Pending& pending) {
  const std::uint32_t number = pending.number;
  const auto members = state_->members_of(state_->visited[number]);
  candidate_.assign(members.begin(), members.end());
  // The new parent comes last: what comes before it is shared with other extensions of the same set.
  const auto last = std::find(candidate_.begin(), candidate_.end(), pending.last);
  std::rotate(last, last + 1, candidate_.end());
  const FamilyTerms terms = scorer_->terms(candidate_);
  ScoredSet scored = pruning_->make_scored(terms, scorer_->parent_states(candidate_));
  scored.best = std::max(scored.best, base_.score);
  candidate_.assign(members.begin(), members.end());
  std::optional<Rule> rule;
  for_each_subset([&](auto, const ScoredSet& subset, VariableId left_out) {
    scored.best = std::max(scored.best, subset.best);
    if (!rule) rule = pruning_->closes_exactly(subset, left_out, terms.parents);
    return true;
  });
  if (rule) state_->report.add(*rule);
  state_->gain = std::max(state_->gain, scored.score - empty_.score);
  state_->visited[number].set_scored(scored);
  state_->visited[number].status = rule ? VisitedSet::Status::closed : VisitedSet::Status::open;
  open_streams(number);
}

template <typename Visit>
bool IndependenceSearch::for_each_subset(Visit&& visit) const {
  const std::uint64_t hash = set_hash(candidate_);
  const bool has_base = !pruning_->required().empty();
  subset_.assign(candidate_.begin() + 1, candidate_.end());
  for (std::size_t i = 0; i < candidate_.size(); ++i) {
    if (i > 0) subset_[i - 1] = candidate_[i - 1];  // now all but member i
    if (has_base && is_required(*pruning_, candidate_[i])) continue;
    if (subset_.size() == 1 && !has_base) {
      if (!visit(std::span<const VariableId>(subset_), single(subset_[0]), candidate_[i])) return true;
      continue;
    }
    const VisitedSet* set = state_->find(hash - member_hash(candidate_[i]), subset_);
    if (!set) continue;
    if (set->status == VisitedSet::Status::closed) return false;
    if (set->status == VisitedSet::Status::open &&
        !visit(std::span<const VariableId>(subset_), scored(*set), candidate_[i]))
      return true;
  }
  return true;
}

Collected collect(const Pruning& pruning, const IndependenceState& state, std::size_t max_parents,
                  std::size_t max_singles, FamilyScorer* scorer) {
  Collected result{{}, 0};
  const bool drops_dominated = pruning.has(Rule::dominated);
  const ScoredSet empty = score_empty(pruning);
  if (scorer != nullptr) scorer->begin(pruning.child());
  const ScoredSet base = score_base(pruning, scorer);
  const auto keep = [&](std::span<const VariableId> members, double score, double best_subset) {
    if (drops_dominated && score <= best_subset) {
      ++result.num_dominated;
    } else {
      result.kept.add(members, score);
    }
  };
  result.kept.add({}, empty.score);
  if (!pruning.required().empty()) {
    result.kept.add(pruning.required(), base.score);
  } else if (pruning.max_parents(max_parents) > 0) {
    for (const auto& [loss, y] : best_singles(pruning, empty, max_singles))
      keep(std::span(&y, 1), -loss, empty.score);
  }
  for (std::size_t i = 0; i < state.visited.size(); ++i) {
    const VisitedSet& set = state.visited[i];
    if (set.status != VisitedSet::Status::open || set.size == pruning.required().size()) continue;
    // A set that a subset beat when it was scored needs no second look; one scored before its subsets does.
    const bool was_beaten = set.score < set.best;
    const double best =
        was_beaten || !drops_dominated ? set.best : best_proper_subset(pruning, state, set, base.score);
    keep(state.members_of(set), set.score, best);
  }
  return result;
}

}  // namespace treebound
