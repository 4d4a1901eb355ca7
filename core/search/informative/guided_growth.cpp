#include "search/informative/guided_growth.hpp"

#include <algorithm>
#include <limits>

#include "search/informative/informative_score.hpp"

namespace treebound {
namespace {

/// When a part of the time that is left will have passed.
Clock::time_point share_of_time(const Run& run, int parts) {
  const auto now = Clock::now();
  return run.has_deadline() ? now + (run.deadline() - now) / parts : Clock::time_point::max();
}

}  // namespace

GuidedGrowth::GuidedGrowth(const EntryGroups& groups, const PairInformation& information,
                           std::uint32_t max_nodes)
    : problem_(groups.problem()),
      information_(information),
      max_nodes_(max_nodes),
      covered_(groups),
      state_(problem_, information),
      incumbent_(problem_.num_variables(), problem_.width()) {}

bool GuidedGrowth::grow(std::span<const VariableId> root, const Run& run, GrowingKTree& tree) {
  run_ = &run;
  deadline_ = share_of_time(run, 2);
  root_.assign(root.begin(), root.end());
  has_incumbent_ = false;
  load(kNoNode);
  complete();
  const bool is_proved = run_astar();
  if (!is_proved && !should_stop() && !heap_.empty()) {
    const NodeId best = heap_.front();
    load(nodes_[best].parent);
    state_.join(nodes_[best].join);
    complete();
  }
  tree = incumbent_;
  return is_proved;
}

bool GuidedGrowth::run_astar() {
  nodes_.clear();
  heap_.clear();
  seen_.clear();
  load(kNoNode);
  if (state_.is_complete()) return true;
  push_successor(kNoNode, 0);
  while (!heap_.empty()) {
    if (nodes_.size() >= max_nodes_ || should_stop()) return false;
    const NodeId node = pop();
    if (nodes_[node].bound <= incumbent_value_) return true;
    if (!nodes_[node].is_evaluated && !evaluate(node)) continue;
    if (loaded_ != node) load(node);
    if (state_.is_complete())
      offer(state_.tree());
    else
      push_successor(node, 0);
  }
  return true;
}

/// Returns whether the node is to be expanded at once.
bool GuidedGrowth::evaluate(NodeId node) {
  load(nodes_[node].parent);
  push_successor(nodes_[node].parent, nodes_[node].rank + 1);
  state_.join(nodes_[node].join);
  loaded_ = node;
  if (!seen_.insert(state_.hash()).second) return false;
  nodes_[node].is_evaluated = true;
  nodes_[node].bound = std::min(nodes_[node].bound, state_.bound());
  if (heap_.empty() || nodes_[node].bound >= nodes_[heap_.front()].bound) return true;
  push(node);
  return false;
}

void GuidedGrowth::load(NodeId node) {
  std::vector<NodeId> path;
  for (NodeId at = node; at != kNoNode; at = nodes_[at].parent) path.push_back(at);
  state_.start(root_);
  for (std::size_t i = path.size(); i-- > 0;) state_.join(nodes_[path[i]].join);
  loaded_ = node;
}

/// Of the state that is loaded; `rank` counts the successors by their loss.
void GuidedGrowth::push_successor(NodeId parent, std::uint32_t rank) {
  // The rank + 1 smallest, the largest of them in front.
  best_.clear();
  for (VariableId v = 0; v < problem_.num_variables(); ++v) {
    if (state_.tree().is_inserted(v)) continue;
    for (const VariableId clique : state_.cliques())
      state_.for_each_join(v, clique, [&](std::uint32_t left_out, double loss) {
        if (best_.size() > rank && loss > best_.front().loss) return;
        best_.push_back({loss, {v, clique, left_out}});
        std::push_heap(best_.begin(), best_.end());
        if (best_.size() <= rank + 1) return;
        std::pop_heap(best_.begin(), best_.end());
        best_.pop_back();
      });
  }
  if (best_.size() <= rank) return;
  nodes_.push_back({parent, best_.front().join, rank, state_.bound_less(best_.front().loss), false});
  push(static_cast<NodeId>(nodes_.size() - 1));
}

/// Of equal bounds the one made later comes first, which is mostly deeper.
bool GuidedGrowth::is_behind(NodeId a, NodeId b) const {
  return nodes_[a].bound != nodes_[b].bound ? nodes_[a].bound < nodes_[b].bound : a < b;
}

void GuidedGrowth::push(NodeId node) {
  heap_.push_back(node);
  std::push_heap(heap_.begin(), heap_.end(), [&](NodeId a, NodeId b) { return is_behind(a, b); });
}

GuidedGrowth::NodeId GuidedGrowth::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), [&](NodeId a, NodeId b) { return is_behind(a, b); });
  const NodeId node = heap_.back();
  heap_.pop_back();
  return node;
}

/// Inserts all variables that are outside, always the one that loses least, and offers the k-tree.
void GuidedGrowth::complete() {
  const std::uint32_t n = problem_.num_variables();
  best_.assign(n, {std::numeric_limits<double>::infinity(), {}});
  const auto look_at = [&](VariableId v, VariableId clique) {
    state_.for_each_join(v, clique, [&](std::uint32_t left_out, double loss) {
      if (loss < best_[v].loss) best_[v] = {loss, {v, clique, left_out}};
    });
  };
  std::vector<VariableId> outside;
  for (VariableId v = 0; v < n; ++v)
    if (!state_.tree().is_inserted(v)) outside.push_back(v);
  for (const VariableId v : outside)
    for (const VariableId clique : state_.cliques()) look_at(v, clique);
  loaded_ = kNoNode;
  while (!outside.empty()) {
    const auto next = std::ranges::min_element(outside, {}, [&](VariableId v) { return best_[v].loss; });
    const VariableId inserted = *next;
    outside.erase(next);
    state_.join_tree_only(best_[inserted].join);
    if (should_stop()) continue;
    for (const VariableId v : outside) look_at(v, inserted);
  }
  offer(state_.tree());
}

void GuidedGrowth::offer(const GrowingKTree& tree) {
  covered_.look_at(tree);
  const double value = informative_score(information_, tree, covered_).value();
  if (has_incumbent_ && value <= incumbent_value_) return;
  incumbent_ = tree;
  incumbent_value_ = value;
  has_incumbent_ = true;
}

std::vector<VariableId> most_informative_clique(const SearchProblem& problem,
                                                const PairInformation& information, const Run& run) {
  const std::uint32_t n = problem.num_variables();
  std::vector<VariableId> best, members;
  std::vector<double> sums(n);
  double best_value = -std::numeric_limits<double>::infinity();
  const auto deadline = share_of_time(run, 4);
  const auto should_stop = [&] { return run.should_stop() || Clock::now() >= deadline; };
  for (VariableId first = 0; first < n && (first == 0 || !should_stop()); ++first) {
    members.assign(1, first);
    std::ranges::fill(sums, 0.0);
    InformativeScore score{0, 0};
    while (members.size() <= problem.width()) {
      const VariableId latest = members.back();
      VariableId next = n;
      for (VariableId u = 0; u < n; ++u) {
        sums[u] += information.of(latest, u);
        if (std::ranges::find(members, u) != members.end()) continue;
        if (next == n || sums[u] > sums[next]) next = u;
      }
      score.information += sums[next];
      members.push_back(next);
    }
    for (const VariableId v : members) {
      EntryId entry = problem.best_entry(v);
      const auto is_inside = [&](VariableId u) { return std::ranges::find(members, u) != members.end(); };
      while (!std::ranges::all_of(problem.parents(entry), is_inside)) ++entry;
      score.pseudo_score += problem.score(entry);
    }
    if (score.value() <= best_value) continue;
    best_value = score.value();
    best = members;
  }
  return best;
}

}  // namespace treebound
