#include "search/order/order_chain.hpp"

#include <algorithm>
#include <numeric>

#include "search/order/asobs.hpp"

namespace treebound {
namespace {

// Per step and variable. The witness of what a step has found costs as much as some of them.
constexpr std::uint32_t kSlidesPerVariable = 32;
constexpr std::uint32_t kSlidesPerLook = 32;
// The first temperature, as a part of what a variable gains by its best parents on average. On munin, pigs
// and diabetes twice as much made little difference.
constexpr double kInitialTemperature = 0.05;

std::vector<VariableId> shuffled(std::uint32_t num_variables, RandomStream& random) {
  std::vector<VariableId> order(num_variables);
  std::iota(order.begin(), order.end(), 0u);
  for (std::uint32_t i = num_variables; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// What a variable gains by its best parents, on average.
double mean_gain(const SearchProblem& problem) {
  double sum = problem.sum_of_best();
  for (VariableId v = 0; v < problem.num_variables(); ++v) sum -= problem.score(problem.least_entry(v));
  return sum / problem.num_variables();
}

}  // namespace

OrderChain::OrderChain(const SearchProblem& problem, const ChildGroups& groups, std::uint32_t max_window,
                       const Run& run)
    : run_(run),
      max_window_(std::min(max_window, problem.num_variables())),
      initial_temperature_(kInitialTemperature * mean_gain(problem)),
      network_(problem),
      windows_(network_, groups) {}

void OrderChain::begin(std::span<const VariableId> order, RandomStream& random) {
  if (order.empty()) {
    auto first = asobs_order(network_.problem(), shuffled(network_.num_variables(), random), run_);
    network_.problem().put_required_first(first);
    network_.load(first);
  } else {
    network_.load(order);
  }
  descend(random);
  remember();
}

void OrderChain::descend(RandomStream& random) {
  for (std::uint32_t size = 1; size <= max_window_ && !run_.should_stop();)
    size = slide_all(size, random) ? 1 : size + 1;
}

/// Every window of a size once; whether any gained.
bool OrderChain::slide_all(std::uint32_t size, RandomStream& random) {
  bool has_moved = false;
  for (const VariableId v : shuffled(network_.num_variables(), random)) {
    if (run_.should_stop()) break;
    if (network_.place(v) + size > network_.num_variables()) continue;
    has_moved |= windows_.slide(network_.place(v), size, 0, random);
  }
  return has_moved;
}

void OrderChain::anneal(std::uint64_t step, RandomStream& random, const SearchContext& context) {
  const std::uint32_t n = network_.num_variables();
  double temperature = 0;
  for (std::uint32_t pass = 0; pass < kSlidesPerVariable; ++pass) {
    network_.reorder(random);
    for (std::uint32_t done = 0; done < n; ++done) {
      if (done % kSlidesPerLook == 0) {
        if (network_.score() > best_score_) remember();
        if (run_.should_stop()) return;
        const double left = 1 - std::min(context.spent(step), 1.0);
        temperature = initial_temperature_ * left * left;
      }
      const std::uint32_t size = random.below(2) == 0 ? 1 : 1 + random.below(max_window_);
      windows_.slide(random.below(n + 1 - size), size, temperature, random);
    }
  }
  if (network_.score() > best_score_) remember();
}

void OrderChain::remember() {
  best_score_ = network_.score();
  best_chosen_ = network_.all_chosen();
}

double OrderChain::best_score() const { return network_.problem().total_score(best_chosen_); }

}  // namespace treebound
