// Every parent set of one variable up to a number of parents, except those that the pruning rules close.
//
// Level by level: a set is looked at only if all its subsets with one parent less were left open. The open
// sets of a level are kept in lexicographic order, so sets which share all but their last parent form
// runs; the candidates of the next level are the meeting points of such runs, found by walking them side by
// side.
//
// Where parents are required, every set holds them: they are the *base*, and the levels are what comes on top
// of it. The empty set is kept all the same, since every list of a cache has it.
//
// The candidates of a level do not depend on their scores. They can therefore be requested all at once,
// counted elsewhere, and passed back.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/run.hpp"
#include "scoring/families/family_scorer.hpp"
#include "scoring/selection/parent_set_list.hpp"
#include "scoring/selection/pruning.hpp"

namespace treebound {

class ExhaustiveSearch {
 public:
  ExhaustiveSearch(const Pruning& pruning, FamilyScorer* scorer, Run& run, std::size_t max_parents,
                   std::uint64_t max_sets);

  /// Returns whether the search ran to its end; if not, what was kept is still valid.
  bool run();

  // Instead of run(), without a scorer: begin(), then candidates() and settle_level() in turn until there are
  // no candidates.

  /// Scores the empty set and single parents.
  void begin();
  /// The sets of the next level that have to be counted, one after the other; there are `next_size` in each.
  std::vector<VariableId> candidates();
  std::size_t next_size() const { return base_.size() + (needs_base_ ? 0 : level_.size + 1); }
  /// Takes the sums of the candidates, in their order.
  void settle_level(std::span<const FamilyTerms> terms);
  bool is_finished() const { return is_finished_; }

  ParentSetList take_kept() { return std::move(kept_); }
  const ParentSetList& kept() const { return kept_; }
  const PruningReport& report() const { return report_; }
  /// By how much the best set beats the empty one.
  double gain() const { return best_score_ - empty_score_; }

 private:
  /// Open sets of one size, in lexicographic order.
  struct Level {
    std::size_t size = 0;
    std::vector<VariableId> members;  // `size` per set
    std::vector<ScoredSet> sets;
    std::vector<std::size_t> run_starts;  // runs of sets that share all but the last member, plus the end

    std::span<const VariableId> of(std::size_t i) const { return {members.data() + i * size, size}; }
    VariableId last(std::size_t i) const { return members[(i + 1) * size - 1]; }
  };
  struct Companion {  // a run of sets, and how far it has been walked
    std::size_t next, end;
  };

  void score_empty();
  void score_singles();
  /// Takes the sums of the base, which all levels extend.
  void take_base(const FamilyTerms& terms);
  /// The candidate with the base.
  std::span<const VariableId> family(bool is_sorted);
  /// Calls use(shorter, same_run, best) for the candidate_ of the next level that no rule closes, until it
  /// returns false.
  template <typename Use>
  bool for_each_candidate(Use&& use);
  /// The same for single parents on top of the base.
  template <typename Use>
  bool for_each_single(Use&& use);
  bool score_next_level();
  /// Makes the next level this one.
  void go_up();
  bool has_next_level() const;
  /// Settles the candidate_, of whose subsets two are given by number; false if the budget is used up.
  bool take_terms(const FamilyTerms& terms, std::size_t shorter, std::size_t same_run, double best);
  /// Finds the runs that hold the other subsets of the sets that extend `set`, one per member but its last.
  bool find_companions(std::span<const VariableId> set);
  /// Moves every companion on to the subset that ends in `last`; false if one of them was closed.
  bool advance_companions(VariableId last);
  std::optional<Rule> closing_rule(std::size_t shorter, std::size_t same_run, double best) const;
  std::optional<Rule> closing_rule_exactly(std::size_t shorter, std::size_t same_run, Term term) const;
  void settle(ScoredSet scored, double best_subset, std::optional<Rule> closed, bool is_last);
  bool out_of_budget();

  const Pruning* pruning_;
  FamilyScorer* scorer_;  // none if the counts come from somewhere else
  Run* run_;
  std::span<const VariableId> base_;
  bool needs_base_;
  std::size_t max_parents_;
  std::uint64_t max_sets_;
  std::uint64_t num_scored_ = 0, num_reported_ = 0;
  ParentSetList kept_;
  PruningReport report_;
  Level level_, next_;
  ScoredSet empty_{};  // of the base alone
  double empty_score_ = 0, best_score_ = 0;
  bool is_finished_ = false;
  std::vector<VariableId> candidate_;
  std::vector<VariableId> family_;
  std::vector<VariableId> prefix_;
  std::vector<Companion> companions_;
};

}  // namespace treebound
