#include "search/hcet/hc_et.hpp"

#include <algorithm>

#include "search/hcet/arc_climb.hpp"

namespace treebound {
namespace {

// Variables that lose their parents at a restart: one in so many, and so many at least.
constexpr std::uint32_t kVariablesPerReleased = 128;
constexpr std::uint32_t kLeastReleased = 4;
// Offering a network copies it; with a thousand variables that costs less than the step.
constexpr std::uint64_t kVariablesPerOffer = 512;

class HcEt {
 public:
  HcEt(SearchTask& task, std::uint64_t num_restarts)
      : task_(task),
        run_(task.run),
        rules_(task.problem.rules()),
        num_variables_(task.problem.num_variables()),
        num_restarts_(num_restarts),
        random_(task.seed, task.start.first_step),
        network_(num_variables_, task.problem.bound(), task.problem.cardinalities()),
        gains_(task.problem, run_),
        climb_(network_, gains_, task.problem, run_) {
    if (rules_.has_required()) load_required();
  }

  Statistics run() {
    run_.end(search());
    const auto& counts = climb_.counts();
    return {{"num_added", counts.num_added},
            {"num_removed", counts.num_removed},
            {"num_reversed", counts.num_reversed},
            {"num_rejected", counts.num_rejected},
            {"num_climbs", num_climbs_}};
  }

  Climbed climb_once(Clock::time_point deadline) {
    offer();
    bool is_at_optimum = false;
    if (prepare()) {
      climb_.begin();
      auto outcome = climb_.step();
      for (; outcome == ArcClimb::Outcome::kMoved && Clock::now() < deadline && !task_.incumbent.is_optimal();
           outcome = climb_.step())
        offer_sometimes();
      is_at_optimum = outcome == ArcClimb::Outcome::kAtOptimum;
    }
    offer();
    return {{families(), network_.elimination_order(), {}, score(), task_.start.first_step},
            is_at_optimum,
            num_moves_};
  }

 private:
  struct Network {
    double score;
    Families families;
    std::vector<VariableId> elimination_order;
  };

  StopReason search() {
    offer();
    count_step();
    if (!prepare()) return reason_of_stop();
    if (task_.start.is_given()) load(task_.start.families, task_.start.elimination_order);
    for (;;) {
      const StopReason reason = climb();
      ++num_climbs_;
      offer();
      if (reason != StopReason::kFinished || num_climbs_ > num_restarts_) return reason;
      keep_better();
      perturb();
    }
  }

  /// Counts all pairs, if arcs are allowed at all; false if the run stopped before.
  bool prepare() {
    if (task_.problem.width() == 0) return true;
    if (!gains_.count_pairs()) return false;
    for (VariableId v = 0; v < num_variables_; ++v)
      if (!rules_.required(v).empty()) climb_.recount(v);
    return true;
  }

  /// Begins with the required arcs; what could be added to them is counted later.
  void load_required() {
    Families required;
    for (VariableId v = 0; v < num_variables_; ++v) required.add(rules_.required(v), 0);
    network_.load(required, task_.problem.least_order());
    for (VariableId v = 0; v < num_variables_; ++v)
      if (!rules_.required(v).empty())
        gains_.recount(v, rules_.required(v), false, [](VariableId) { return false; });
  }

  /// Climbs to a local optimum, unless the budget ends before.
  StopReason climb() {
    climb_.begin();
    for (;;) {
      if (task_.incumbent.is_optimal()) return StopReason::kOptimal;
      if (run_.num_steps >= run_.max_steps()) return StopReason::kSteps;
      if (task_.incumbent.has_stalled(run_.num_steps)) return StopReason::kStalled;
      switch (climb_.step()) {
        case ArcClimb::Outcome::kMoved:
          count_step();
          offer_sometimes();
          break;
        case ArcClimb::Outcome::kAtOptimum:
          return StopReason::kFinished;
        case ArcClimb::Outcome::kStopped:
          return reason_of_stop();
      }
    }
  }

  void count_step() { run_.num_steps.fetch_add(1, std::memory_order_relaxed); }

  StopReason reason_of_stop() const {
    return run_.stop_requested() ? StopReason::kInterrupted : StopReason::kSeconds;
  }

  double score() const {
    double total = 0;
    for (VariableId v = 0; v < num_variables_; ++v) total += gains_.score(v);
    return total;
  }

  Families families() const {
    Families all;
    for (VariableId v = 0; v < num_variables_; ++v) all.add(network_.parents(v), gains_.score(v));
    return all;
  }

  void offer_sometimes() {
    if (++num_moves_ % (1 + num_variables_ / kVariablesPerOffer) == 0) offer();
  }

  void offer() {
    task_.incumbent.offer(score(), run_.num_steps, [&](Found& found) {
      found.families = families();
      found.elimination_order = network_.elimination_order();
    });
  }

  void load(const Families& families, std::span<const VariableId> elimination_order) {
    std::vector<VariableId> changed;
    for (VariableId v = 0; v < num_variables_; ++v)
      if (!std::ranges::equal(network_.parents(v), families.parents_of(v))) changed.push_back(v);
    network_.load(families, elimination_order);
    for (const VariableId v : changed) climb_.recount(v);
  }

  /// Goes back to the best network so far if the last climb has not led to a better one.
  void keep_better() {
    const double now = score();
    if (best_.elimination_order.empty() || now > best_.score)
      best_ = {now, families(), network_.elimination_order()};
    else
      load(best_.families, best_.elimination_order);
  }

  /// Removes the parents of v except those that are required.
  void release(VariableId v) {
    if (rules_.required(v).empty()) return network_.release(v);
    const std::vector<VariableId> parents(network_.parents(v).begin(), network_.parents(v).end());
    for (const VariableId p : parents)
      if (!rules_.is_required(v, p)) network_.remove(p, v);
  }

  /// Removes the parents of a few variables, each joined to one of those before by an arc if there is one:
  /// variables far from each other would only find their old parents again.
  void perturb() {
    std::vector<VariableId> released{random_.below(num_variables_)};
    const std::uint32_t num_released = std::max(kLeastReleased, num_variables_ / kVariablesPerReleased);
    while (released.size() < num_released) {
      const VariableId u = released[random_.below(static_cast<std::uint32_t>(released.size()))];
      const std::size_t num_parents = network_.parents(u).size();
      const std::size_t num_neighbours = num_parents + network_.children(u).size();
      if (num_neighbours == 0) {
        released.push_back(random_.below(num_variables_));
        continue;
      }
      const std::size_t i = random_.below(static_cast<std::uint32_t>(num_neighbours));
      released.push_back(i < num_parents ? network_.parents(u)[i] : network_.children(u)[i - num_parents]);
    }
    for (const VariableId v : released) {
      release(v);
      climb_.readmit(v);
      climb_.recount(v);
    }
  }

  SearchTask& task_;
  Run& run_;
  const FamilyRules& rules_;
  const std::uint32_t num_variables_;
  const std::uint64_t num_restarts_;
  RandomStream random_;
  ArcNetwork network_;
  ArcGains gains_;
  ArcClimb climb_;
  Network best_;
  std::uint64_t num_climbs_ = 0, num_moves_ = 0;
};

}  // namespace

Statistics search_hc_et(SearchTask& task, std::uint64_t num_restarts) {
  return HcEt(task, num_restarts).run();
}

Climbed climb_once(SearchTask& task, double share) {
  auto deadline = task.run.deadline();
  if (task.run.has_deadline()) {
    const auto now = Clock::now();
    deadline = now + std::chrono::duration_cast<Clock::duration>(share * (deadline - now));
  }
  return HcEt(task, 0).climb_once(deadline);
}

}  // namespace treebound
