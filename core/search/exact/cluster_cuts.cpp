#include "search/exact/cluster_cuts.hpp"

#include <algorithm>
#include <cassert>

namespace treebound {
namespace {

// Below this a value of the linear program counts as none.
constexpr double kSupport = 1e-6;
// A cluster that has lost so much by growing will not become violated.
constexpr double kFloor = -0.95;
// Cuts that are dropped come back with the next solution; more in one round only slow the program down.
constexpr std::size_t kMaxClusters = 200;

}  // namespace

ClusterCuts::ClusterCuts(const SearchProblem& problem)
    : problem_(problem),
      own_(problem.num_variables()),
      uses_(problem.num_variables()),
      is_member_(problem.num_variables()),
      hit_(problem.num_variables()),
      fresh_(problem.num_variables()) {}

void ClusterCuts::collect(std::span<const double> values) {
  assert(values.size() == problem_.num_entries());
  parts_.clear();
  for (VariableId v = 0; v < problem_.num_variables(); ++v) own_[v].clear(), uses_[v].clear();
  for (VariableId v = 0; v < problem_.num_variables(); ++v)
    for (EntryId entry = problem_.best_entry(v); entry < problem_.last_entry(v); ++entry) {
      if (values[entry] < kSupport) continue;
      const auto part = static_cast<std::uint32_t>(parts_.size());
      parts_.push_back({v, entry, values[entry]});
      own_[v].push_back(part);
      for (const VariableId u : problem_.parents(entry)) uses_[u].push_back(part);
    }
}

void ClusterCuts::add(VariableId u) {
  excess_ += members_.empty() ? 0 : gain(u);
  is_member_[u] = 1;
  members_.push_back(u);
  for (const std::uint32_t number : own_[u]) {
    const Part& part = parts_[number];
    if (part.num_inside > 0) continue;
    for (const VariableId parent : problem_.parents(part.entry)) fresh_[parent] += part.value;
  }
  for (const std::uint32_t number : uses_[u]) {
    Part& part = parts_[number];
    if (part.num_inside++ > 0) continue;
    hit_[part.child] += part.value;
    if (is_member_[part.child] == 0) continue;
    for (const VariableId parent : problem_.parents(part.entry)) fresh_[parent] -= part.value;
  }
}

void ClusterCuts::clear() {
  for (const VariableId u : members_) is_member_[u] = 0;
  members_.clear();
  excess_ = 0;
  for (Part& part : parts_) part.num_inside = 0;
  std::ranges::fill(hit_, 0.0);
  std::ranges::fill(fresh_, 0.0);
}

VariableId ClusterCuts::best_candidate() const {
  VariableId best = problem_.num_variables();
  for (VariableId u = 0; u < problem_.num_variables(); ++u) {
    if (is_member_[u] != 0 || hit_[u] + fresh_[u] < kSupport) continue;
    if (best == problem_.num_variables() || gain(u) > gain(best)) best = u;
  }
  return best;
}

void ClusterCuts::grow(VariableId first, VariableId second, double tolerance) {
  clear();
  add(first);
  add(second);
  double best = tolerance;
  Cluster cluster;
  const auto keep_if_better = [&] {
    if (excess_ <= best) return;
    best = excess_;
    cluster = members_;
  };
  keep_if_better();
  for (VariableId u = best_candidate(); u < problem_.num_variables(); u = best_candidate()) {
    if (excess_ + gain(u) < kFloor || (!cluster.empty() && gain(u) < 0)) break;
    add(u);
    keep_if_better();
  }
  if (cluster.empty()) return;
  std::ranges::sort(cluster);
  found_.emplace(-best, std::move(cluster));
}

std::vector<Cluster> ClusterCuts::violated(std::span<const double> values, double tolerance) {
  collect(values);
  found_.clear();
  for (const Part& part : parts_)
    for (const VariableId parent : problem_.parents(part.entry)) grow(parent, part.child, tolerance);
  clear();
  std::vector<Cluster> clusters;
  for (const auto& [excess, cluster] : found_) {
    if (clusters.size() == kMaxClusters) break;
    // The same cluster may come with sums that differ by rounding.
    if (std::ranges::find(clusters, cluster) == clusters.end()) clusters.push_back(cluster);
  }
  return clusters;
}

std::vector<Cluster> ClusterCuts::cycles(std::span<const EntryId> chosen) const {
  const std::uint32_t n = problem_.num_variables();
  std::set<Cluster> found;
  std::vector<VariableId> child(n), queue;
  for (VariableId start = 0; start < n; ++start) {
    // Breadth first from the start to its parents, theirs, and so on, until it comes round.
    std::ranges::fill(child, n);
    queue.assign(1, start);
    for (std::size_t next = 0; next < queue.size() && child[start] == n; ++next)
      for (const VariableId parent : problem_.parents(chosen[queue[next]])) {
        if (child[parent] != n) continue;
        child[parent] = queue[next];
        queue.push_back(parent);
      }
    if (child[start] == n) continue;
    Cluster cycle{start};
    for (VariableId v = child[start]; v != start; v = child[v]) cycle.push_back(v);
    std::ranges::sort(cycle);
    found.insert(std::move(cycle));
  }
  return {found.begin(), found.end()};
}

std::vector<EntryId> ClusterCuts::entries(std::span<const VariableId> cluster,
                                          bool with_parent_inside) const {
  std::vector<EntryId> found;
  for (const VariableId v : cluster)
    for (EntryId entry = problem_.best_entry(v); entry <= problem_.last_entry(v); ++entry) {
      const bool has_parent_inside = std::ranges::any_of(problem_.parents(entry), [&](VariableId parent) {
        return std::ranges::binary_search(cluster, parent);
      });
      if (has_parent_inside == with_parent_inside) found.push_back(entry);
    }
  return found;
}

std::vector<EntryId> round_to_acyclic(const SearchProblem& problem, std::span<const double> values) {
  const std::uint32_t n = problem.num_variables();
  // What the others would lose if a variable were no parent of theirs.
  std::vector<double> uses(n);
  const auto count = [&](VariableId v, double factor) {
    for (EntryId entry = problem.best_entry(v); entry < problem.last_entry(v); ++entry)
      if (values[entry] >= kSupport)
        for (const VariableId parent : problem.parents(entry)) uses[parent] += factor * values[entry];
  };
  for (VariableId v = 0; v < n; ++v) count(v, 1);
  std::vector<std::uint8_t> is_placed(n);
  std::vector<EntryId> chosen(n);
  for (std::uint32_t left = n; left > 0; --left) {
    VariableId sink = n;
    for (VariableId v = 0; v < n; ++v)
      if (is_placed[v] == 0 && (sink == n || uses[v] < uses[sink])) sink = v;
    is_placed[sink] = 1;
    count(sink, -1);
    chosen[sink] = problem.best_entry(sink);
    while (
        std::ranges::any_of(problem.parents(chosen[sink]), [&](VariableId p) { return is_placed[p] != 0; }))
      ++chosen[sink];
  }
  return chosen;
}

}  // namespace treebound
