// Counts families of one child and turns them into the two sums that scores are made of.
//
// Parent sets are handed over one by one; a set that begins with the same parents as the one before reuses
// the split of the rows by them. Walking sets in lexicographic order therefore costs about one pass per set.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "data/partition.hpp"
#include "scoring/counting/joint_counts.hpp"
#include "scoring/local_score.hpp"

namespace treebound {

class FamilyScorer {
 public:
  FamilyScorer(const Dataset& data, const LocalScore& score);

  /// Makes `child` the child of the families to come.
  void begin(VariableId child);

  /// Sums of the family with these parents, in any order, without the child.
  FamilyTerms terms(std::span<const VariableId> parents);
  double score(std::span<const VariableId> parents);

  double parent_states(std::span<const VariableId> parents) const;
  const LocalScore& local_score() const { return *score_; }

 private:
  /// The rows split by the child and the first few parents.
  struct Node {
    explicit Node(const Dataset& data) : rows(data) {}
    Partition rows;
    VariableId parent = 0;                 // the last parent split by
    std::vector<std::uint32_t> margins;    // [variable][cell][state], filled where `is_counted`
    std::vector<std::uint8_t> is_counted;  // per variable
  };

  /// Makes path_[length] the node of the first `length` parents.
  void walk_to(std::span<const VariableId> parents, std::size_t length);
  void enter(std::size_t depth);
  bool keeps_margins(const Node& node) const;
  const std::uint32_t* margins(Node& node, VariableId v);
  FamilyTerms sum_by_subtraction(Node& node, std::size_t depth, VariableId b, VariableId c,
                                 LocalScore::Tables tables);
  FamilyTerms sum_table(const Node& node, const std::uint32_t* table, std::size_t width,
                        LocalScore::Tables tables) const;
  FamilyTerms sum_directly(const Node& node, VariableId c, LocalScore::Tables tables);

  const Dataset* data_;
  std::unique_ptr<LocalScore> score_;
  VariableId child_ = 0;
  Partition whole_;
  std::vector<std::unique_ptr<Node>> path_;
  std::size_t path_length_ = 0;  // parents in the path
  JointCounts joint_;
  std::size_t joint_depth_ = 0;  // length of the path that joint_ belongs to, plus one; 0 for none
  VariableId joint_parent_ = 0;
  std::vector<std::uint32_t> table_, cell_counts_, group_counts_;
};

}  // namespace treebound
