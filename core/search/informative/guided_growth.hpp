// The k-tree of largest informative score that contains a given root clique, by A* (Nie, de Campos and Ji
// 2016, the first phase of S2+). A state is a k-tree that is being grown; a successor joins any variable
// outside to any of its k-cliques. The bound is that of PartialKTree, so the first complete k-tree that is at
// the top of the heap is the best one.
//
// There are thousands of successors, and few of them ever matter. So only the best one is generated, and the
// next best when this one is taken from the heap. Successors are ranked by their loss of information; the
// bound on S_l is added when one is taken for the first time, and it is put back if another is better then.
// States that were reached by another order of insertion are dropped.
//
// A k-tree found by always taking the successor of smallest loss is the first incumbent. After `max_nodes`
// states the best one is completed in this way, and nothing is proved. That is what happens on most data of a
// hundred variables.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/run.hpp"
#include "search/informative/partial_ktree.hpp"
#include "search/within_ktree/covered_entries.hpp"

namespace treebound {

class GuidedGrowth {
 public:
  GuidedGrowth(const EntryGroups& groups, const PairInformation& information, std::uint32_t max_nodes);

  /// Grows `tree` from the root and returns whether no other k-tree with this root has a larger informative
  /// score. Half of the time that the run has left is for this; then the rest is inserted at once.
  bool grow(std::span<const VariableId> root, const Run& run, GrowingKTree& tree);

 private:
  using NodeId = std::uint32_t;
  static constexpr NodeId kNoNode = 0xFFFFFFFFu;

  struct Node {
    NodeId parent;
    Join join;
    std::uint32_t rank;  // among the successors of the parent
    double bound;
    bool is_evaluated;
  };
  struct Successor {
    double loss;
    Join join;
    friend bool operator<(const Successor& a, const Successor& b) {
      if (a.loss != b.loss) return a.loss < b.loss;
      if (a.join.v != b.join.v) return a.join.v < b.join.v;
      if (a.join.clique != b.join.clique) return a.join.clique < b.join.clique;
      return a.join.left_out < b.join.left_out;
    }
  };

  void load(NodeId node);
  void push_successor(NodeId parent, std::uint32_t rank);
  bool is_behind(NodeId a, NodeId b) const;
  void push(NodeId node);
  NodeId pop();
  bool evaluate(NodeId node);
  bool run_astar();
  void complete();
  bool should_stop() const { return run_->should_stop() || Clock::now() >= deadline_; }
  void offer(const GrowingKTree& tree);

  const SearchProblem& problem_;
  const PairInformation& information_;
  std::uint32_t max_nodes_;
  const Run* run_ = nullptr;
  Clock::time_point deadline_;
  CoveredEntries covered_;
  PartialKTree state_;
  NodeId loaded_ = kNoNode;  // whose state this is; kNoNode for that of the root
  std::vector<VariableId> root_;
  std::vector<Node> nodes_;
  std::vector<NodeId> heap_;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<Successor> best_;  // successors, or by variable the best join
  GrowingKTree incumbent_;
  double incumbent_value_ = 0;
  bool has_incumbent_ = false;
};

/// A clique of k+1 variables with a large informative score of its own: the best of those that begin with
/// each variable in turn and take again and again the one with the most information about them. (All cliques
/// would be too many to try.) A quarter of the time that the run has left is for this.
std::vector<VariableId> most_informative_clique(const SearchProblem& problem,
                                                const PairInformation& information, const Run& run);

}  // namespace treebound
