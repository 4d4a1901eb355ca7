// The best DAG on the first k+1 variables (paper, section 3, "Initialization"). The paper solves it with the
// integer program of Cussens (2011); at this size dynamic programming over subsets (subset_program.hpp) is
// exact and takes microseconds, because most of it can be peeled off first:
//   - a variable whose best set in the clique uses only peeled variables can go first and loses nothing;
//   - a variable that is in no set of the others can go last and loses nothing.
// What cannot be peeled is left to the program, which knows at most kMaxExactRoot variables. A larger root is
// not solved exactly: each of its variables takes the best set among its predecessors in the given order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/problem.hpp"
#include "search/subset_program.hpp"

namespace treebound {

constexpr std::uint32_t kMaxExactRoot = 20;

class RootSolver {
 public:
  explicit RootSolver(const SearchProblem& problem);

  /// Permutes `root` into an order of the DAG found and writes chosen[v] for each member. Up to kMaxExactRoot
  /// members the outcome does not depend on the order in which they are given.
  void solve(std::span<VariableId> root, std::span<EntryId> chosen);

 private:
  using Mask = SubsetMask;
  using Candidate = SubsetChoice<EntryId>;

  void collect(std::span<const VariableId> root);
  void peel();
  void drop_peeled(Mask peeled);
  void solve_core();
  void take_in_order(std::span<const VariableId> root, std::span<EntryId> chosen);

  const SearchProblem& problem_;
  std::vector<std::uint8_t> slots_;                 // of each variable in the root, or kOutside
  std::vector<std::vector<Candidate>> candidates_;  // by slot, best first, the last one without parents
  Mask open_ = 0;                                   // slots that are neither peeled nor solved
  std::vector<std::uint32_t> first_, last_;         // slots, in the order of the DAG and its reverse
  std::vector<EntryId> picked_;                     // by slot
  SubsetProgram program_;
};

}  // namespace treebound
