// T({X}) and T({X, Y}) of every variable and pair: the first two levels of every variable's parent sets at
// once.
//
// From them follow, for either direction, the score of a single parent, mutual information and the
// conditional entropy of one variable given another, which the pruning rules ask for again and again.
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
  PairTerms(const Dataset& data, const LocalScore& score, Run& run);

  bool is_complete() const { return is_complete_; }
  bool has(VariableId a, VariableId b) const { return !rows_[std::max(a, b)].empty(); }
  Term empty() const { return empty_; }
  Term of(VariableId v) const { return singles_[v]; }
  Term of(VariableId a, VariableId b) const { return a > b ? rows_[a][b] : rows_[b][a]; }
  FamilyTerms family(VariableId child, VariableId parent) const {
    return {of(child, parent), of(parent), num_occurring_[parent]};
  }
  FamilyTerms family(VariableId child) const { return {of(child), empty_, 1}; }

 private:
  std::vector<Term> singles_;
  std::vector<std::vector<Term>> rows_;  // rows_[a][b] for b < a
  std::vector<std::uint32_t> num_occurring_;
  Term empty_ = 0;
  bool is_complete_ = false;
};

}  // namespace treebound
