#include "search/ktree/printed_astar.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "search/ktree/k_greedy.hpp"

namespace treebound {

PrintedAStar::PrintedAStar(const SearchProblem& problem, const Partners& partners,
                           const KAStarOptions& options, const OrderPlan& orders)
    : problem_(problem),
      options_(options),
      orders_(problem, orders),
      root_solver_(problem),
      chooser_(partners, options.policy),
      tree_(problem.num_variables(), problem.width()),
      feasible_(problem),
      chosen_(problem.num_variables()) {}

Proof PrintedAStar::construct(std::uint64_t step, RandomStream& random, const SearchContext& context) {
  begin(orders_.next(step, random, context));
  const Proof proof = search(step, context);
  if (proof == Proof::kBeaten) return proof;
  complete(random);
  const bool is_proof = proof != Proof::kOptimal || (!has_dropped_ && problem_.width() < kMaxExactRoot);
  proof_ = is_proof ? proof : Proof::kNone;
  return proof_;
}

void PrintedAStar::write(Found& found) const {
  write_structure(problem_, tree_, chosen_, found);
  found.statistics = {{"is_optimal_for_order", proof_ == Proof::kOptimal}};
}

/// Of equal bounds, the one that is nearer to the end comes first.
bool PrintedAStar::is_worse(NodeId a, NodeId b) const {
  const Node &first = nodes_[a], &second = nodes_[b];
  if (first.bound != second.bound) return first.bound < second.bound;
  if (first.num_inserted != second.num_inserted) return first.num_inserted < second.num_inserted;
  return a > b;
}

void PrintedAStar::begin(std::span<const VariableId> order) {
  order_.assign(order.begin(), order.end());
  root_solver_.solve(std::span(order_).first(root_size()), chosen_);
  feasible_.reset(order_);
  nodes_.clear();
  separators_.clear();
  open_.clear();
  has_dropped_ = false;
  double bound = 0;
  for (std::size_t i = 0; i < order_.size(); ++i)
    bound += problem_.score(i < root_size() ? chosen_[order_[i]] : feasible_.of(order_[i]).front());
  separator_.assign(problem_.width(), 0);
  add_node({bound, kNoNode, static_cast<std::uint32_t>(root_size()), 0});
}

Proof PrintedAStar::search(std::uint64_t step, const SearchContext& context) {
  for (;;) {
    const NodeId node = open_.front();
    const double bound = nodes_[node].bound;
    if (options_.skips_beaten && context.is_beaten(bound + 1e-9 * (1 + std::abs(bound)), step))
      return Proof::kBeaten;
    if (nodes_[node].num_inserted == order_.size()) return Proof::kOptimal;
    if (is_out_of_memory()) return Proof::kOutOfMemory;
    if (nodes_.size() >= options_.max_nodes || context.should_stop()) return Proof::kNone;
    std::pop_heap(open_.begin(), open_.end(), worse());
    open_.pop_back();
    restore(node);
    expand(node);
    drop_worst();
  }
}

/// Arrays that grow hold up to twice what they need, and the old one while they move.
bool PrintedAStar::is_out_of_memory() const {
  const std::uint64_t each = sizeof(Node) + problem_.width() * sizeof(VariableId) + sizeof(NodeId);
  return 3 * each * nodes_.size() > options_.max_bytes || nodes_.size() >= kNoNode - (1u << 24);
}

/// One successor for each k-clique: the root without one member, and each later clique without one member
/// other than its last, since without that it lies in an earlier one.
void PrintedAStar::expand(NodeId node) {
  const auto cliques = std::span(order_).first(nodes_[node].num_inserted).subspan(root_size() - 1);
  for (const VariableId holder : cliques) {
    clique_.assign(tree_.separator(holder).begin(), tree_.separator(holder).end());
    clique_.push_back(holder);
    for (const VariableId dropped : clique_)
      if (dropped != holder || holder == cliques[0]) join(node, holder, dropped);
  }
}

void PrintedAStar::join(NodeId node, VariableId holder, VariableId dropped) {
  const VariableId v = order_[nodes_[node].num_inserted];
  const auto& list = feasible_.of(v);
  const auto entry = std::ranges::find_if(list, [&](EntryId one) {
    return std::ranges::all_of(problem_.parents(one),
                               [&](VariableId u) { return u != dropped && tree_.is_in_clique(u, holder); });
  });
  separator_.clear();
  std::ranges::remove_copy(clique_, std::back_inserter(separator_), dropped);
  const double bound = nodes_[node].bound - problem_.score(list.front()) + problem_.score(*entry);
  add_node({bound, node, nodes_[node].num_inserted + 1, *entry});
}

void PrintedAStar::drop_worst() {
  if (open_.size() <= options_.max_open) return;
  has_dropped_ = true;
  const auto end = open_.begin() + static_cast<std::ptrdiff_t>(options_.max_open);
  std::nth_element(open_.begin(), end, open_.end(), [this](NodeId a, NodeId b) { return is_worse(b, a); });
  open_.erase(end, open_.end());
  std::make_heap(open_.begin(), open_.end(), worse());
}

void PrintedAStar::add_node(const Node& node) {
  separators_.insert(separators_.end(), separator_.begin(), separator_.end());
  nodes_.push_back(node);
  open_.push_back(static_cast<NodeId>(nodes_.size() - 1));
  std::push_heap(open_.begin(), open_.end(), worse());
}

void PrintedAStar::restore(NodeId node) {
  path_.clear();
  for (; nodes_[node].parent != kNoNode; node = nodes_[node].parent) path_.push_back(node);
  tree_.start(std::span(order_).first(root_size()));
  for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
    const VariableId v = order_[nodes_[*step].num_inserted - 1];
    chosen_[v] = nodes_[*step].entry;
    tree_.insert(v, separator(*step));
  }
}

/// Takes the most promising state, completed greedily where it is not complete.
void PrintedAStar::complete(RandomStream& random) {
  restore(open_.front());
  for (const VariableId v : std::span(order_).subspan(tree_.order().size())) {
    chosen_[v] = first_that_fits(problem_, tree_, v);
    chooser_.insert(tree_, v, problem_.parents(chosen_[v]), random);
  }
  score_ = problem_.total_score(chosen_);
}

}  // namespace treebound
