// T({X}) and T({X, Y}) of every variable and pair: the first two levels of every variable's parent sets at
// once.
//
// From them follow, for either direction, the score of a single parent, mutual information and the
// conditional entropy of one variable given another, which the pruning rules ask for again and again.
//
// Pairs grow with the square of the variables: a hundred thousand would take forty gigabytes. Rows are kept
// as long as they fit into `max_pairs`; the pairs beyond are unknown, and no single parent comes of them.
#pragma once

#include <algorithm>
#include <vector>

#include "base/ids.hpp"
#include "base/run.hpp"
#include "data/dataset.hpp"
#include "scoring/local_score.hpp"

namespace treebound {

class PairTerms {
 public:
  /// Stops early when the run should; then is_complete() is false and some rows are missing.
  PairTerms(const Dataset& data, const LocalScore& score, Run& run, std::size_t max_pairs);

  /// Whether all pairs that fit were counted.
  bool is_complete() const { return is_complete_; }
  bool has(VariableId a, VariableId b) const { return !rows_[std::max(a, b)].empty(); }
  Term empty() const { return empty_; }
  Term of(VariableId v) const { return singles_[v]; }
  Term of(VariableId a, VariableId b) const { return a > b ? rows_[a][b] : rows_[b][a]; }
  FamilyTerms family(VariableId child, VariableId parent) const {
    return {of(child, parent), of(parent), num_occurring_[parent]};
  }
  FamilyTerms family(VariableId child) const { return {of(child), empty_, 1}; }

  /// Calls visit(y) for every y whose pair with v is known, ascending; looks at nothing else.
  template <typename Visit>
  void for_each_partner(VariableId v, Visit&& visit) const {
    for (VariableId y = 0; y < rows_[v].size(); ++y) visit(y);
    for (auto y = std::upper_bound(known_rows_.begin(), known_rows_.end(), v); y != known_rows_.end(); ++y)
      visit(*y);
  }

 private:
  std::vector<Term> singles_;
  std::vector<std::vector<Term>> rows_;  // rows_[a][b] for b < a
  std::vector<VariableId> known_rows_;   // those that are there, ascending; row 0 is empty and never one
  std::vector<std::uint32_t> num_occurring_;
  Term empty_ = 0;
  bool is_complete_ = false;
};

}  // namespace treebound
