// One order that is improved by sliding windows: the working part of the search over orders.
//
// It begins as WINASOBS does: the order of a network of ASOBS, whose windows slide to their best places until
// none gains. From there the authors begin anew with another order. This chain goes on instead: windows are
// drawn at random and slide by simulated annealing, with a temperature that falls to zero with the budget.
// Once per variable another order of the same arcs is drawn, which keeps the freedom of acyclic selection:
// what stands in the way of a better set is an arc, never only an order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "search/anytime.hpp"
#include "search/order/ordered_network.hpp"
#include "search/order/window_slide.hpp"

namespace treebound {

class OrderChain {
 public:
  OrderChain(const SearchProblem& problem, const ChildGroups& groups, std::uint32_t max_window,
             const Run& run);

  bool has_begun() const { return !best_chosen_.empty(); }
  /// From ASOBS with a random order of turns, or from the given order; then WINASOBS: windows slide to their
  /// best places until none gains.
  void begin(std::span<const VariableId> order, RandomStream& random);
  /// Slides windows at random, so many per variable, at the temperature that belongs to the step.
  void anneal(std::uint64_t step, RandomStream& random, const SearchContext& context);

  double best_score() const;
  const std::vector<EntryId>& best_chosen() const { return best_chosen_; }

 private:
  bool slide_all(std::uint32_t size, RandomStream& random);
  void descend(RandomStream& random);
  void remember();

  const Run& run_;
  const std::uint32_t max_window_;
  const double initial_temperature_;
  OrderedNetwork network_;
  WindowSlide windows_;
  double best_score_ = 0;
  std::vector<EntryId> best_chosen_;
};

}  // namespace treebound
