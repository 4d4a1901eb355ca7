#include "search/informative/s2.hpp"

#include "search/informative/dandelion.hpp"

namespace treebound {
namespace {

constexpr std::uint64_t kKTreesPerRound = 16;
// Where almost all k-trees have no information at all, a step must end nevertheless.
constexpr int kMaxDraws = 1000;

/// IS* as the steps of a round see it, and as it will be in the next.
struct LargestScore {
  double of_earlier_rounds = 0;
  std::atomic<double> of_all{0};

  void add(double value) {
    double known = of_all.load();
    while (value > known && !of_all.compare_exchange_weak(known, value)) {
    }
  }
};

class S2Step final : public KTreeStep {
 public:
  S2Step(const SearchTask& task, const KTreeStepOptions& options, const KTreeFigures& figures,
         KTreeCounts& counts, LargestScore& largest)
      : KTreeStep(task, options, figures, counts),
        largest_(largest),
        sampler_(problem_.num_variables(), problem_.width()) {}

  Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) override {
    InformativeScore score{};
    for (int draw = 0; draw < kMaxDraws; ++draw) {
      sampler_.draw(random, tree_);
      score = look_at_tree();
      if (is_accepted(score.value(), random) || run_.should_stop()) break;
    }
    largest_.add(score.value());
    return solve(step, random, context, score.pseudo_score);
  }

 private:
  bool is_accepted(double value, RandomStream& random) const {
    const double largest = largest_.of_earlier_rounds;
    return value >= largest || random.uniform() * largest < value;
  }

  LargestScore& largest_;
  DandelionSampler sampler_;
};

}  // namespace

Statistics search_s2(SearchTask& task, const KTreeStepOptions& options) {
  const KTreeFigures figures(task);
  KTreeCounts counts(!options.skips_beaten);
  LargestScore largest;
  SearchPlan plan;
  plan.make_constructor = [&] { return std::make_unique<S2Step>(task, options, figures, counts, largest); };
  plan.steps_per_round = kKTreesPerRound;
  plan.between_rounds = [&] { largest.of_earlier_rounds = largest.of_all; };
  return counts.statistics(run_search(plan, task));
}

}  // namespace treebound
