// The DAG inside a k-tree: exactly where dynamic programming can do it, else by sampling partial orders.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "base/run.hpp"
#include "search/ktree/growing_ktree.hpp"
#include "search/problem.hpp"
#include "search/within_ktree/covered_entries.hpp"
#include "search/within_ktree/exact_choice.hpp"
#include "search/within_ktree/parent_choices.hpp"
#include "search/within_ktree/peeled_choices.hpp"
#include "search/within_ktree/sampled_choice.hpp"
#include "search/within_ktree/two_cycles.hpp"

namespace treebound {

struct WithinKTreeOptions {
  bool is_exact;              // where it takes at most ExactChoice::kMaxWork
  std::uint32_t num_samples;  // otherwise
};

/// Keeps its memory between k-trees.
class WithinKTree {
 public:
  WithinKTree(const SearchProblem& problem, const WithinKTreeOptions& options);

  /// Takes the sets that are covered, and returns what any DAG loses at least against the best of each.
  double look_at(CoveredEntries& covered);
  /// Finds a DAG of these sets, whose families lie in cliques of the tree. Returns whether it is the best
  /// one. Once the run should stop, the first sample is taken.
  bool solve(const GrowingKTree& tree, RandomStream& random, const Run& run);

  const std::vector<EntryId>& chosen() const { return chosen_; }
  double score() const { return problem_.total_score(chosen_); }

 private:
  const SearchProblem& problem_;
  WithinKTreeOptions options_;
  PeeledChoices peeled_;
  ParentChoices choices_;
  TwoCycles two_cycles_;
  ExactChoice exact_;
  SampledChoice sampled_;
  std::vector<EntryId> chosen_;
};

}  // namespace treebound
