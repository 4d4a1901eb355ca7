// The result of every solver, and a start that a search may continue from.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/ids.hpp"

namespace treebound {

/// One family per variable: the parents of v are parents[parent_offsets[v]..parent_offsets[v + 1]], and
/// local_scores[v] is their score. They need not be in the cache.
struct Families {
  std::vector<std::int64_t> parent_offsets{0};
  std::vector<VariableId> parents;
  std::vector<double> local_scores;

  std::span<const VariableId> parents_of(VariableId v) const {
    return {parents.begin() + parent_offsets[v], parents.begin() + parent_offsets[v + 1]};
  }
  /// Appends the family of the next variable.
  void add(std::span<const VariableId> its_parents, double local_score) {
    parents.insert(parents.end(), its_parents.begin(), its_parents.end());
    parent_offsets.push_back(static_cast<std::int64_t>(parents.size()));
    local_scores.push_back(local_score);
  }
};

/// Of a structure grown in a k-tree: the variables as inserted, and in row v of `separators` the k-clique
/// that v joined (of a member of the root clique: the rest of it).
struct KTreeFacts {
  std::vector<VariableId> insertion_order;
  std::vector<VariableId> separators;
};

/// Statistics of a search, by names that its solver chooses.
using Statistics = std::vector<std::pair<std::string, std::variant<bool, std::uint64_t, double>>>;

/// A structure with the elimination order that proves its treewidth.
struct Found {
  Families families;
  std::vector<VariableId> elimination_order;
  double score = -std::numeric_limits<double>::infinity();
  std::uint64_t step = 0;
  std::optional<KTreeFacts> ktree;
  Statistics statistics;  // of this structure
};

/// A structure to continue from: only a better score counts, and step i draws from stream (seed, first_step +
/// i). Without one the elimination order is empty.
struct SearchStart {
  Families families;
  std::vector<VariableId> elimination_order;
  std::vector<VariableId> insertion_order;  // may be empty
  double score = -std::numeric_limits<double>::infinity();
  std::uint64_t first_step = 0;

  bool is_given() const { return !elimination_order.empty(); }
};

}  // namespace treebound
