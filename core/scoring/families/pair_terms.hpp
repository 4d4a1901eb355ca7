// T({X}) and T({X, Y}) of variables and pairs: the first two levels of every variable's parent sets at once.
//
// From them follow, for either direction, the score of a single parent, mutual information and the
// conditional entropy of one variable given another, which the pruning rules need again and again.
//
// Pairs grow with the square of the variables: of fifty thousand they would take ten gigabytes. All are
// counted, but where more than `max_pairs` would have to be kept each variable keeps its best partners, those
// that gain most as its only parent, as many as fit. A pair is then known if it gains and is among the best
// of either.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/run.hpp"
#include "data/dataset.hpp"
#include "scoring/families/best_partners.hpp"
#include "scoring/local_score.hpp"

namespace treebound {

class PairTerms {
 public:
  /// Stops early when the run should; then is_complete() is false and some pairs are missing. None are
  /// counted if none may be kept.
  PairTerms(const Dataset& data, const LocalScore& score, Run& run, std::size_t max_pairs);
  /// Those that were counted elsewhere: T and the number of occurring states of every variable, T of no
  /// variable, and T({a, b}) for b < a, row after row; without the last if none is to be known.
  PairTerms(std::vector<Term> singles, std::vector<std::uint32_t> num_occurring, Term empty,
            std::span<const Term> pairs);
  PairTerms(PairTerms&&) = default;
  PairTerms& operator=(PairTerms&&) = default;

  /// Whether all pairs were counted.
  bool is_complete() const { return is_complete_; }
  /// Whether the pairs counted were too many to be kept.
  bool is_sparse() const { return !partners_.is_empty(); }
  bool has(VariableId a, VariableId b) const {
    if (is_sparse()) return partners_.find(a, b) != nullptr || partners_.find(b, a) != nullptr;
    return !rows_[std::max(a, b)].empty();
  }
  Term empty() const { return empty_; }
  Term of(VariableId v) const { return singles_[v]; }
  Term of(VariableId a, VariableId b) const {
    assert(a != b && has(a, b));
    if (!is_sparse()) return a > b ? rows_[a][b] : rows_[b][a];
    const BestPartners::Partner* partner = partners_.find(a, b);
    return (partner != nullptr ? partner : partners_.find(b, a))->term;
  }
  FamilyTerms family(VariableId child, VariableId parent) const {
    return {of(child, parent), of(parent), num_occurring_[parent]};
  }
  FamilyTerms family(VariableId child) const { return {of(child), empty_, 1}; }

  /// Calls visit(y) for every possible parent y of v, ascending: all whose pair with v is known, or of a
  /// sparse table the best partners of v itself.
  template <typename Visit>
  void for_each_partner(VariableId v, Visit&& visit) const {
    if (is_sparse()) {
      for (const BestPartners::Partner& partner : partners_.of(v)) visit(partner.variable);
      return;
    }
    for (VariableId y = 0; y < rows_[v].size(); ++y) visit(y);
    for (auto y = std::upper_bound(known_rows_.begin(), known_rows_.end(), v); y != known_rows_.end(); ++y)
      visit(*y);
  }

 private:
  void count_all(const Dataset& data, const LocalScore& score, Run& run);
  void count_best(const Dataset& data, const LocalScore& score, Run& run, std::size_t max_partners);

  std::vector<Term> singles_;
  std::vector<std::vector<Term>> rows_;  // rows_[a][b] for b < a
  std::vector<VariableId> known_rows_;   // those that are there, ascending; row 0 is empty and never one
  BestPartners partners_;                // instead of rows where they are too many
  std::vector<std::uint32_t> num_occurring_;
  Term empty_ = 0;
  bool is_complete_ = false;
};

/// T({a, b}) of every a in a range of variables and b < a, row after row: a part of all pairs, for the
/// constructor above. Empty if the run was stopped.
std::vector<Term> count_pair_rows(const Dataset& data, const LocalScore& score, Run& run, VariableId first,
                                  VariableId end);

}  // namespace treebound
