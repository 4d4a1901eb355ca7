// Junction trees: the bags of an elimination order (structure/tree_decomposition.hpp) as cliques, and which
// tables belong to which (Lauritzen and Spiegelhalter 1988; Koller and Friedman 2009, chapter 10).
//
// Cliques that hang on one clique by the same separator are hung on each other as a binary heap instead. The
// tree stays a junction tree, no clique gathers more than a few messages at once however many children a
// variable has, and with few factors in every product nothing underflows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/network_view.hpp"
#include "structure/tree_decomposition.hpp"

namespace treebound {

using CliqueId = BagId;

struct CliqueTree {
  static constexpr CliqueId none = kNoBag;

  std::vector<VariableId> order;
  std::vector<std::vector<VariableId>> members;     // per clique, in the order
  std::vector<std::vector<VariableId>> separators;  // to the parent, in the order; empty at a root
  std::vector<CliqueId> parents;                    // none at a root
  std::vector<std::vector<CliqueId>> children;
  std::vector<CliqueId> roots;
  std::vector<CliqueId> homes;                  // per variable: a clique that holds its whole family
  std::vector<std::vector<VariableId>> guests;  // per clique: the variables at home in it

  std::size_t num_cliques() const { return members.size(); }

  /// Whether this is a forest in which the cliques of each variable are connected: slow, for asserts.
  bool is_valid() const;
};

/// The variables of each table; variables with hard findings can be dropped, and a table may then have none.
struct Scopes {
  std::vector<std::int64_t> offsets{0};
  std::vector<VariableId> members;

  void end_scope() { offsets.push_back(static_cast<std::int64_t>(members.size())); }
  std::span<const VariableId> of(VariableId v) const { return row_of<VariableId>(members, offsets, v); }
};
Scopes scopes_of(const NetworkView& network);

CliqueTree build_clique_tree(const Scopes& scopes, std::span<const VariableId> order);
/// The tree with fewest joint states among those of three greedy orders: least fill, least fill weighted by
/// numbers of states, smallest table. None of them is best for all networks.
CliqueTree build_smallest_clique_tree(const Scopes& scopes, std::span<const std::uint32_t> cardinalities);

/// Numbers of joint states, as doubles because they may be astronomical.
struct TreeSize {
  std::size_t width = 0;
  double all_cliques = 0;
  double all_separators = 0;
};
TreeSize size_of(const CliqueTree& tree, std::span<const std::uint32_t> cardinalities);

}  // namespace treebound
