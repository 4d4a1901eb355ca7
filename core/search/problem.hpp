// The problem of a search: the parent sets that it may choose, how large bags may be, the rows to score
// further sets from, and which families are allowed. Every solver reads all of it here and nowhere else.
//
// A set of more than k parents never fits, and one that the rules do not allow is never chosen; a set worse
// than the *least allowed* one is never the best that fits, since every set that fits holds the least allowed
// set. All of these are dropped, so each list ends with the least allowed set: the empty one, which always
// fits, unless the rules require parents. A least set that has parents may not fit where a solver happens to
// be. So one more entry stands behind it, a *hole*: no parents, and a score so low that a structure with a
// hole is worse than any without. It always fits, and solvers treat it as any other entry: an order or a
// k-tree that leaves a hole is one that scores badly. The structure of all least sets is kept as the first
// incumbent, so a structure with a hole is never the best.
//
// What remains are *entries*, numbered 0..num_entries-1, those of a variable next to each other and best
// first, in arrays ordered by how often the inner loop touches them. The scan for the first entry that fits
// reads only `heads`, two words per entry: most entries fail on their first two parents.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "data/dataset.hpp"
#include "scoring/cache/parent_set_cache.hpp"
#include "scoring/families/family_rules.hpp"
#include "scoring/local_score.hpp"
#include "search/bag_bound.hpp"

namespace treebound {

using EntryId = std::uint32_t;

/// Data to score further families with; both null if there is only a cache.
struct FamilySource {
  const Dataset* data = nullptr;
  const LocalScore* score = nullptr;

  bool is_given() const { return data != nullptr; }
};

/// Of the least allowed sets, where the rules require parents: their scores, and an elimination order of the
/// structure of all of them that keeps the bound. Otherwise empty.
struct LeastSets {
  std::vector<double> scores;
  std::vector<VariableId> elimination_order;
};

class SearchProblem {
 public:
  /// The first two parents of an entry. Where there is none stands the pseudo-variable num_variables(), which
  /// counts as always inserted; with kMany at the first there are more than two.
  struct Head {
    VariableId first;
    VariableId second;
  };
  static constexpr std::uint32_t kMany = 0x80000000u;
  /// Heads may be read in blocks of so many: behind the last entry are as many that are no entries.
  static constexpr std::uint32_t kBlock = 4;

  /// Every variable must have an empty set. A treewidth above n-1 is no bound and is lowered to n-1.
  /// `cardinalities` may be empty if cells are not bounded. The source must outlive the problem.
  SearchProblem(const CacheView& cache, BagBound bound, std::vector<std::uint32_t> cardinalities,
                FamilySource source, FamilyRules rules, LeastSets least);

  std::uint32_t num_variables() const { return num_variables_; }
  const BagBound& bound() const { return bound_; }
  std::uint32_t width() const { return bound_.max_treewidth; }
  std::span<const std::uint32_t> cardinalities() const { return cardinalities_; }
  const FamilySource& source() const { return source_; }
  const FamilyRules& rules() const { return rules_; }
  /// Whether a family may be chosen at all: it fits into a bag, and the rules allow it.
  bool allows(VariableId child, std::span<const VariableId> parents) const {
    return parents.size() <= width() && rules_.allows(child, parents) &&
           (bound_.max_cells == HUGE_VAL || has_few_cells(child, parents));
  }

  std::uint32_t num_entries() const { return static_cast<std::uint32_t>(scores_.size()); }
  EntryId best_entry(VariableId v) const { return entry_offsets_[v]; }
  /// Without parents, so it always fits: the empty set, or a hole.
  EntryId last_entry(VariableId v) const { return entry_offsets_[v + 1] - 1; }
  /// The least allowed set.
  EntryId least_entry(VariableId v) const { return last_entry(v) - (rules_.required(v).empty() ? 0 : 1); }
  std::vector<EntryId> least_entries() const;

  const Head* heads() const { return heads_.data(); }
  /// Up to two parents are read from their head, which the caller has just scanned.
  std::span<const VariableId> parents(EntryId entry) const {
    const Head& head = heads_[entry];
    if ((head.first & kMany) != 0) return family(entry).subspan(1);
    return {&head.first,
            (head.first != num_variables_ ? 1u : 0u) + (head.second != num_variables_ ? 1u : 0u)};
  }
  /// The variable first, then its parents.
  std::span<const VariableId> family(EntryId entry) const {
    return {members_.data() + member_offsets_[entry], member_offsets_[entry + 1] - member_offsets_[entry]};
  }
  double score(EntryId entry) const { return scores_[entry]; }

  /// What no structure can exceed.
  double sum_of_best() const { return sum_of_best_; }

  /// (best - score) / (best - least): 0 for the best entry of the variable, 1 for its least allowed set.
  float relative_loss(EntryId entry) const { return losses_[entry]; }

  /// No change of a structure without holes loses as much, unless it leaves one.
  double loss_of_hole() const { return loss_of_hole_; }
  /// An elimination order of the structure of least sets; empty if no parents are required.
  std::span<const VariableId> least_order() const { return least_.elimination_order; }

  /// Sum over variables in index order, so equal structures have equal scores to the last bit.
  double total_score(std::span<const EntryId> chosen) const;
  /// Puts the required parents of each variable before it and leaves the order as it is otherwise.
  void put_required_first(std::span<VariableId> order) const;

 private:
  void add_variable(const CacheView& cache, VariableId v);
  void add_entry(VariableId v, std::span<const VariableId> parents, double score);
  void score_holes();
  void add_losses(VariableId v);
  bool has_few_cells(VariableId child, std::span<const VariableId> parents) const;

  std::uint32_t num_variables_;
  BagBound bound_;
  std::vector<std::uint32_t> cardinalities_;
  FamilySource source_;
  FamilyRules rules_;
  LeastSets least_;
  double sum_of_best_ = 0;
  double loss_of_hole_ = std::numeric_limits<double>::infinity();
  std::vector<EntryId> entry_offsets_{0};
  std::vector<Head> heads_;
  std::vector<std::uint32_t> member_offsets_{0};
  std::vector<VariableId> members_;  // of families
  std::vector<double> scores_;
  std::vector<float> losses_;
};

}  // namespace treebound
