#include "search/k_greedy.hpp"

#include <bit>

namespace treebound {
namespace {
constexpr std::size_t kAhead = 4;
}

// In a good order the best entry mostly fits, and the processor guesses so. Where the scan ends behind it no
// guess is good, so there entries are looked at in blocks without asking after each.
EntryId first_that_fits(const SearchProblem& problem, const GrowingKTree& tree, VariableId v) {
  const std::uint32_t* heads = problem.heads();
  const std::uint32_t* positions = tree.positions();
  const auto is_begun = [&](EntryId entry) {
    return positions[heads[entry] & ~SearchProblem::kMany] != GrowingKTree::kNotInserted;
  };
  const auto is_complete = [&](EntryId entry) {
    return (heads[entry] & SearchProblem::kMany) == 0 || tree.holds(problem.parents(entry));
  };
  const EntryId best = problem.best_entry(v);
  if (is_begun(best) && is_complete(best)) return best;
  for (EntryId block = best + 1;; block += SearchProblem::kBlock) {
    std::uint32_t begun = 0;
    for (std::uint32_t i = 0; i < SearchProblem::kBlock; ++i) begun |= (is_begun(block + i) ? 1u : 0u) << i;
    for (; begun != 0; begun &= begun - 1) {
      const EntryId entry = block + static_cast<std::uint32_t>(std::countr_zero(begun));
      if (is_complete(entry)) return entry;
    }
  }
}

void write_structure(const SearchProblem& problem, const GrowingKTree& tree, std::span<const EntryId> chosen,
                     FoundStructure& found) {
  found.sets.clear();
  for (const EntryId entry : chosen) found.sets.push_back(problem.cache_set(entry));
  found.insertion_order = tree.order();
  found.separators.clear();
  for (VariableId v = 0; v < chosen.size(); ++v) {
    const auto separator = tree.separator(v);
    found.separators.insert(found.separators.end(), separator.begin(), separator.end());
  }
}

GreedyDecoder::GreedyDecoder(const SearchProblem& problem, const Partners& partners, CliquePolicy policy)
    : problem_(problem),
      tree_(problem.num_variables(), problem.width()),
      chooser_(partners, policy),
      root_solver_(problem),
      chosen_(problem.num_variables()) {}

void GreedyDecoder::decode(std::span<const VariableId> order, RandomStream& random) {
  const std::size_t root_size = problem_.width() + 1;
  root_.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(root_size));
  root_solver_.solve(root_, chosen_);
  tree_.start(root_);
  for (std::size_t i = root_size; i < order.size(); ++i) {
    // The lists of a large problem do not fit the nearest cache, and the order says which comes next.
    if (i + kAhead < order.size())
      __builtin_prefetch(problem_.heads() + problem_.best_entry(order[i + kAhead]));
    const VariableId v = order[i];
    chosen_[v] = first_that_fits(problem_, tree_, v);
    chooser_.insert(tree_, v, problem_.parents(chosen_[v]), random);
  }
  score_ = problem_.total_score(chosen_);
}

namespace {

class KGreedy final : public Constructor {
 public:
  KGreedy(const SearchProblem& problem, const Partners& partners, CliquePolicy policy,
          const OrderPlan& orders)
      : problem_(problem), orders_(problem, orders), decoder_(problem, partners, policy) {}

  Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) override {
    decoder_.decode(orders_.next(step, random, context), random);
    return Proof::kNone;
  }
  double score() const override { return decoder_.score(); }
  void write(FoundStructure& found) const override {
    write_structure(problem_, decoder_.tree(), decoder_.chosen(), found);
  }

 private:
  const SearchProblem& problem_;
  OrderSource orders_;
  GreedyDecoder decoder_;
};

}  // namespace

SearchOutcome search_k_greedy(const SearchProblem& problem, const KGreedyOptions& options,
                              const SearchLimits& limits, const SearchPoll& poll) {
  const OrderPlan orders(problem, options.orders, limits.seed, options.policy != CliquePolicy::kRandom);
  const Partners partners(problem, options.policy);
  SearchPlan plan;
  plan.make_constructor = [&] {
    return std::make_unique<KGreedy>(problem, partners, options.policy, orders);
  };
  orders.limit(plan);
  return run_search(plan, limits, poll);
}

}  // namespace treebound
