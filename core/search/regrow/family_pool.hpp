// The families that a search may choose from: for each variable parent sets with their scores, best first.
//
// It starts as the parent-set cache under the bound and may grow while the search goes on, where data are at
// hand to score further sets. Entries keep their numbers when others come in between.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "search/problem.hpp"

namespace treebound {

class FamilyPool {
 public:
  explicit FamilyPool(const SearchProblem& problem);

  std::uint32_t num_variables() const { return static_cast<std::uint32_t>(lists_.size()); }
  std::size_t num_entries() const { return scores_.size(); }
  /// Entries of a variable, best first; the last one is the empty set.
  std::span<const EntryId> entries(VariableId v) const { return lists_[v]; }
  EntryId empty_entry(VariableId v) const { return lists_[v].back(); }
  double score(EntryId entry) const { return scores_[entry]; }
  std::span<const VariableId> parents(EntryId entry) const { return family(entry).subspan(1); }
  /// The variable first, then its parents.
  std::span<const VariableId> family(EntryId entry) const {
    return {members_.data() + offsets_[entry], offsets_[entry + 1] - offsets_[entry]};
  }

  /// The number of a set of parents, in any order; kNone if it is not there.
  static constexpr EntryId kNone = 0xFFFFFFFFu;
  EntryId find(VariableId v, std::span<const VariableId> parents) const;

  /// Adds a set that is not there yet, better than the empty one; returns its number.
  EntryId add(VariableId v, std::span<const VariableId> parents, double score);

 private:
  EntryId append(VariableId v, std::span<const VariableId> parents, double score);

  std::vector<std::vector<EntryId>> lists_;
  std::vector<double> scores_;
  std::vector<std::uint32_t> offsets_{0};
  std::vector<VariableId> members_;
};

}  // namespace treebound
