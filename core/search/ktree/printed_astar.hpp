// A* over the choice of k-cliques, as the paper prints it (see k_astar.hpp), and nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/anytime.hpp"
#include "search/ktree/clique_policy.hpp"
#include "search/ktree/feasible_sets.hpp"
#include "search/ktree/growing_ktree.hpp"
#include "search/ktree/k_astar.hpp"
#include "search/ktree/order_source.hpp"
#include "search/ktree/root_clique.hpp"

namespace treebound {

class PrintedAStar final : public Constructor {
 public:
  PrintedAStar(const SearchProblem& problem, const Partners& partners, const KAStarOptions& options,
               const OrderPlan& orders);

  Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) override;
  double score() const override { return score_; }
  void write(Found& found) const override;

 private:
  using NodeId = std::uint32_t;
  static constexpr NodeId kNoNode = 0xFFFFFFFFu;

  struct Node {
    double bound;  // what any completion can reach
    NodeId parent;
    std::uint32_t num_inserted;
    EntryId entry;
  };

  std::size_t root_size() const { return problem_.width() + 1; }
  std::span<const VariableId> separator(NodeId node) const {
    return {separators_.data() + std::size_t{node} * problem_.width(), problem_.width()};
  }
  bool is_worse(NodeId a, NodeId b) const;
  auto worse() const {
    return [this](NodeId a, NodeId b) { return is_worse(a, b); };
  }

  void begin(std::span<const VariableId> order);
  Proof search(std::uint64_t step, const SearchContext& context);
  bool is_out_of_memory() const;
  void expand(NodeId node);
  void join(NodeId node, VariableId holder, VariableId dropped);
  void drop_worst();
  void add_node(const Node& node);
  void restore(NodeId node);
  void complete(RandomStream& random);

  const SearchProblem& problem_;
  const KAStarOptions& options_;
  OrderSource orders_;
  RootSolver root_solver_;
  CliqueChooser chooser_;
  GrowingKTree tree_;
  FeasibleSets feasible_;
  std::vector<VariableId> order_;
  std::vector<Node> nodes_;
  std::vector<VariableId> separators_;  // of the nodes, `width` each
  std::vector<NodeId> open_;            // heap
  bool has_dropped_ = false;
  std::vector<VariableId> clique_, separator_;
  std::vector<NodeId> path_;
  std::vector<EntryId> chosen_;
  Proof proof_ = Proof::kNone;
  double score_ = 0;
};

}  // namespace treebound
