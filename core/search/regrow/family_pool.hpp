// The families that a search may choose from: for each variable parent sets with their scores, best first.
//
// It starts as the entries of the problem and may grow while the search goes on, where data are at hand to
// score further sets. Families keep their numbers when others come in between.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "search/problem.hpp"

namespace treebound {

/// Number of a family in a pool. A type of its own: an EntryId of the problem is no number of a pool, even
/// though the two agree for the families that a pool starts with; see FamilyPool::of_entry.
enum class FamilyId : std::uint32_t {};

inline constexpr FamilyId kNoFamily{0xFFFFFFFFu};

class FamilyPool {
 public:
  explicit FamilyPool(const SearchProblem& problem);

  std::uint32_t num_variables() const { return static_cast<std::uint32_t>(lists_.size()); }
  std::size_t num_families() const { return scores_.size(); }
  /// Families of a variable, best first; the last one has no parents.
  std::span<const FamilyId> families(VariableId v) const { return lists_[v]; }
  FamilyId empty_family(VariableId v) const { return lists_[v].back(); }
  /// The family of an entry of the problem that the pool was made of.
  FamilyId of_entry(EntryId entry) const;

  double score(FamilyId family) const { return scores_[index(family)]; }
  std::span<const VariableId> parents(FamilyId family) const { return members(family).subspan(1); }
  /// The variable first, then its parents.
  std::span<const VariableId> members(FamilyId family) const {
    const std::size_t i = index(family);
    return {members_.data() + offsets_[i], offsets_[i + 1] - offsets_[i]};
  }

  /// The family of v with these parents, in any order; kNoFamily if it is not there.
  FamilyId find(VariableId v, std::span<const VariableId> parents) const;

  /// Adds a family that is not there yet, better than the one without parents.
  FamilyId add(VariableId v, std::span<const VariableId> parents, double score);

  /// Whether all lists are complete, best first, and end with the empty set: slow, for asserts.
  bool is_valid() const;

 private:
  std::size_t index(FamilyId family) const;
  FamilyId append(VariableId v, std::span<const VariableId> parents, double score);

  std::vector<std::vector<FamilyId>> lists_;
  std::vector<double> scores_;
  std::vector<std::uint32_t> offsets_{0};
  std::vector<VariableId> members_;
  std::size_t num_entries_;  // of the problem
};

inline std::size_t FamilyPool::index(FamilyId family) const {
  const auto i = static_cast<std::size_t>(family);
  assert(i < scores_.size());
  return i;
}

}  // namespace treebound
