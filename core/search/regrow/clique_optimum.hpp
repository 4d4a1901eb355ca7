// The best arcs inside one clique, all else as it is: re-optimisation of the network within its
// decomposition.
//
// Members of a clique whose families lie inside it may exchange their parents freely without any change of
// width; what binds them is the order among the members that paths outside the clique dictate. Dynamic
// programming over the subsets of the clique finds the best choice exactly: a member placed next takes its
// best set among those placed before it. An orientation of a chordal graph is acyclic if and only if it is so
// on every clique, so this is the exact step of which a sweep over the whole tree would be made.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/regrow/bounded_network.hpp"

namespace treebound {

class CliqueOptimum {
 public:
  static constexpr std::size_t kMaxMembers = 10;

  explicit CliqueOptimum(std::uint32_t num_variables) : places_(num_variables, kOutside) {}

  /// Gives the members of the clique of u the best parents that they can have inside it; the network decides
  /// whether to keep them. False if the clique is too large or has nothing to choose.
  bool improve(BoundedNetwork& network, VariableId u);

 private:
  static constexpr std::uint8_t kOutside = 0xFF;
  using Mask = std::uint32_t;
  struct Choice {
    Mask parents;
    EntryId entry;
  };

  bool is_inside(std::span<const VariableId> variables) const;
  Mask to_mask(std::span<const VariableId> variables) const;
  void collect_choices(const BoundedNetwork& network);
  void collect_order(BoundedNetwork& network);
  void solve(const FamilyPool& pool);

  std::vector<std::uint8_t> places_;  // in the clique
  std::vector<VariableId> members_;
  std::vector<std::uint8_t> is_free_;
  std::vector<std::vector<Choice>> choices_;  // inside the clique, best first
  std::vector<Mask> before_;                  // members that must be placed before
  std::vector<double> best_;
  std::vector<std::uint8_t> last_;
  std::vector<EntryId> chosen_;
};

}  // namespace treebound
