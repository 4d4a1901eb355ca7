// The families that a search may choose from: for each variable parent sets with their scores, best first.
//
// It starts as the entries of the problem and may grow while the search goes on, where data are available to
// score further sets. Families keep their numbers when others come in between. Those of the problem are read
// there, by any number of pools; a pool holds no more than what was added to it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "base/block_vector.hpp"
#include "base/ids.hpp"
#include "search/problem.hpp"

namespace treebound {

/// Number of a family in a pool. A type of its own: an EntryId of the problem is not a FamilyId, even though
/// the two agree for the families that a pool starts with; see FamilyPool::of_entry.
enum class FamilyId : std::uint32_t {};

inline constexpr FamilyId kNoFamily{0xFFFFFFFFu};

class FamilyPool {
 public:
  /// The problem must outlive the pool.
  explicit FamilyPool(const SearchProblem& problem);

  const SearchProblem& problem() const { return *problem_; }
  std::uint32_t num_variables() const { return static_cast<std::uint32_t>(lists_.size()); }
  std::size_t num_families() const { return of_problem_.size() + added_.size(); }
  std::size_t num_added() const { return added_.size(); }
  /// Families of a variable, best first; the last one has no parents. Valid until one is added to them.
  std::span<const FamilyId> families(VariableId v) const {
    if (has_grown(v)) return lists_[v].families;
    return std::span(of_problem_).subspan(problem_->best_entry(v), num_entries(v));
  }
  /// Calls visit(family) for those families of v, best first and from the one at `first` on, that have no
  /// parent with a mark, until it returns true. `is_marked` has a zero behind the last variable.
  template <typename Visit>
  void for_each_unmarked(VariableId v, const std::uint8_t* is_marked, std::size_t first, Visit visit) const {
    if (has_grown(v))
      scan(lists_[v].families, lists_[v].heads.data(), is_marked, first, visit);
    else
      scan(families(v), problem_->heads() + problem_->best_entry(v), is_marked, first, visit);
  }
  /// Without parents: the empty set, or a hole (../problem.hpp).
  FamilyId last_family(VariableId v) const { return of_entry(problem_->last_entry(v)); }
  /// The least allowed set.
  FamilyId least_family(VariableId v) const { return of_entry(problem_->least_entry(v)); }
  /// The family of an entry of the problem that the pool was made of.
  FamilyId of_entry(EntryId entry) const {
    assert(entry < of_problem_.size());
    return FamilyId{entry};
  }

  double score(FamilyId family) const {
    return is_of_problem(family) ? problem_->score(entry_of(family)) : added(family).score;
  }
  std::span<const VariableId> parents(FamilyId family) const { return members(family).subspan(1); }
  /// The variable first, then its parents.
  std::span<const VariableId> members(FamilyId family) const {
    if (is_of_problem(family)) return problem_->family(entry_of(family));
    return {&members_[added(family).first_member], added(family).num_members};
  }

  /// The family of v with these parents, in any order, whose score is known up to rounding; kNoFamily if it
  /// is not there.
  FamilyId find(VariableId v, std::span<const VariableId> parents, double score) const;

  /// Adds a family that is allowed, not there yet, and better than the least allowed set.
  FamilyId add(VariableId v, std::span<const VariableId> parents, double score);

  /// The family of v with these parents, which are allowed, or none; added if it is not there; the least
  /// allowed set if it is no better than that.
  FamilyId find_or_add(VariableId v, std::span<const VariableId> parents, double score);

  /// Whether all lists are complete, best first, and end without parents: slow, for asserts.
  bool is_valid() const;

 private:
  struct Added {
    double score;
    std::uint32_t first_member;
    std::uint32_t num_members;
  };

  /// The first parents of a family; the pseudo-variable num_variables() where there is none. A walk down a
  /// list reads them one after the other: most families are ruled out by them, and a look at the members
  /// costs several jumps through memory.
  using Head = std::array<VariableId, 4>;

  struct List {
    std::vector<FamilyId> families;
    std::vector<Head> heads;
  };

  bool has_grown(VariableId v) const { return !lists_[v].families.empty(); }
  std::size_t num_entries(VariableId v) const {
    return problem_->last_entry(v) + 1 - problem_->best_entry(v);
  }
  Head head_of(FamilyId family) const;

  static constexpr std::size_t num_parents_in(const Head&) { return 4; }
  static constexpr std::size_t num_parents_in(const SearchProblem::Head&) { return 2; }
  static std::uint8_t marks(const Head& head, const std::uint8_t* is_marked) {
    return is_marked[head[0]] | is_marked[head[1]] | is_marked[head[2]] | is_marked[head[3]];
  }
  static std::uint8_t marks(const SearchProblem::Head& head, const std::uint8_t* is_marked) {
    return is_marked[head.first & ~SearchProblem::kMany] | is_marked[head.second];
  }
  template <typename AnyHead, typename Visit>
  void scan(std::span<const FamilyId> families, const AnyHead* heads, const std::uint8_t* is_marked,
            std::size_t first, Visit& visit) const;
  static EntryId entry_of(FamilyId family) { return static_cast<EntryId>(family); }
  bool is_of_problem(FamilyId family) const { return entry_of(family) < of_problem_.size(); }
  const Added& added(FamilyId family) const {
    assert(entry_of(family) < num_families());
    return added_[entry_of(family) - of_problem_.size()];
  }

  const SearchProblem* problem_;
  std::vector<FamilyId> of_problem_;  // 0, 1, 2, ...
  std::vector<List> lists_;           // of the variables that families were added to
  BlockVector<Added> added_;
  BlockVector<VariableId> members_;  // of the families added
  std::vector<VariableId> members_of_new_;
};

/// Heads are read in blocks without a branch: which of them have a mark is hard to predict.
template <typename AnyHead, typename Visit>
void FamilyPool::scan(std::span<const FamilyId> families, const AnyHead* heads, const std::uint8_t* is_marked,
                      std::size_t first, Visit& visit) const {
  constexpr std::size_t kBlock = 8;
  const auto is_open = [&](FamilyId family) {
    const auto members = this->members(family);
    for (std::size_t i = 1 + num_parents_in(AnyHead{}); i < members.size(); ++i)
      if (is_marked[members[i]] != 0) return false;
    return true;
  };
  for (std::size_t begin = first; begin < families.size(); begin += kBlock) {
    const std::size_t size = std::min(kBlock, families.size() - begin);
    std::uint32_t open = 0;
    for (std::size_t i = 0; i < size; ++i)
      open |= static_cast<std::uint32_t>(marks(heads[begin + i], is_marked) == 0) << i;
    for (; open != 0; open &= open - 1) {
      const FamilyId family = families[begin + static_cast<std::size_t>(std::countr_zero(open))];
      if (is_open(family) && visit(family)) return;
    }
  }
}

}  // namespace treebound
