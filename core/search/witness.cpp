#include "search/witness.hpp"

#include <cassert>
#include <functional>
#include <queue>

#include "structure/elimination.hpp"
#include "structure/graph.hpp"

namespace treebound {

std::vector<VariableId> topological_order(const Families& families) {
  const std::size_t n = families.local_scores.size();
  std::vector<std::vector<VariableId>> children(n);
  std::vector<std::size_t> num_waiting(n);
  std::priority_queue<VariableId, std::vector<VariableId>, std::greater<>> ready;
  for (VariableId v = 0; v < n; ++v) {
    const auto parents = families.parents_of(v);
    num_waiting[v] = parents.size();
    if (parents.empty()) ready.push(v);
    for (const VariableId p : parents) children[p].push_back(v);
  }
  std::vector<VariableId> order;
  while (!ready.empty()) {
    const VariableId v = ready.top();
    ready.pop();
    order.push_back(v);
    for (const VariableId c : children[v])
      if (--num_waiting[c] == 0) ready.push(c);
  }
  assert(order.size() == n);
  return order;
}

std::vector<VariableId> witness_order(const Families& families) {
  std::vector<std::int64_t> offsets{0};
  std::vector<VariableId> members;
  for (VariableId v = 0; v < families.local_scores.size(); ++v) {
    const auto parents = families.parents_of(v);
    members.insert(members.end(), parents.begin(), parents.end());
    members.push_back(v);
    offsets.push_back(static_cast<std::int64_t>(members.size()));
  }
  const Graph graph = moral_graph(offsets, members);
  return min_fill_order(graph.view());
}

}  // namespace treebound
