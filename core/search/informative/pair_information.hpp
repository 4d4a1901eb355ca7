// The mutual information of every pair of variables, times the number of rows: what the informative score is
// made of.
//
// From rows it is counted. A cache without rows knows only scores; there the gain of a single parent over
// none stands for it, the better of the two directions. For BIC the gain is the mutual information less the
// penalty of the arc, and pairs whose gain is not positive count as independent. Pairs of a family that the
// rules require have more than all others together: only a k-tree that holds them is of use.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/run.hpp"
#include "data/dataset.hpp"
#include "search/problem.hpp"

namespace treebound {

class PairInformation {
 public:
  /// Up to so many variables there is a table of all pairs; beyond, only pairs of the cache are kept.
  static constexpr std::uint32_t kMaxDense = 4096;

  explicit PairInformation(const SearchProblem& problem);
  /// Of at most kMaxDense variables. Pairs that are not counted before the run should stop count as
  /// independent.
  PairInformation(const Dataset& data, Run& run);

  /// Raises the pairs of required families; done already if the information is that of a problem.
  void require(const SearchProblem& problem);

  std::uint32_t num_variables() const { return num_variables_; }
  double of(VariableId a, VariableId b) const {
    return dense_.empty() ? find(a, b) : dense_[std::size_t{a} * num_variables_ + b];
  }
  /// Sum over the pairs of v with each member.
  double of(VariableId v, std::span<const VariableId> members) const {
    double sum = 0;
    for (const VariableId u : members) sum += of(v, u);
    return sum;
  }
  /// For each variable the sum of its `count` largest pairs.
  std::vector<double> sums_of_largest(std::uint32_t count) const;

 private:
  struct Partner {
    VariableId variable;
    float information;
  };

  void keep(VariableId a, VariableId b, double information);
  double find(VariableId a, VariableId b) const;

  std::uint32_t num_variables_;
  std::vector<float> dense_;                    // row by row, or empty
  std::vector<std::vector<Partner>> partners_;  // otherwise: by variable, ascending
};

}  // namespace treebound
