#include "search/regrow/regrow.hpp"

#include <algorithm>
#include <memory>

#include "search/regrow/island.hpp"
#include "search/regrow/starts.hpp"

namespace treebound {
namespace {

// Between two looks at the clock.
constexpr std::uint32_t kMovesPerLook = 16;
// Sets that all islands together may add to their pools: less than a gigabyte.
constexpr std::size_t kMaxAdded = std::size_t{1} << 24;

/// The islands, and what each of them shows to the others during a round.
class Archipelago {
 public:
  Archipelago(const SearchProblem& problem, const RegrowOptions& options)
      : problem_(problem),
        options_(options),
        is_planted_(options.num_islands, 0),
        shown_(options.num_islands) {
    const BagBound bound{problem.width(), options.max_states};
    // Where nothing is added all islands read the same pool.
    const auto pool = std::make_shared<FamilyPool>(problem);
    const bool is_shared = options.source.data == nullptr;
    for (std::uint32_t i = 0; i < options.num_islands; ++i) {
      pools_.push_back(is_shared ? pool : std::make_shared<FamilyPool>(problem));
      std::unique_ptr<FamilyProposals> proposals;
      if (options.source.data != nullptr)
        proposals = std::make_unique<FamilyProposals>(*options.source.data, *options.source.score, *pools_[i],
                                                      problem.width(), options.max_states,
                                                      kMaxAdded / options.num_islands);
      islands_.push_back(
          std::make_unique<RegrowIsland>(*pools_[i], bound, options.cardinalities, std::move(proposals)));
    }
  }

  const RegrowIsland& island(std::uint64_t step) const { return *islands_[step % islands_.size()]; }

  void work(std::uint64_t step, RandomStream& random, const SearchContext& context) {
    RegrowIsland& island = *islands_[step % islands_.size()];
    if (!is_planted_[step % islands_.size()]) {
      plant_island(island, *pools_[step % islands_.size()], step, random, context);
      is_planted_[step % islands_.size()] = 1;
      return;
    }
    for (std::uint32_t i = 0; i < kMovesPerStep; i += kMovesPerLook) {
      if (context.should_stop()) return;
      const double spent = std::min(context.spent(step), 1.0);
      for (std::uint32_t j = 0; j < kMovesPerLook; ++j) island.move(spent, random);
    }
  }

  void show() {
    if (islands_.size() < 2 || ++num_rounds_ % kRoundsPerShow != 0) return;
    for (std::size_t i = 0; i < islands_.size(); ++i) shown_[i] = islands_[i]->families();
    for (std::size_t i = 0; i < islands_.size(); ++i)
      islands_[i]->look_at(&shown_[(i + 1) % islands_.size()]);
  }

 private:
  static constexpr std::uint64_t kRoundsPerShow = 8;

  void plant_island(RegrowIsland& island, FamilyPool& pool, std::uint64_t step, RandomStream& random,
                    const SearchContext& context) {
    if (!options_.start.elimination_order.empty())
      load_start(options_.start, pool, island);
    else
      plant_best(problem_, options_, step, random, island, context);
  }

  const SearchProblem& problem_;
  const RegrowOptions& options_;
  std::vector<std::shared_ptr<FamilyPool>> pools_;
  std::vector<std::unique_ptr<RegrowIsland>> islands_;
  std::vector<std::uint8_t> is_planted_;
  std::vector<RegrowIsland::Families> shown_;
  std::uint64_t num_rounds_ = 0;
};

class RegrowConstructor final : public Constructor {
 public:
  explicit RegrowConstructor(Archipelago& archipelago) : archipelago_(archipelago) {}

  Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) override {
    archipelago_.work(step, random, context);
    step_ = step;
    score_ = archipelago_.island(step).score();
    return Proof::kNone;
  }

  double score() const override { return score_; }

  void write(FoundStructure& found) const override {
    const BoundedNetwork& network = archipelago_.island(step_).network();
    found.parent_offsets.assign(1, 0);
    found.parents.clear();
    found.local_scores.clear();
    for (VariableId v = 0; v < network.pool().num_variables(); ++v) {
      const auto parents = network.parents(v);
      found.parents.insert(found.parents.end(), parents.begin(), parents.end());
      found.parent_offsets.push_back(static_cast<std::int64_t>(found.parents.size()));
      found.local_scores.push_back(network.score(v));
    }
    found.elimination_order = network.tree().elimination_order();
  }

 private:
  Archipelago& archipelago_;
  std::uint64_t step_ = 0;
  double score_ = 0;
};

}  // namespace

SearchOutcome search_regrow(const SearchProblem& problem, const RegrowOptions& options,
                            const SearchLimits& limits, const SearchPoll& poll) {
  Archipelago archipelago(problem, options);
  SearchPlan plan;
  plan.make_constructor = [&] { return std::make_unique<RegrowConstructor>(archipelago); };
  plan.steps_per_round = options.num_islands;
  plan.between_rounds = [&] { archipelago.show(); };
  return run_search(plan, limits, poll);
}

}  // namespace treebound
