// The entries of a problem whose families lie in a clique of a k-tree.
//
// All members of such a family are neighbours in the k-tree, and few variables are neighbours. So the entries
// of a variable are grouped by their first parent, and only the groups of its neighbours are looked at.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "search/ktree/growing_ktree.hpp"
#include "search/problem.hpp"

namespace treebound {

/// The entries of each variable by their first parent, those of a group best first; the one without parents
/// is in none.
class EntryGroups {
 public:
  struct Group {
    VariableId first_parent;
    std::uint32_t begin, end;
  };
  explicit EntryGroups(const SearchProblem& problem);

  const SearchProblem& problem() const { return problem_; }
  std::span<const Group> of(VariableId v) const {
    return {groups_.data() + offsets_[v], offsets_[v + 1] - offsets_[v]};
  }
  std::span<const EntryId> entries(const Group& group) const {
    return {entries_.data() + group.begin, group.end - group.begin};
  }

 private:
  const SearchProblem& problem_;
  std::vector<std::size_t> offsets_{0};
  std::vector<Group> groups_;
  std::vector<EntryId> entries_;
};

class CoveredEntries {
 public:
  /// The groups are shared by all threads.
  explicit CoveredEntries(const EntryGroups& groups);

  const SearchProblem& problem() const { return problem_; }
  /// Reads a complete k-tree from now on; it must not change meanwhile.
  void look_at(const GrowingKTree& tree);

  /// The best entry of v in a clique.
  EntryId best(VariableId v);
  /// All entries of v in a clique, best first, the one without parents last; valid until the next call.
  std::span<const EntryId> all(VariableId v);

 private:
  std::span<const VariableId> neighbours(VariableId v) const {
    return {neighbours_.data() + offsets_[v], offsets_[v + 1] - offsets_[v]};
  }
  void mark_neighbours(VariableId v, bool is_near) {
    for (const VariableId u : neighbours(v)) is_near_[u] = is_near;
  }
  /// Of an entry whose first parent is a neighbour.
  bool is_covered(EntryId entry) const {
    const VariableId second = problem_.heads()[entry].second;
    return is_near_[second] && (second == problem_.num_variables() || tree_->holds(problem_.family(entry)));
  }

  const EntryGroups& groups_;
  const SearchProblem& problem_;
  const GrowingKTree* tree_ = nullptr;
  std::vector<std::uint32_t> offsets_;
  std::vector<VariableId> neighbours_;
  std::vector<std::uint8_t> is_near_;  // to the variable requested; the pseudo-variable of empty sets always
  std::vector<EntryId> found_;
};

}  // namespace treebound
