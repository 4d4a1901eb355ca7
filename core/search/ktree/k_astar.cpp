#include "search/ktree/k_astar.hpp"

#include <cmath>

#include "search/ktree/k_greedy.hpp"
#include "search/ktree/order_optimum.hpp"
#include "search/ktree/printed_astar.hpp"

namespace treebound {
namespace {

/// From the back.
class KAStar final : public Constructor {
 public:
  KAStar(const SearchProblem& problem, const Partners& partners, const KAStarOptions& options,
         const OrderPlan& orders)
      : problem_(problem),
        options_(options),
        orders_(problem, orders),
        greedy_(problem, partners, options.policy),
        chooser_(partners, options.policy),
        tree_(problem.num_variables(), problem.width()),
        optimum_(problem),
        chosen_(problem.num_variables()) {
    separator_.reserve(root_size());  // a clique chooser reads the first place of an empty list
  }

  Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) override {
    greedy_.decode(orders_.next(step, random, context), random);
    const auto order = greedy_.tree().order();
    double root = 0;
    for (const VariableId v : order.first(root_size())) root += problem_.score(greedy_.chosen()[v]);
    bool is_beaten = false;
    const auto gives_up = [&](double proved_loss) {
      const double bound = root + optimum_.sum_of_best() - proved_loss;
      is_beaten = options_.skips_beaten && context.is_beaten(bound + 1e-9 * (1 + std::abs(bound)), step);
      return is_beaten || context.should_stop();
    };
    const bool is_solved = optimum_.solve(order, options_.max_nodes, gives_up);
    if (is_beaten) return Proof::kBeaten;
    take(order, random);
    proof_ = is_solved && problem_.width() < kMaxExactRoot ? Proof::kOptimal : Proof::kNone;
    return proof_;
  }
  double score() const override { return score_; }
  void write(Found& found) const override {
    write_structure(problem_, is_greedy_best_ ? greedy_.tree() : tree_,
                    is_greedy_best_ ? greedy_.chosen() : chosen_, found);
    found.statistics = {{"is_optimal_for_order", proof_ == Proof::kOptimal}};
  }

 private:
  std::size_t root_size() const { return problem_.width() + 1; }

  /// Takes the choice found, with a k-tree around its separators, or k-G if that is better.
  void take(std::span<const VariableId> order, RandomStream& random) {
    for (const VariableId v : order.first(root_size())) chosen_[v] = greedy_.chosen()[v];
    for (std::size_t place = root_size(); place < order.size(); ++place)
      chosen_[order[place]] = optimum_.chosen(static_cast<std::uint32_t>(place));
    score_ = problem_.total_score(chosen_);
    is_greedy_best_ = score_ <= greedy_.score();
    if (is_greedy_best_) {
      score_ = greedy_.score();
      return;
    }
    tree_.start(order.first(root_size()));
    for (std::size_t place = root_size(); place < order.size(); ++place) {
      optimum_.write_separator(static_cast<std::uint32_t>(place), separator_);
      chooser_.insert(tree_, order[place], separator_, random);
    }
  }

  const SearchProblem& problem_;
  const KAStarOptions& options_;
  OrderSource orders_;
  GreedyDecoder greedy_;
  CliqueChooser chooser_;
  GrowingKTree tree_;
  OrderOptimum optimum_;
  std::vector<VariableId> separator_;
  std::vector<EntryId> chosen_;
  Proof proof_ = Proof::kNone;
  bool is_greedy_best_ = true;
  double score_ = 0;
};

}  // namespace

Statistics search_k_astar(SearchTask& task, const KAStarOptions& options) {
  const SearchProblem& problem = task.problem;
  const OrderPlan orders(problem, options.orders, task.seed);
  const Partners partners(problem, options.policy);
  SearchPlan plan;
  plan.make_constructor = [&]() -> std::unique_ptr<Constructor> {
    if (options.is_printed) return std::make_unique<PrintedAStar>(problem, partners, options, orders);
    return std::make_unique<KAStar>(problem, partners, options, orders);
  };
  orders.limit(plan);
  const ProofCounts counts = run_search(plan, task);
  return {{"num_proved", counts.num_proved},
          {"num_skipped", counts.num_skipped},
          {"num_out_of_memory", counts.num_out_of_memory}};
}

}  // namespace treebound
