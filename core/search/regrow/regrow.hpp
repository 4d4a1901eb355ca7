// Regrow, the default solver: large-neighbourhood search over networks of bounded treewidth.
//
// Several islands, each a network of its own (island.hpp), are improved side by side; every few rounds each
// is given the families of the next one and may take over what is better there. A step is a batch of moves of
// one island. The number of islands does not depend on the number of threads, and neither does the outcome.
#pragma once

#include <memory>
#include <vector>

#include "data/dataset.hpp"
#include "scoring/local_score.hpp"
#include "search/anytime.hpp"
#include "search/regrow/move_options.hpp"

namespace treebound {

/// Data to score further families with; both null where the cache is all there is.
struct FamilySource {
  const Dataset* data = nullptr;
  const LocalScore* score = nullptr;
};

/// A network to begin from; its families need not be in the cache. Empty for none.
struct RegrowStart {
  std::vector<std::int64_t> parent_offsets;
  std::vector<VariableId> parents;
  std::vector<double> local_scores;
  std::vector<VariableId> elimination_order;
};

struct RegrowOptions {
  std::uint32_t num_islands;
  double max_states;  // of the largest clique; infinity for no bound
  std::vector<std::uint32_t> cardinalities;
  FamilySource source;
  RegrowStart start;
  MoveOptions moves = {};
};

inline constexpr std::uint32_t kMovesPerStep = 256;

SearchOutcome search_regrow(const SearchProblem& problem, const RegrowOptions& options,
                            const SearchLimits& limits, const SearchPoll& poll);

}  // namespace treebound
