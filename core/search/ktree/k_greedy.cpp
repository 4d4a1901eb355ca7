#include "search/ktree/k_greedy.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace treebound {
namespace {
constexpr std::size_t kAhead = 4;
}

// In a good order the best entry mostly fits, and the processor predicts that. Where the scan goes on behind
// it no prediction is good, so there entries are read in blocks without a branch after each.
EntryId first_that_fits(const SearchProblem& problem, const GrowingKTree& tree, VariableId v) {
  const SearchProblem::Head* heads = problem.heads();
  const std::uint32_t* positions = tree.positions();
  const VariableId no_variable = problem.num_variables();
  const auto is_begun = [&](EntryId entry) {
    const auto [first, second] = heads[entry];
    return std::max(positions[first & ~SearchProblem::kMany], positions[second]) !=
           GrowingKTree::kNotInserted;
  };
  const auto is_complete = [&](EntryId entry) {
    return heads[entry].second == no_variable || tree.holds(problem.parents(entry));
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
                     Found& found) {
  KTreeFacts ktree;
  ktree.insertion_order.assign(tree.order().begin(), tree.order().end());
  for (VariableId v = 0; v < chosen.size(); ++v) {
    found.families.add(problem.parents(chosen[v]), problem.score(chosen[v]));
    const auto separator = tree.separator(v);
    ktree.separators.insert(ktree.separators.end(), separator.begin(), separator.end());
  }
  found.elimination_order.assign(ktree.insertion_order.rbegin(), ktree.insertion_order.rend());
  found.ktree = std::move(ktree);
}

GreedyDecoder::GreedyDecoder(const SearchProblem& problem, const Partners& partners, CliquePolicy policy)
    : problem_(problem),
      tree_(problem.num_variables(), problem.width()),
      chooser_(partners, policy),
      root_solver_(problem),
      required_(problem),
      chosen_(problem.num_variables()),
      remembered_{{}, tree_, {}, {}} {}

void GreedyDecoder::remember(std::span<const VariableId> order, RandomStream& random) {
  if (required_.is_any() || chooser_.policy() == CliquePolicy::kRandom ||
      std::ranges::equal(order, remembered_.order))
    return;
  decode(order, random);
  remembered_.order.assign(order.begin(), order.end());
  remembered_.tree = tree_;
  remembered_.chosen = chosen_;
  remembered_.lost.clear();
  double lost = 0;
  for (const VariableId v : order) remembered_.lost.push_back(lost += loss(v));
}

/// Takes over the known part of the order, at least the root, and returns how many variables that is.
std::size_t GreedyDecoder::begin(std::span<const VariableId> order) {
  const std::size_t root_size = problem_.width() + 1;
  const auto [differs, unused] = std::ranges::mismatch(order, remembered_.order);
  const auto num_known = static_cast<std::size_t>(differs - order.begin());
  if (num_known < root_size) {
    root_.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(root_size));
    root_solver_.solve(root_, chosen_);
    tree_.start(root_);
    return root_size;
  }
  tree_.start_like(remembered_.tree, num_known);
  chosen_ = remembered_.chosen;
  return num_known;
}

/// What its set scores below the best, which it mostly is: then the scores, far away in memory, are not read.
double GreedyDecoder::loss(VariableId v) const {
  const EntryId best = problem_.best_entry(v);
  return chosen_[v] == best ? 0 : problem_.score(best) - problem_.score(chosen_[v]);
}

/// Gives v the best set that fits together with those that the required parents of others demand next to v.
[[gnu::cold]] void GreedyDecoder::insert_with_demand(VariableId v, RandomStream& random) {
  const auto [entry, members] = required_.first_that_fits(tree_, v, required_.demand(v));
  chosen_[v] = entry;
  chooser_.insert(tree_, v, members, random);
}

bool GreedyDecoder::decode(std::span<const VariableId> order, RandomStream& random, double floor) {
  required_.follow(order);
  const bool has_required = required_.is_any();
  const std::size_t num_known = begin(order);
  double lost = 0;
  if (num_known > problem_.width() + 1)
    lost = remembered_.lost[num_known - 1];
  else
    for (const VariableId v : order.first(num_known)) lost += loss(v);
  // What all variables may lose together, with room for rounding.
  const double affordable = problem_.sum_of_best() - floor + 1e-9 * std::abs(floor);
  for (std::size_t i = num_known; i < order.size(); ++i) {
    // The lists of a large problem do not fit the nearest cache, and the order shows which comes next.
    if (i + kAhead < order.size())
      __builtin_prefetch(problem_.heads() + problem_.best_entry(order[i + kAhead]));
    const VariableId v = order[i];
    if (has_required && !required_.demand(v).empty()) {
      insert_with_demand(v, random);
    } else {
      chosen_[v] = first_that_fits(problem_, tree_, v);
      chooser_.insert(tree_, v, problem_.parents(chosen_[v]), random);
    }
    lost += loss(v);
    if (lost > affordable) return false;
  }
  score_ = problem_.total_score(chosen_);
  return true;
}

namespace {

class KGreedy final : public Constructor {
 public:
  KGreedy(const SearchProblem& problem, const Partners& partners, CliquePolicy policy,
          const OrderPlan& orders)
      : problem_(problem), orders_(problem, orders), decoder_(problem, partners, policy) {}

  Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) override {
    const auto order = orders_.next(step, random, context);
    if (!context.round_order().empty()) decoder_.remember(context.round_order(), random);
    return decoder_.decode(order, random, context.best_score()) ? Proof::kNone : Proof::kBeaten;
  }
  double score() const override { return decoder_.score(); }
  void write(Found& found) const override {
    write_structure(problem_, decoder_.tree(), decoder_.chosen(), found);
  }

 private:
  const SearchProblem& problem_;
  OrderSource orders_;
  GreedyDecoder decoder_;
};

}  // namespace

Statistics search_k_greedy(SearchTask& task, const KGreedyOptions& options) {
  const SearchProblem& problem = task.problem;
  const OrderPlan orders(problem, options.orders, task.seed);
  const Partners partners(problem, options.policy);
  SearchPlan plan;
  plan.make_constructor = [&] {
    return std::make_unique<KGreedy>(problem, partners, options.policy, orders);
  };
  orders.limit(plan);
  const ProofCounts counts = run_search(plan, task);
  return {{"num_skipped", counts.num_skipped}};
}

}  // namespace treebound
