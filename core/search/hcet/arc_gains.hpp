// What every arc would gain, counted from the rows: the deltas of hill-climbing.
//
// For each child there are two lists: what each further parent would add to its score, and what removing each
// present one would. They depend on the family of the child alone, so after a change of one arc the lists of
// one child are computed again, after a reversal those of two. Only parents that gain are kept, best first:
// no move takes an arc that loses. (A reversal that wins although its new arc loses is beaten by the removal
// alone.)
//
// Where a list of all variables would take too long to count, the parents of a child are sought among its
// *candidates*, the variables that gain most as its only parent (Friedman, Nachman and Pe'er 1999, "sparse
// candidate").
//
// Gains are rounded to about a millionth: those of both directions between two variables without parents are
// the same, and rounding must not decide which is taken. Ties are broken by numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/run.hpp"
#include "scoring/families/family_scorer.hpp"
#include "search/problem.hpp"

namespace treebound {

/// Less is no gain: it could come of rounding, and two equal networks could follow each other for ever.
inline constexpr double kLeastGain = 0x1p-19;

class ArcGains {
 public:
  struct Addition {
    double gain;
    VariableId parent;
  };

  /// The problem must have rows.
  ArcGains(const SearchProblem& problem, Run& run);

  /// The lists of all variables without parents, from the counts of all pairs that the rules allow; false if
  /// the run stopped before.
  bool count_pairs();

  /// The score and the lists of a child with these parents. Further parents are counted only if they are
  /// candidates and is_open(u) is true, and none if may_grow is false. If the run stops meanwhile no addition
  /// gains.
  template <typename IsOpen>
  void recount(VariableId child, std::span<const VariableId> parents, bool may_grow, IsOpen&& is_open) {
    tried_.clear();
    if (may_grow) {
      const auto try_one = [&](VariableId u) {
        if (u != child && is_open(u)) tried_.push_back(u);
      };
      if (has_candidates_)
        std::ranges::for_each(columns_[child].candidates, try_one);
      else
        for (VariableId u = 0; u < data_->num_variables(); ++u) try_one(u);
    }
    recount_tried(child, parents);
  }

  /// Parents that gain, best first; of equal gains the smaller number first.
  std::span<const Addition> additions(VariableId child) const { return columns_[child].additions; }
  /// What the parent would gain; 0 if nothing.
  double addition(VariableId child, VariableId parent) const;
  /// What removing each parent would gain, in the order of the parents.
  std::span<const double> removals(VariableId child) const { return columns_[child].removals; }
  /// The local score of the child with its present parents.
  double score(VariableId child) const { return columns_[child].score; }

 private:
  struct Column {
    std::vector<Addition> additions;
    std::vector<double> removals;
    std::vector<VariableId> candidates;  // ascending; of no use unless has_candidates_
    double score;
  };
  /// A scorer per thread, which splits the rows by a child and its parents once per column.
  struct Worker {
    Worker(const Dataset& data, const LocalScore& score) : scorer(data, score) {}
    FamilyScorer scorer;
    std::uint64_t column = 0;
    std::vector<VariableId> set;
  };

  void keep_candidates(VariableId v, std::vector<Addition>& all, std::size_t max_candidates);
  void recount_tried(VariableId child, std::span<const VariableId> parents);
  bool count_tried(VariableId child, std::span<const VariableId> parents, Term now, double states);
  FamilyScorer& scorer(std::size_t worker, VariableId child);
  double gain(VariableId child, Term from, Term to, double from_states, double to_states) const;
  bool may_gain(VariableId child, VariableId parent, double loss, double states) const;
  std::size_t num_threads_for(std::size_t num_sets, std::size_t num_parents) const;

  const FamilyRules* rules_;
  const Dataset* data_;
  std::unique_ptr<LocalScore> score_;
  Run* run_;
  std::vector<Column> columns_;
  std::vector<double> losses_;  // of each variable without parents: N H(v) where the score is a likelihood
  std::vector<std::unique_ptr<Worker>> workers_;
  std::uint64_t num_columns_ = 0;  // counted so far
  bool has_candidates_ = false;    // else all variables are
  std::vector<VariableId> tried_;
  std::vector<double> gains_;
};

}  // namespace treebound
