// From a variable to the candidate sets that it stands in: the inverse of the lists of entries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/problem.hpp"

namespace treebound {

/// For each variable u the entries that contain it, by child, best first; so their numbers ascend.
class ParentIndex {
 public:
  struct Occurrence {
    VariableId child;
    EntryId entry;
  };
  explicit ParentIndex(const SearchProblem& problem);
  std::span<const Occurrence> of(VariableId u) const {
    return {occurrences_.data() + offsets_[u], offsets_[u + 1] - offsets_[u]};
  }

 private:
  std::vector<std::uint32_t> offsets_;
  std::vector<Occurrence> occurrences_;
};

}  // namespace treebound
