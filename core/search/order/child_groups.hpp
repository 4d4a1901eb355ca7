// From a variable to the children that it could have: for each, the candidate sets that contain it.
//
// When a variable moves to an earlier place of the order, only these children can gain, and only by these
// sets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/ktree/parent_index.hpp"
#include "search/problem.hpp"

namespace treebound {

class ChildGroups {
 public:
  /// The entries of one child that contain the variable: index().of(u)[begin..end), best first.
  struct Group {
    VariableId child;
    EntryId best;
    std::uint32_t begin, end;
  };

  explicit ChildGroups(const SearchProblem& problem);

  std::span<const Group> of(VariableId u) const {
    return {groups_.data() + offsets_[u], offsets_[u + 1] - offsets_[u]};
  }
  std::span<const ParentIndex::Occurrence> entries(VariableId u, const Group& group) const {
    return index_.of(u).subspan(group.begin, group.end - group.begin);
  }

 private:
  ParentIndex index_;
  std::vector<std::uint32_t> offsets_{0};
  std::vector<Group> groups_;
};

}  // namespace treebound
