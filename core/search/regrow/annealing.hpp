// When the islands of Regrow cool down and heat up again.
//
// The temperature falls to zero over a *cycle*. A problem of few variables is frozen long before a large
// budget ends, perhaps in a local optimum; there, a cycle ends after a number of rounds that depends on the
// number of variables alone, and the next one begins. The second is twice as long as the first, the third
// three times: short cycles look in many places, long ones look closer. Two runs that differ only in their
// number of steps do the same until the last cycle of the shorter one, so more steps hardly ever give less.
// With many variables the budget ends within the first cycle, and the temperature falls with the budget.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/run.hpp"

namespace treebound {

class AnnealingCycles {
 public:
  /// In a round each island makes one step.
  AnnealingCycles(const Run& run, std::uint32_t num_variables, std::uint32_t num_islands)
      : run_(run),
        num_islands_(num_islands),
        rounds_of_first_(rounds_of_first_cycle(num_variables)),
        rounds_(rounds_of_first_),
        begun_at_(run.start()) {}

  /// How many rounds the first cycle has: some dozen for thirty variables, and more than fit in a minute for
  /// a hundred, where one slow cycle is better than several.
  static std::uint64_t rounds_of_first_cycle(std::uint64_t num_variables) {
    const std::uint64_t n = std::min(num_variables, kManyVariables);
    return kFewestRounds + n * n * n * n / kFourthPowerPerRound;
  }

  /// Counts a round; true if it was the last of a cycle. While no island is at work.
  bool end_round() {
    if (++num_rounds_ < rounds_) return false;
    first_step_ += num_rounds_ * num_islands_;
    num_rounds_ = 0;
    rounds_ += rounds_of_first_;
    begun_at_ = Clock::now();
    return true;
  }

  /// The part of the cycle that is over before this step. A cycle that the budget cuts short cools faster.
  double spent(std::uint64_t step) const {
    const auto done = static_cast<double>(step - first_step_);
    const double steps_left = static_cast<double>(run_.max_steps()) - static_cast<double>(first_step_);
    const double steps = static_cast<double>(rounds_ * num_islands_);
    const double part = done / std::min(steps, steps_left);
    return std::min(1.0, run_.has_deadline() ? std::max(part, time_spent()) : part);
  }

 private:
  static constexpr std::uint64_t kFewestRounds = 16;
  static constexpr std::uint64_t kFourthPowerPerRound = 40'000;
  static constexpr std::uint64_t kManyVariables = 10'000;  // no budget has so many rounds

  double time_spent() const {
    return std::chrono::duration<double>(Clock::now() - begun_at_) /
           std::chrono::duration<double>(run_.deadline() - begun_at_);
  }

  const Run& run_;
  const std::uint64_t num_islands_;
  const std::uint64_t rounds_of_first_;
  std::uint64_t rounds_;          // of this cycle, in all
  std::uint64_t num_rounds_ = 0;  // of this cycle, done
  std::uint64_t first_step_ = 0;  // of this cycle
  Clock::time_point begun_at_;
};

}  // namespace treebound
