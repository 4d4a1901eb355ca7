// Counts of the joint states of sets of variables, to be added to those of other rows.
//
// Cells are numbered by the codes of the table, not by the states of the layout, so counts of parts of a
// table that lie in different places add up: the last variable of a set runs fastest. From the counts of all
// rows follow the sums that scores are made of, the same integers as if the rows had been in one place.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "data/partition.hpp"
#include "scoring/counting/joint_counts.hpp"
#include "scoring/local_score.hpp"

namespace treebound {

/// Counts sets of ascending variables. In lexicographic order, those with the same beginning share the split
/// of the rows.
class SetCounter {
 public:
  explicit SetCounter(const Dataset& data);

  /// Writes one count per joint state.
  void count(std::span<const VariableId> set, std::int64_t* counts);

 private:
  /// The rows split by the first few variables of a set.
  struct Node {
    explicit Node(const Dataset& data) : rows(data) {}
    Partition rows;
    VariableId variable = 0;                // the last one split by
    std::vector<std::size_t> joint_states;  // of each cell
    // [cell][state] of one more variable, by variable; empty where it was not counted yet.
    std::vector<std::vector<std::uint32_t>> margins;
  };

  void walk_to(std::span<const VariableId> set, std::size_t length);
  void count_one(VariableId v, std::int64_t* counts) const;
  const std::uint32_t* margins(Node& node, VariableId v);

  const Dataset* data_;
  std::vector<std::unique_ptr<Node>> path_;
  std::size_t path_length_ = 0;
  JointCounts joint_;
  std::size_t joint_depth_ = 0;  // length of the path that joint_ belongs to, plus one; 0 for none
  VariableId joint_variable_ = 0;
  std::vector<std::uint32_t> table_, margins_;
};

/// Of sets of one size: T of each, and for each of its members T and the occurring joint states of the
/// others.
struct SetTerms {
  std::vector<Term> joint;
  std::vector<Term> others;  // [set][member]
  std::vector<std::uint32_t> num_configurations;
};

/// `sets` holds `size` variables per set, `counts` the joint states of one set after the other.
SetTerms set_terms(const LocalScore& score, std::span<const std::uint32_t> cardinalities, std::size_t size,
                   std::span<const VariableId> sets, std::span<const std::int64_t> counts);

}  // namespace treebound
