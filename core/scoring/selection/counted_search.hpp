// Exhaustive search for parent sets of some variables whose rows are stored elsewhere.
//
// It requests all families of a level at once, and goes on when it gets their sums. The rules, and the sets
// that they leave, are those of ExhaustiveSearch on the rows themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "data/dataset.hpp"
#include "scoring/families/pair_terms.hpp"
#include "scoring/selection/exhaustive.hpp"
#include "scoring/selection/pruning.hpp"
#include "scoring/selection/scoring_job.hpp"

namespace treebound {

class CountedSearch {
 public:
  /// Of `data` only the number of rows and the cardinalities are used. No variable gets more than `max_sets`
  /// sets scored, or a few hundred more, as in a ScoringJob.
  CountedSearch(std::shared_ptr<const Dataset> data, const LocalScore& score,
                std::shared_ptr<PairTerms> pairs, RuleSet rules, FamilyRules families,
                std::size_t max_parents, std::uint64_t max_sets, std::span<const VariableId> children);

  struct Families {
    std::size_t num_parents = 0;
    std::vector<VariableId> children;
    std::vector<VariableId> parents;  // `num_parents` each
  };
  /// Families of the next level, all of one size; none when the search is over. Children that require
  /// parents have larger ones, which wait for their turn.
  Families wanted();
  /// Takes the sums of the families that were wanted, in their order.
  void settle(std::span<const FamilyTerms> terms);

  std::uint64_t num_steps() const { return run_.num_steps.load(); }
  /// The sets found so far for the children, in their order.
  ScoringResult result() const;

 private:
  struct Child {
    Child(const Dataset& data, const LocalScore& score, const PairTerms& pairs, RuleSet rules,
          const FamilyRules& families, VariableId v, Run& run, std::size_t max_parents,
          std::uint64_t max_sets)
        : pruning(data, score, pairs, rules, families, v),
          search(pruning, nullptr, run, max_parents, max_sets) {}
    Pruning pruning;
    ExhaustiveSearch search;
    std::size_t num_wanted = 0;
  };

  std::shared_ptr<const Dataset> data_;
  std::unique_ptr<LocalScore> score_;
  std::shared_ptr<PairTerms> pairs_;
  FamilyRules families_;
  Run run_;
  std::vector<std::unique_ptr<Child>> children_;
};

}  // namespace treebound
