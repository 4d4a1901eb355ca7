#include "search/order/asobs.hpp"

#include <algorithm>

#include "search/arc_order.hpp"

namespace treebound {

std::vector<VariableId> asobs_order(const SearchProblem& problem, std::span<const VariableId> turns,
                                    const Run& run) {
  UndoLog log;
  ArcOrder arcs(problem.num_variables(), log);
  for (const VariableId v : turns) {
    if (run.should_stop()) break;
    arcs.mark_from(v);
    EntryId entry = problem.best_entry(v);
    while (std::ranges::any_of(problem.parents(entry), [&](VariableId p) { return arcs.is_descendant(p); }))
      ++entry;
    arcs.add(v, problem.parents(entry));
    log.forget();
  }
  std::vector<VariableId> order(problem.num_variables());
  for (VariableId v = 0; v < order.size(); ++v) order[static_cast<std::size_t>(arcs.positions()[v])] = v;
  return order;
}

}  // namespace treebound
