#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "search/ktree/k_greedy.hpp"
#include "search/within_ktree/within_ktree.hpp"
#include "unlocked.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;
using Members = std::vector<VariableId>;

/// The structure, and whether it is the best one in the k-tree.
std::pair<Found, bool> solve(const SearchProblem& problem, const Members& root,
                             const std::vector<std::pair<VariableId, Members>>& joined, bool exact,
                             std::uint32_t samples, std::uint64_t seed, const Run& run) {
  GrowingKTree tree(problem.num_variables(), problem.width());
  tree.start(root);
  for (const auto& [v, separator] : joined) tree.insert(v, separator);
  const EntryGroups groups(problem);
  CoveredEntries covered(groups);
  covered.look_at(tree);
  WithinKTree within(problem, {exact, samples});
  RandomStream random(seed, 0);
  within.look_at(covered);
  const bool is_best = within.solve(tree, random, run);
  Found found;
  write_structure(problem, tree, within.chosen(), found);
  found.score = within.score();
  return {found, is_best};
}

}  // namespace

void bind_within_ktree(nb::module_& module) {
  module.def(
      "best_in_ktree", &solve, "problem"_a, "root"_a, "joined"_a, "exact"_a, "samples"_a, "seed"_a, "run"_a,
      WithoutGil(),
      "The DAG in a k-tree, grown from its root by variables with their separators, these in the order "
      "of insertion; and whether it is the best one.");
}

}  // namespace treebound
