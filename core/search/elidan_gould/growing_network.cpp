#include "search/elidan_gould/growing_network.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace treebound {
namespace {

// Scoring all pairs anew in every construction grows with the square of the variables.
constexpr std::uint32_t kFewVariables = 256;

std::vector<VariableId> parents_of_forest(const SearchProblem& problem, std::span<const EntryId> forest) {
  std::vector<VariableId> parents;
  for (VariableId v = 0; v < problem.num_variables(); ++v) {
    const auto chosen = problem.parents(forest[v]);
    assert(chosen.size() <= 1);
    parents.push_back(chosen.empty() ? v : chosen[0]);
  }
  return parents;
}

template <typename Member>
void insert_sorted(std::vector<Member>& sorted, Member member) {
  sorted.insert(std::ranges::lower_bound(sorted, member), member);
}

}  // namespace

ArcAdditions::ArcAdditions(const SearchProblem& problem) : problem_(&problem) {
  const FamilySource& source = problem.source();
  if (source.is_given()) scorer_ = std::make_unique<FamilyScorer>(*source.data, *source.score);
}

std::vector<ArcAdditions::Arc> ArcAdditions::of(VariableId child, std::span<const VariableId> parents,
                                                double score) {
  std::vector<Arc> arcs;
  if (parents.size() >= problem_->width()) return arcs;
  if (scorer_)
    add_from_rows(child, parents, arcs);
  else
    add_from_cache(child, parents, arcs);
  std::erase_if(arcs, [&](const Arc& arc) { return arc.score <= score; });
  std::ranges::sort(arcs, [](const Arc& a, const Arc& b) {
    return a.score != b.score ? a.score > b.score : a.parent < b.parent;
  });
  return arcs;
}

/// Sets of one parent more.
void ArcAdditions::add_from_cache(VariableId child, std::span<const VariableId> parents,
                                  std::vector<Arc>& arcs) const {
  for (EntryId entry = problem_->best_entry(child); entry < problem_->last_entry(child); ++entry) {
    const auto larger = problem_->parents(entry);
    if (larger.size() != parents.size() + 1 || !std::ranges::includes(larger, parents)) continue;
    const auto added = std::ranges::mismatch(larger, parents).in1;
    arcs.push_back({*added, problem_->score(entry)});
  }
}

void ArcAdditions::add_from_rows(VariableId child, std::span<const VariableId> parents,
                                 std::vector<Arc>& arcs) {
  // The parents first: they are split by once for all.
  std::vector<VariableId> set(parents.begin(), parents.end());
  set.push_back(child);
  scorer_->begin(child);
  for (const VariableId p : possible_parents(child)) {
    if (p == child || std::ranges::binary_search(parents, p)) continue;
    set.back() = p;
    if (problem_->rules().allows(child, set)) arcs.push_back({p, scorer_->score(set)});
  }
}

/// All variables where they are few, else those that the cache names for the child.
std::vector<VariableId> ArcAdditions::possible_parents(VariableId child) const {
  std::vector<VariableId> possible;
  if (problem_->num_variables() <= kFewVariables) {
    possible.resize(problem_->num_variables());
    std::iota(possible.begin(), possible.end(), 0u);
    return possible;
  }
  for (EntryId entry = problem_->best_entry(child); entry < problem_->last_entry(child); ++entry)
    for (const VariableId p : problem_->parents(entry)) possible.push_back(p);
  std::ranges::sort(possible);
  const auto repeats = std::ranges::unique(possible);
  possible.erase(repeats.begin(), repeats.end());
  return possible;
}

GrowingNetwork::GrowingNetwork(const SearchProblem& problem, std::span<const EntryId> forest,
                               ArcAdditions& gains)
    : problem_(&problem),
      gains_(&gains),
      arcs_(problem.num_variables(), log_),
      triangulation_(parents_of_forest(problem, forest)),
      arcs_to_(problem.num_variables()),
      is_known_(problem.num_variables(), 0) {
  for (VariableId v = 0; v < problem.num_variables(); ++v) {
    const auto chosen = problem.parents(forest[v]);
    arcs_.add(v, chosen);
    parents_.emplace_back(chosen.begin(), chosen.end());
    scores_.push_back(problem.score(forest[v]));
    homes_.push_back(v);
  }
  log_.forget();
}

std::vector<VariableId> GrowingNetwork::family(VariableId v) const {
  std::vector<VariableId> members = parents_[v];
  insert_sorted(members, v);
  return members;
}

const std::vector<ArcAdditions::Arc>& GrowingNetwork::arcs_to(VariableId v) {
  if (!is_known_[v]) arcs_to_[v] = gains_->of(v, parents_[v], scores_[v]);
  is_known_[v] = 1;
  return arcs_to_[v];
}

/// All arcs that gain, the best first; fewer when the run should stop.
std::vector<GrowingNetwork::Candidate> GrowingNetwork::candidates(const Run& run) {
  std::vector<Candidate> found;
  for (VariableId v = 0; v < parents_.size() && !run.should_stop(); ++v)
    for (const auto& [parent, score] : arcs_to(v)) found.push_back({score - scores_[v], parent, v, score});
  std::ranges::stable_sort(found, [](const Candidate& a, const Candidate& b) { return a.gain > b.gain; });
  return found;
}

bool GrowingNetwork::try_add(const Candidate& candidate, std::size_t max_width) {
  const auto& [gain, parent, child, score] = candidate;
  // The family may have changed since the gain was known.
  if (score - scores_[child] != gain || std::ranges::binary_search(parents_[child], parent)) return false;
  arcs_.mark_from(child);
  if (arcs_.is_descendant(parent)) return false;
  const std::vector<VariableId> members = family(child);
  if (triangulation_.plan(parent, members, homes_[child]).width > max_width) return false;
  homes_[child] = triangulation_.apply(parent, members);
  arcs_.add(child, std::span(&parent, 1));
  log_.forget();
  insert_sorted(parents_[child], parent);
  scores_[child] = score;
  is_known_[child] = 0;
  return true;
}

void GrowingNetwork::add_required(std::size_t max_width) {
  for (VariableId v = 0; v < parents_.size(); ++v) {
    const auto add = [&](VariableId p) { return try_add({0, p, v, scores_[v]}, max_width); };
    const auto required = problem_->rules().required(v);
    if (!required.empty() && std::ranges::all_of(required, add))
      scores_[v] = problem_->score(problem_->least_entry(v));
  }
}

std::size_t GrowingNetwork::add_chain(std::span<const std::uint32_t> places, const Run& run) {
  std::vector<BagId> order, up;
  triangulation_.breadth_first(order, up);
  std::vector<Candidate> possible;
  std::vector<WeightedPath> paths;
  std::vector<Candidate> taken;
  for (const Candidate& candidate : candidates(run)) {
    if (run.should_stop()) break;
    if (places[candidate.parent] > places[candidate.child]) continue;
    const auto& update =
        triangulation_.plan(candidate.parent, family(candidate.child), homes_[candidate.child]);
    const auto grown = update.grown();
    if (grown.empty()) {
      taken.push_back(candidate);  // some bag holds all: it is free
    } else {
      possible.push_back(candidate);
      paths.push_back({candidate.gain, {grown.begin(), grown.end()}});
    }
  }
  for (const std::size_t p : pack_paths(order, up, paths)) taken.push_back(possible[p]);
  std::ranges::stable_sort(taken, [](const Candidate& a, const Candidate& b) { return a.gain > b.gain; });
  const std::size_t max_width = width() + 1;
  std::size_t num_added = 0;
  for (const Candidate& candidate : taken) num_added += try_add(candidate, max_width);
  return num_added;
}

void GrowingNetwork::add_greedily(std::size_t max_width, const Run& run) {
  // An arc that does not fit now may fit later, when its parent has come nearer. So passes are repeated until
  // one adds nothing.
  for (bool has_added = true; has_added && !run.should_stop();) {
    has_added = false;
    for (const Candidate& candidate : candidates(run)) {
      if (run.should_stop()) return;
      has_added |= try_add(candidate, max_width);
    }
  }
}

double GrowingNetwork::score() const {
  double total = 0;
  for (const double score : scores_) total += score;
  return total;
}

void GrowingNetwork::write(Found& found) const {
  for (VariableId v = 0; v < parents_.size(); ++v) found.families.add(parents_[v], scores_[v]);
  found.elimination_order = triangulation_.elimination_order();
}

std::vector<std::uint32_t> GrowingNetwork::random_places(RandomStream& random) const {
  std::vector<std::size_t> num_waiting;
  std::vector<VariableId> ready;
  for (VariableId v = 0; v < parents_.size(); ++v) {
    num_waiting.push_back(parents_[v].size());
    if (parents_[v].empty()) ready.push_back(v);
  }
  std::vector<std::uint32_t> places(parents_.size());
  for (std::uint32_t place = 0; !ready.empty(); ++place) {
    std::swap(ready[random.below(static_cast<std::uint32_t>(ready.size()))], ready.back());
    const VariableId v = ready.back();
    ready.pop_back();
    places[v] = place;
    for (const VariableId c : arcs_.children(v))
      if (--num_waiting[c] == 0) ready.push_back(c);
  }
  return places;
}

}  // namespace treebound
