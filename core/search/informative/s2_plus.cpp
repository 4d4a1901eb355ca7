#include "search/informative/s2_plus.hpp"

#include "search/informative/guided_growth.hpp"
#include "search/ktree/order_sampler.hpp"

namespace treebound {
namespace {

class S2PlusStep final : public KTreeStep {
 public:
  S2PlusStep(const SearchTask& task, const KTreeStepOptions& options, const KTreeFigures& figures,
             KTreeCounts& counts, const S2PlusOptions& s2_plus, std::atomic<std::uint64_t>& num_proved)
      : KTreeStep(task, options, figures, counts),
        deadline_of_(task.run),
        finishes_first_(s2_plus.finishes_first),
        first_step_(task.start.first_step),
        growth_(figures.groups, figures.information, s2_plus.max_nodes),
        num_proved_(num_proved),
        order_(problem_.num_variables()) {}

  Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) override {
    const bool is_unhurried = finishes_first_ && step == 0;
    if (is_unhurried) deadline_of_.set_unhurried(true);
    if (growth_.grow(root(step, random), run_, tree_)) num_proved_.fetch_add(1, std::memory_order_relaxed);
    const Proof proof = solve(step, random, context, look_at_tree().pseudo_score);
    if (is_unhurried) deadline_of_.set_unhurried(false);
    return proof;
  }

 private:
  std::span<const VariableId> root(std::uint64_t step, RandomStream& random) {
    const std::size_t size = problem_.width() + 1;
    if (first_step_ + step == 0) {
      order_ = most_informative_clique(problem_, figures_.information, run_);
      order_.resize(problem_.num_variables());
    } else {
      sample_uniform(order_, random);
    }
    return std::span(order_).first(size);
  }

  Run& deadline_of_;
  bool finishes_first_;
  std::uint64_t first_step_;
  GuidedGrowth growth_;
  std::atomic<std::uint64_t>& num_proved_;
  std::vector<VariableId> order_;
};

}  // namespace

Statistics search_s2_plus(SearchTask& task, const KTreeStepOptions& options, const S2PlusOptions& s2_plus) {
  const KTreeFigures figures(task);
  KTreeCounts counts(!options.skips_beaten);
  std::atomic<std::uint64_t> num_proved{0};
  SearchPlan plan;
  plan.make_constructor = [&] {
    return std::make_unique<S2PlusStep>(task, options, figures, counts, s2_plus, num_proved);
  };
  Statistics statistics = counts.statistics(run_search(plan, task));
  statistics.emplace_back("num_proved", num_proved.load());
  return statistics;
}

}  // namespace treebound
