#include "search/exact/order_dp.hpp"

#include <cassert>
#include <cmath>

#include "search/subset_program.hpp"

namespace treebound {
namespace {

using Choices = std::vector<SubsetChoice<EntryId>>;

Choices choices_of(const SearchProblem& problem, VariableId v) {
  Choices choices;
  for (EntryId entry = problem.best_entry(v); entry <= problem.last_entry(v); ++entry) {
    SubsetMask parents = 0;
    for (const VariableId parent : problem.parents(entry)) parents |= SubsetMask{1} << parent;
    choices.push_back({parents, entry});
  }
  return choices;
}

}  // namespace

std::vector<EntryId> best_dag(const SearchProblem& problem) {
  const std::uint32_t n = problem.num_variables();
  assert(n <= kMostVariablesInOrder);
  std::vector<Choices> choices;
  for (VariableId v = 0; v < n; ++v) choices.push_back(choices_of(problem, v));
  SubsetProgram program;
  const auto order = program.best_order(n, [&](std::uint32_t v, SubsetMask placed) {
    return problem.score(first_inside(choices[v], placed).id);
  });
  std::vector<EntryId> chosen(n);
  SubsetMask placed = 0;
  for (const VariableId v : order) {
    chosen[v] = first_inside(choices[v], placed).id;
    placed |= SubsetMask{1} << v;
  }
  return chosen;
}

double best_dag_looks(const SearchProblem& problem) {
  return problem.num_entries() * std::exp2(problem.num_variables() - 1.0);
}

}  // namespace treebound
