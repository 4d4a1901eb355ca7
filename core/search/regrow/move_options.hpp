// The numbers behind the moves of Regrow. docs/development/tried.md lists which of them were measured.
#pragma once

#include <cstddef>
#include <cstdint>

namespace treebound {

struct MoveOptions {
  // Which kind of move comes next. What these shares leave is the share of the moves *around* a variable.
  double share_inside = 0.3;      // of the moves inside a bag
  double share_towards = 0.5;     // of the moves towards a target set, and of crossovers
  double share_crossover = 0.05;  // of the crossovers alone; towards a target while there is no other network

  // Which variables are released.
  std::uint32_t min_group = 2;  // variables released by a move, drawn uniformly
  std::uint32_t max_group = 10;
  std::uint32_t max_group_with_rows = 5;  // where all families inside bags are scored, small groups do
  std::uint32_t num_picks = 3;            // variables drawn; the one with the largest possible gain is taken
  std::uint32_t max_draws = 4;            // draws per place in the group of a move around a variable
  std::uint32_t max_blocking_draws = 2;   // draws per place among the families that block a target
  std::uint32_t max_crossover_draws = 8;  // draws per place of a crossover
  std::uint32_t crossover_factor = 2;     // a crossover releases this many times as many variables
  std::uint32_t max_crossover_starts = 10;  // variables tried until one differs in the other network

  // A step of the random walk of a move around a variable; what these shares leave goes to its separator.
  double walk_to_better_set = 0.5;  // to a parent in one of the sets that are better than the one in use
  double walk_to_parent = 0.2;
  double walk_to_child = 0.15;
  std::size_t walk_max_rank = 50;  // better sets that the walk draws from

  // The target set of a move towards one.
  std::size_t target_max_rank = 200;  // better sets that a target is drawn from
  std::uint32_t max_cuts = 4;         // variables released per parent to break the cycles of a target

  // How the released variables get parents again.
  double turn_noise = 4;  // a turn is the possible gain times exp(turn_noise * u), u uniform in [0, 1)
  std::uint32_t max_tests =
      30;  // families of a variable that may fail to be covered; then only what bags hold

  // Operations that each move saves up for the exact optimum inside the tree of the whole network.
  double work_per_move = 1000;
  double work_per_move_with_rows = 5000;  // all families inside the bags are more to choose from

  // Simulated annealing: the first temperature, as a part of the mean loss of the moves that lose.
  double initial_temperature = 0.1;
};

}  // namespace treebound
