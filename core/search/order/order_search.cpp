#include "search/order/order_search.hpp"

#include <memory>
#include <vector>

#include "search/order/child_groups.hpp"
#include "search/order/order_chain.hpp"
#include "search/witness.hpp"

namespace treebound {
namespace {

class OrderConstructor final : public Constructor {
 public:
  OrderConstructor(std::vector<std::unique_ptr<OrderChain>>& chains, const SearchTask& task,
                   const std::vector<VariableId>& start)
      : chains_(chains), task_(task), start_(start) {}

  Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) override {
    chain_ = chains_[step % chains_.size()].get();
    if (chain_->has_begun())
      chain_->anneal(step, random, context);
    else
      chain_->begin(start_, random);
    return Proof::kNone;
  }

  double score() const override { return chain_->best_score(); }

  void write(Found& found) const override {
    for (const EntryId entry : chain_->best_chosen())
      found.families.add(task_.problem.parents(entry), task_.problem.score(entry));
    found.elimination_order = witness_order(found.families);
  }

 private:
  std::vector<std::unique_ptr<OrderChain>>& chains_;
  const SearchTask& task_;
  const std::vector<VariableId>& start_;
  OrderChain* chain_ = nullptr;
};

}  // namespace

Statistics search_order(SearchTask& task, const OrderSearchOptions& options) {
  const ChildGroups groups(task.problem);
  std::vector<std::unique_ptr<OrderChain>> chains;
  while (chains.size() < options.num_chains)
    chains.push_back(std::make_unique<OrderChain>(task.problem, groups, options.max_window, task.run));
  std::vector<VariableId> start;
  if (task.start.is_given()) start = topological_order(task.start.families);
  SearchPlan plan;
  plan.make_constructor = [&] { return std::make_unique<OrderConstructor>(chains, task, start); };
  plan.steps_per_round = options.num_chains;
  run_search(plan, task);
  return {};
}

}  // namespace treebound
