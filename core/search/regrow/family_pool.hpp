// The families that a search may choose from: for each variable parent sets with their scores, best first.
//
// It starts as the parent-set cache under the bound and may grow while the search goes on, where data are at
// hand to score further sets. Entries keep their numbers when others come in between. Those of the cache are
// the problem's own and are read there, by any number of pools; a pool holds no more than what was added to
// it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/block_vector.hpp"
#include "base/ids.hpp"
#include "search/problem.hpp"

namespace treebound {

class FamilyPool {
 public:
  /// The problem must outlive the pool.
  explicit FamilyPool(const SearchProblem& problem);

  std::uint32_t num_variables() const { return problem_->num_variables(); }
  std::size_t num_added() const { return added_.size(); }
  /// Entries of a variable, best first; the last one is the empty set. Valid until one is added to it.
  std::span<const EntryId> entries(VariableId v) const {
    if (!lists_[v].empty()) return lists_[v];
    const EntryId first = problem_->best_entry(v);
    return std::span(problem_entries_).subspan(first, problem_->empty_entry(v) + 1 - first);
  }
  EntryId empty_entry(VariableId v) const { return problem_->empty_entry(v); }
  double score(EntryId entry) const {
    return entry < num_in_problem_ ? problem_->score(entry) : added_[entry - num_in_problem_].score;
  }
  std::span<const VariableId> parents(EntryId entry) const { return family(entry).subspan(1); }
  /// The variable first, then its parents.
  std::span<const VariableId> family(EntryId entry) const {
    if (entry < num_in_problem_) return problem_->family(entry);
    const Added& added = added_[entry - num_in_problem_];
    return {&members_[added.first_member], added.num_members};
  }

  /// The number of a set of parents, in any order; kNone if it is not there.
  static constexpr EntryId kNone = 0xFFFFFFFFu;
  EntryId find(VariableId v, std::span<const VariableId> parents) const;

  /// Adds a set that is not there yet, better than the empty one; returns its number.
  EntryId add(VariableId v, std::span<const VariableId> parents, double score);

 private:
  struct Added {
    double score;
    std::uint32_t first_member;
    std::uint32_t num_members;
  };

  const SearchProblem* problem_;
  EntryId num_in_problem_;
  std::vector<EntryId> problem_entries_;     // 0, 1, 2, ...
  std::vector<std::vector<EntryId>> lists_;  // of the variables that sets were added to
  BlockVector<Added> added_;
  BlockVector<VariableId> members_;  // of the families added
  std::vector<VariableId> family_;
};

}  // namespace treebound
