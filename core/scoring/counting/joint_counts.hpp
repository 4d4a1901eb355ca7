// Joint counts of a coarse partition with two further variables, most of them by subtraction.
//
// With c counted once for the coarse cells, counting c again only among the *tail*, the rows where b is not
// in its most frequent state, gives the whole table: the counts of the most frequent state are the
// difference. For binary variables this halves the passes, and for skewed ones it skips most of the rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "data/partition.hpp"

namespace treebound {

/// Counts among the rows of a coarse partition in which one variable is not in its most frequent state.
class JointCounts {
 public:
  explicit JointCounts(const Dataset& data) : rows_(data) {}

  /// Makes the rows those where b is not in its most frequent state.
  void set(const Partition& coarse, VariableId b);

  /// Counts [cell of the coarse partition][state of b][state of c] into `table`, given margins[cell][state of
  /// c].
  void count(VariableId c, const std::uint32_t* margins, std::vector<std::uint32_t>& table) const;

 private:
  Partition rows_;
  std::size_t num_coarse_cells_ = 0;
  std::uint32_t num_states_ = 0;
  std::vector<std::uint32_t> slots_;  // (cell, state of b) of each cell of rows_
};

}  // namespace treebound
