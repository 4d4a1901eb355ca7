// Where k-G and k-A* get the insertion order of a step: the chosen sampler, or one given order.
#pragma once

#include <span>
#include <vector>

#include "search/anytime.hpp"
#include "search/ktree/order_sampler.hpp"

namespace treebound {

struct OrderOptions {
  OrderSampling sampling;
  std::vector<VariableId> given;  // if not empty, the only order
};

/// What the samplers of all threads share.
class OrderPlan {
 public:
  /// Uniform orders of a small problem come once each, for every clique policy (paper, "Pruning orders").
  OrderPlan(const SearchProblem& problem, const OrderOptions& options, std::uint64_t seed)
      : options(options), classes_(problem.num_variables(), problem.width(), seed) {
    is_enumerated_ =
        options.given.empty() && classes_.count() > 0 && options.sampling == OrderSampling::kUniform;
  }
  const OrderClasses* classes() const { return is_enumerated_ ? &classes_ : nullptr; }
  void limit(SearchPlan& plan) const {
    if (is_enumerated_) plan.num_distinct_steps = classes_.count();
    if (options.sampling == OrderSampling::kPerturbed) plan.steps_per_round = kStepsPerRound;
  }

  const OrderOptions& options;

 private:
  OrderClasses classes_;
  bool is_enumerated_;
};

class OrderSource {
 public:
  OrderSource(const SearchProblem& problem, const OrderPlan& plan)
      : problem_(problem),
        plan_(plan),
        parents_first_(problem),
        perturbed_(problem),
        order_(problem.num_variables()) {}

  std::span<const VariableId> next(std::uint64_t step, RandomStream& random, const SearchContext& context) {
    const OrderOptions& options = plan_.options;
    if (!options.given.empty()) return options.given;
    if (plan_.classes() != nullptr) {
      plan_.classes()->write(step, order_);
    } else if (options.sampling == OrderSampling::kUniform) {
      sample_uniform(order_, random);
    } else if (options.sampling == OrderSampling::kParentsFirst || context.round_order().empty()) {
      parents_first_.sample(order_, random);
    } else {
      perturbed_.sample(context.round_order(), order_, random);
    }
    problem_.put_required_first(order_);
    return order_;
  }

 private:
  const SearchProblem& problem_;
  const OrderPlan& plan_;
  ParentsFirst parents_first_;
  Perturbed perturbed_;
  std::vector<VariableId> order_;
};

}  // namespace treebound
