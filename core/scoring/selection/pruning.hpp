// Rules that discard parent sets which no optimal structure needs, each provably safe, with a count of their
// work.
//
// All are of one form: they look at a scored set S and a further parent Y, and close S u {Y} together with
// every set that contains it. Deleting Y from such a set loses at most its gain in likelihood and saves its
// share of the penalty; where the saving is larger, the set without Y is at least as good, for any other
// members. Deleting a parent adds no edge to the moral graph, so the rules stay safe under a bound on the
// treewidth.
//
// With c = penalty of one parent state and q = joint states of S, Y saves at least (|Y| - 1) c q:
// - in_degree      its gain is at most N log|X| (the Corollary of the paper with its constant put right);
// - theorem1       Theorem 1 of the paper as printed, with the mutual information scaled by N as its lemma
//                  has it;
// - first_condition  its first condition alone, which suffices: its gain is at most w(X, Y) of Lemma 2;
// - de_campos_ji   its gain is at most N H(X|S) (de Campos and Ji 2011);
// - entropy        its gain is at most N min{H(X|S), H(Y|S)} (Scanagatta et al. 2018); theorem1 and
//   de_campos_ji are weaker forms. H(Y|S) is first bounded by H(Y|Z) for Z in S, known for all pairs.
// These hold for BIC. For BDeu:
// - configurations  the first row in each joint state of S has predictive probability 1/|X|, so no set that
// contains
//                   S scores above -K log|X|, K being the joint states of S that occur.
// Last, `dominated` drops a scored set that some subset of it equals or beats; it closes nothing.
//
// Where families are restricted, only allowed sets may be compared: deleting a parent must leave an allowed
// set. Forbidden parents and a largest number of parents leave every subset allowed. Required parents do not,
// so the search of such a child begins with the required parents and only adds to them: Y is never one of
// them. Theorem 1 deletes other parents than Y too, and is off for such a child. All rules are off for a
// child that may be required to have further parents later.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "scoring/families/family_rules.hpp"
#include "scoring/families/pair_terms.hpp"
#include "scoring/local_score.hpp"

namespace treebound {

enum class Rule : std::uint8_t {
  in_degree,
  theorem1,
  first_condition,
  de_campos_ji,
  entropy,
  configurations,
  dominated
};
inline constexpr std::size_t kNumRules = 7;
/// As they are called elsewhere.
inline constexpr std::array<const char*, kNumRules> kRuleNames{
    "in_degree", "theorem1", "first_condition", "de_campos_ji", "entropy", "configurations", "dominated"};

/// Which rules are on.
class RuleSet {
 public:
  void add(Rule rule) { on_[static_cast<std::size_t>(rule)] = true; }
  void remove(Rule rule) { on_[static_cast<std::size_t>(rule)] = false; }
  bool has(Rule rule) const { return on_[static_cast<std::size_t>(rule)]; }

 private:
  std::array<bool, kNumRules> on_{};
};

/// Sets that each rule removed. `implied` counts sets that were never looked at because a subset was closed.
struct PruningReport {
  std::array<std::uint64_t, kNumRules> removed{};
  std::uint64_t implied = 0;

  void add(Rule rule, std::uint64_t num_sets = 1) { removed[static_cast<std::size_t>(rule)] += num_sets; }
  PruningReport& operator+=(const PruningReport& other) {
    for (std::size_t i = 0; i < kNumRules; ++i) removed[i] += other.removed[i];
    implied += other.implied;
    return *this;
  }
};

/// What is known of a scored parent set.
struct ScoredSet {
  double score;
  double best;           // of the set and its scored subsets
  double parent_states;  // size of the state space
  double loss;           // N H(X|set), in the units of the score
  Term parent_term;      // T(set)
  std::uint32_t num_configurations;
};

/// The rules for one child; for use by one thread.
class Pruning {
 public:
  Pruning(const Dataset& data, const LocalScore& score, const PairTerms& pairs, RuleSet rules,
          const FamilyRules& families, VariableId child);

  /// The rule that closes S u {Y} and everything above it, given that S was scored; `best` is the best score
  /// among the subsets of S u {Y} that were.
  std::optional<Rule> closes(std::span<const VariableId> members, const ScoredSet& set, VariableId y,
                             double best) const;

  /// The same with T(S u {Y}) given, which makes H(Y|S) exact.
  std::optional<Rule> closes_exactly(const ScoredSet& set, VariableId y, Term term_with_y) const;

  bool has(Rule rule) const { return rules_.has(rule); }
  /// Whether any rule is on that looks at sets before they are scored.
  bool closes_any() const { return closes_any_; }

  ScoredSet make_scored(const FamilyTerms& terms, double parent_states) const;
  VariableId child() const { return child_; }
  /// The parents that every allowed set has, ascending.
  std::span<const VariableId> required() const { return families_->required(child_); }
  /// How many parents an allowed set has at the most, given a limit; the required ones are always allowed.
  std::size_t max_parents(std::size_t limit) const {
    return std::max<std::size_t>(required().size(),
                                 std::min<std::size_t>(limit, families_->max_parents(child_)));
  }
  /// Calls visit(y) for every possible parent y whose pair with the child is known, ascending: those that are
  /// allowed, without the required ones.
  template <typename Visit>
  void for_each_parent(Visit&& visit) const {
    if (families_->is_trivial()) return pairs_->for_each_partner(child_, visit);
    pairs_->for_each_partner(child_, [&](VariableId y) {
      if (families_->allows_parent(child_, y) && !families_->is_required(child_, y)) visit(y);
    });
  }
  const PairTerms& pairs() const { return *pairs_; }
  const Dataset& data() const { return *data_; }
  const LocalScore& score() const { return *score_; }
  /// The penalty per joint state of the parents.
  double unit_penalty() const { return unit_penalty_; }

 private:
  double saving(const ScoredSet& set, VariableId y) const {
    return (data_->cardinality(y) - 1.0) * unit_penalty_ * set.parent_states;
  }
  void prepare_theorem1() const;
  bool first_condition_holds(const ScoredSet& set, VariableId y) const;
  bool theorem1_closes(std::span<const VariableId> members, const ScoredSet& set, VariableId y) const;
  double entropy_bound(std::span<const VariableId> members, VariableId y) const;

  const Dataset* data_;
  const LocalScore* score_;
  const PairTerms* pairs_;
  RuleSet rules_;
  const FamilyRules* families_;
  VariableId child_;
  bool closes_any_;
  double unit_penalty_;
  double log_child_states_;
  // For Theorem 1, made when first needed: single parents are closed without it.
  mutable std::vector<double> gain_bounds_;  // w(X, Y) of the paper's Lemma 2
  /// Variables by number of states, each class by falling gain bound: condition (b) of Theorem 1 looks at
  /// their heads.
  mutable std::vector<std::vector<VariableId>> by_states_;
};

}  // namespace treebound
