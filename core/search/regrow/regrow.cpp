#include "search/regrow/regrow.hpp"

#include <algorithm>
#include <memory>

#include "search/hcet/hc_et.hpp"
#include "search/regrow/annealing.hpp"
#include "search/regrow/island.hpp"
#include "search/regrow/starts.hpp"

namespace treebound {
namespace {

// Between two looks at the clock.
constexpr std::uint32_t kMovesPerLook = 16;
// Sets that all islands together may add to their pools: less than a gigabyte.
constexpr std::size_t kMaxAdded = std::size_t{1} << 24;
// Of the time, for climbing to the network that the islands begin from.
constexpr double kClimbingShare = 0.5;

/// The islands, and the families that they publish to each other.
class Islands {
 public:
  /// A start that is only a candidate competes with those that the islands make.
  Islands(const SearchProblem& problem, const Run& run, const SearchStart& start, bool is_candidate,
          const RegrowOptions& options)
      : problem_(problem),
        start_(start),
        is_candidate_(is_candidate),
        cycles_(run, problem.num_variables(), options.num_islands),
        is_initialised_(options.num_islands, 0),
        begins_again_(options.num_islands, 0),
        published_(options.num_islands) {
    // Where nothing is added all islands read the same pool.
    const auto pool = std::make_shared<FamilyPool>(problem);
    const bool is_shared = !problem.source().is_given();
    for (std::uint32_t i = 0; i < options.num_islands; ++i) {
      pools_.push_back(is_shared ? pool : std::make_shared<FamilyPool>(problem));
      std::unique_ptr<FamilyProposals> proposals;
      if (!is_shared)
        proposals = std::make_unique<FamilyProposals>(*pools_[i], kMaxAdded / options.num_islands);
      islands_.push_back(std::make_unique<RegrowIsland>(*pools_[i], std::move(proposals), options.moves));
      // Now and not by the islands themselves: pools that are shared must not grow once threads are at work.
      if (start.is_given()) starts_.push_back(add_start(start.families, *pools_[i]));
    }
  }

  const RegrowIsland& island(std::uint64_t step) const { return *islands_[step % islands_.size()]; }

  void work(std::uint64_t step, RandomStream& random, const SearchContext& context) {
    const std::size_t i = step % islands_.size();
    RegrowIsland& island = *islands_[i];
    if (!is_initialised_[i]) {
      if (!start_.is_given() || is_candidate_) initialise(problem_, step, random, island, context);
      if (start_.is_given() && !(is_candidate_ && island.score() >= start_.score))
        island.load(starts_[i], start_.elimination_order);
      is_initialised_[i] = 1;
      return;
    }
    if (begins_again_[i]) island.restart(random);
    begins_again_[i] = 0;
    for (std::uint32_t done = 0; done < kMovesPerStep; done += kMovesPerLook) {
      if (context.should_stop()) return;
      const double spent = cycles_.spent(step);
      for (std::uint32_t j = 0; j < kMovesPerLook; ++j) island.move(spent, random);
    }
  }

  /// While no island is at work.
  void end_round() {
    ++num_rounds_;
    if (cycles_.end_round())
      begin_cycle();
    else if (num_rounds_ % kRoundsPerExchange == 0)
      exchange();
  }

 private:
  static constexpr std::uint64_t kRoundsPerExchange = 8;

  /// Every second island begins from scratch; the others go on from what they have.
  void begin_cycle() {
    for (std::size_t i = 0; i < islands_.size(); ++i) {
      islands_[i]->set_other(nullptr);
      begins_again_[i] = i % 2;
    }
  }

  /// Lets each island take families from the next one.
  void exchange() {
    if (islands_.size() < 2) return;
    for (std::size_t i = 0; i < islands_.size(); ++i) published_[i] = islands_[i]->families();
    for (std::size_t i = 0; i < islands_.size(); ++i)
      islands_[i]->set_other(&published_[(i + 1) % islands_.size()]);
  }

  const SearchProblem& problem_;
  const SearchStart& start_;
  const bool is_candidate_;
  AnnealingCycles cycles_;
  std::vector<std::shared_ptr<FamilyPool>> pools_;
  std::vector<std::unique_ptr<RegrowIsland>> islands_;
  std::vector<std::vector<FamilyId>> starts_;  // by island, empty if none is given
  std::vector<std::uint8_t> is_initialised_;
  std::vector<std::uint8_t> begins_again_;         // by island: whether it begins this cycle from scratch
  std::vector<RegrowIsland::Families> published_;  // the families of each island at the last exchange
  std::uint64_t num_rounds_ = 0;
};

class RegrowConstructor final : public Constructor {
 public:
  explicit RegrowConstructor(Islands& islands) : islands_(islands) {}

  Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) override {
    islands_.work(step, random, context);
    step_ = step;
    score_ = islands_.island(step).score();
    return Proof::kNone;
  }

  double score() const override { return score_; }

  void write(Found& found) const override {
    const BoundedNetwork& network = islands_.island(step_).network();
    for (VariableId v = 0; v < network.pool().num_variables(); ++v)
      found.families.add(network.parents(v), network.score(v));
    found.elimination_order = network.tree().elimination_order();
  }

 private:
  Islands& islands_;
  std::uint64_t step_ = 0;
  double score_ = 0;
};

}  // namespace

Statistics search_regrow(SearchTask& task, const RegrowOptions& options) {
  Climbed climbed{task.start, true, 0};
  if (options.climbs_first && task.problem.source().is_given() && !task.start.is_given())
    climbed = climb_once(task, kClimbingShare);
  // One that was cut short before it was even a tree is compared with the other starts.
  const bool is_candidate = !climbed.is_at_optimum && climbed.num_moves < task.problem.num_variables();
  Islands islands(task.problem, task.run, climbed.start, is_candidate, options);
  SearchPlan plan;
  plan.make_constructor = [&] { return std::make_unique<RegrowConstructor>(islands); };
  plan.steps_per_round = options.num_islands;
  plan.between_rounds = [&] { islands.end_round(); };
  run_search(plan, task);
  return {};
}

}  // namespace treebound
