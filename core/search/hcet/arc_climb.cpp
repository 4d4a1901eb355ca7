#include "search/hcet/arc_climb.hpp"

#include <algorithm>
#include <tuple>

namespace treebound {

ArcClimb::ArcClimb(ArcNetwork& network, ArcGains& gains, const SearchProblem& problem, Run& run)
    : network_(&network),
      gains_(&gains),
      problem_(&problem),
      run_(&run),
      next_(problem.num_variables(), 0),
      head_stamps_(problem.num_variables(), 0),
      versions_(problem.num_variables(), 0),
      rejected_(problem.num_variables()) {}

bool ArcClimb::is_after(const Move& a, const Move& b) {
  if (a.gain != b.gain) return a.gain < b.gain;
  return std::tie(a.kind, a.child, a.parent) > std::tie(b.kind, b.child, b.parent);
}

void ArcClimb::push(const Move& move) {
  heap_.push_back(move);
  std::push_heap(heap_.begin(), heap_.end(), is_after);
}

ArcClimb::Move ArcClimb::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), is_after);
  const Move move = heap_.back();
  heap_.pop_back();
  return move;
}

/// Versions only grow, so the sum of two changes with either.
std::uint64_t ArcClimb::stamp_of(Kind kind, VariableId parent, VariableId child) const {
  if (kind == Kind::kAdd) return head_stamps_[child];
  return versions_[child] + (kind == Kind::kReverse ? versions_[parent] : 0);
}

void ArcClimb::reject(VariableId parent, VariableId child) {
  if (rejected_[child].empty()) rejected_[child].resize(problem_->num_variables());
  rejected_[child][parent] = true;
  ++counts_.num_rejected;
}

void ArcClimb::push_next_addition(VariableId child) {
  ++head_stamps_[child];  // its addition in the heap is out of date
  const auto additions = gains_->additions(child);
  std::uint32_t& next = next_[child];
  while (next < additions.size() && is_rejected(additions[next].parent, child)) ++next;
  if (next < additions.size())
    push({additions[next].gain, Kind::kAdd, additions[next].parent, child, head_stamps_[child]});
}

void ArcClimb::push_reversal(std::size_t parent_index, VariableId child) {
  const VariableId parent = network_->parents(child)[parent_index];
  if (problem_->rules().is_required(child, parent)) return;
  const double added = gains_->addition(parent, child);
  const double gain = gains_->removals(child)[parent_index] + added;
  if (added > 0 && gain > kLeastGain && !is_rejected(child, parent))
    push({gain, Kind::kReverse, parent, child, stamp_of(Kind::kReverse, parent, child)});
}

void ArcClimb::push_moves_of(VariableId v) {
  next_[v] = 0;
  push_next_addition(v);
  const auto parents = network_->parents(v);
  const auto removals = gains_->removals(v);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (removals[i] > kLeastGain && !problem_->rules().is_required(v, parents[i]))
      push({removals[i], Kind::kRemove, parents[i], v, versions_[v]});
    push_reversal(i, v);
  }
  for (const VariableId c : network_->children(v)) {
    const auto others = network_->parents(c);
    push_reversal(static_cast<std::size_t>(std::find(others.begin(), others.end(), v) - others.begin()), c);
  }
}

void ArcClimb::begin() {
  heap_.clear();
  skipped_.clear();
  for (VariableId v = 0; v < problem_->num_variables(); ++v) push_moves_of(v);
}

void ArcClimb::recount(VariableId v) {
  const auto parents = network_->parents(v);
  const FamilyRules& rules = problem_->rules();
  const auto is_open = [&](VariableId u) {
    return !is_rejected(u, v) && rules.allows_parent(v, u) &&
           std::find(parents.begin(), parents.end(), u) == parents.end();
  };
  ++versions_[v];
  gains_->recount(v, parents, parents.size() < std::min(problem_->width(), rules.max_parents(v)), is_open);
}

/// Skips the next additions to a child as long as they would close cycles.
void ArcClimb::skip_cycles(VariableId child) {
  const auto additions = gains_->additions(child);
  std::uint32_t& next = next_[child];
  network_->mark_from(child);
  while (next < additions.size() && network_->closes_cycle(additions[next].parent)) ++next;
}

/// Tries a move of the heap; one that fails is kept for later, if it may fit then.
bool ArcClimb::try_move(const Move& move) {
  const auto [gain, kind, parent, child, stamp] = move;
  switch (kind) {
    case Kind::kAdd:
      if (network_->closes_cycle(parent, child)) {
        skip_cycles(child);
      } else if (network_->add(parent, child)) {
        ++counts_.num_added;
        return true;
      } else {
        reject(parent, child);
      }
      push_next_addition(child);
      return false;
    case Kind::kRemove:
      if (!network_->remove(parent, child)) return false;
      ++counts_.num_removed;
      return true;
    case Kind::kReverse:
      if (network_->closes_cycle_reversed(parent, child)) {
        skipped_.push_back(move);
        return false;
      }
      if (!network_->reverse(parent, child)) return false;
      ++counts_.num_reversed;
      return true;
  }
  return false;
}

/// Removing an arc from this parent may have removed cycles: those of additions to its ancestors, and of
/// reversals.
void ArcClimb::look_again(VariableId parent) {
  for (const VariableId v : network_->ancestors(parent)) {
    next_[v] = 0;
    push_next_addition(v);
  }
  for (const Move& move : skipped_)
    if (is_current(move)) push(move);
  skipped_.clear();
}

ArcClimb::Outcome ArcClimb::step() {
  for (;;) {
    if (run_->should_stop()) return Outcome::kStopped;
    if (heap_.empty()) return Outcome::kAtOptimum;
    const Move move = pop();
    if (!is_current(move) || !try_move(move)) continue;
    recount(move.child);
    if (move.kind == Kind::kReverse) recount(move.parent);
    push_moves_of(move.child);
    if (move.kind == Kind::kReverse) push_moves_of(move.parent);
    if (move.kind != Kind::kAdd) look_again(move.parent);
    return Outcome::kMoved;
  }
}

}  // namespace treebound
