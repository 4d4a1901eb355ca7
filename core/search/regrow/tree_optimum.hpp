// The best network inside a tree decomposition that contains the present one.
//
// Bags of the elimination tree are only as large as the families in use need. Here they are filled up at
// random, each with members of the bag above it, until the bound is reached, and dynamic programming over the
// tree (../within_ktree/exact_choice.hpp) finds the best of all networks whose families lie in these bags.
// The present one is among them, so nothing is lost. Small bounds make this cheap: about (k+1)! 3^k
// operations for each variable. Where the rows are available and bags are small, all families inside them are
// scored (../../scoring/families/bag_scores.hpp), else those of the pool are chosen from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "base/run.hpp"
#include "search/regrow/best_inside.hpp"
#include "search/regrow/bounded_network.hpp"
#include "search/regrow/family_proposals.hpp"
#include "search/within_ktree/exact_choice.hpp"

namespace treebound {

class TreeOptimum {
 public:
  explicit TreeOptimum(const SearchProblem& problem);

  /// Replaces the network, in which nothing may be undone any more, by the best one inside a decomposition
  /// that contains it, if that is better; true if it was. Nothing is done if this takes more operations than
  /// `max_work`; then work() returns how many. `proposals` may be null.
  bool improve(BoundedNetwork& network, FamilyProposals* proposals, double max_work, RandomStream& random);

  /// Operations of the last call, roughly.
  double work() const { return work_; }
  /// Variables that have got other parents by the last call that returned true.
  std::span<const VariableId> changed() const { return changed_; }

 private:
  std::span<const VariableId> separator(VariableId v) const {
    return {separators_.data() + std::size_t{v} * capacity_, sizes_[v]};
  }
  void add_to_separator(VariableId v, VariableId u) {
    separators_[std::size_t{v} * capacity_ + sizes_[v]++] = u;
  }
  bool is_in_separator(VariableId v, VariableId u) const;
  void fill_bags(const BoundedNetwork& network, RandomStream& random);
  void fill_bag(VariableId v, VariableId above, RandomStream& random);
  void find_neighbours();
  bool is_inside(std::span<const VariableId> family) const;
  void collect_choices(const FamilyPool& pool);
  void collect_choices_of(VariableId v, const FamilyPool& pool);
  std::span<const VariableId> write_bag(VariableId v);
  std::span<const VariableId> bag(VariableId v) const {
    return {bags_.data() + std::size_t{v} * (capacity_ + 1), sizes_[v] + 1};
  }
  bool score_bag(VariableId v, FamilyProposals& proposals);
  bool score_choices(FamilyProposals& proposals);

  const SearchProblem* problem_;
  const std::size_t capacity_;
  std::vector<VariableId> insertion_order_;
  std::vector<std::uint32_t> positions_;  // in it
  std::vector<VariableId> separators_;    // of the bags that were filled up
  std::vector<std::size_t> sizes_;
  std::vector<std::uint32_t> neighbour_offsets_;
  std::vector<VariableId> neighbours_;
  std::vector<std::uint8_t> is_far_;  // from the variable whose sets are collected; a zero behind the last
  std::vector<VariableId> candidates_;
  std::vector<VariableId> bags_;  // that were filled up, members ascending, where all sets inside are scored
  std::vector<VariableId> parents_;
  BestInside best_inside_;
  struct Scored {
    double score;
    VariableId owner;  // of the bag
    VariableId child;
    BestInside::Mask parents;
  };
  std::vector<Scored> scored_;
  ParentChoices choices_;
  ExactChoice exact_;
  const Run endless_;
  std::vector<std::uint32_t> numbers_;
  std::vector<FamilyId> chosen_;
  std::vector<VariableId> changed_;
  double work_ = 0;
};

}  // namespace treebound
