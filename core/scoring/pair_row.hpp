// T({X, Y}) of one variable X with others Y, the unit of work when all pairs are counted. One per thread.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "data/dataset.hpp"
#include "data/partition.hpp"
#include "scoring/local_score.hpp"
#include "scoring/tail_counts.hpp"

namespace treebound {

class PairRow {
 public:
  PairRow(const Dataset& data, const LocalScore& score);

  /// Terms of the pairs of `a` with 0, 1, ..., a - 1.
  std::vector<Term> count(VariableId a);
  /// T({v}).
  Term single(VariableId v);
  /// T of no variable at all.
  Term empty();

 private:
  const Dataset* data_;
  std::unique_ptr<LocalScore> score_;
  Partition whole_;
  TailCounts tail_;
  std::vector<std::uint32_t> table_;
};

}  // namespace treebound
