#include "search/order/child_groups.hpp"

namespace treebound {

ChildGroups::ChildGroups(const SearchProblem& problem) : index_(problem) {
  for (VariableId u = 0; u < problem.num_variables(); ++u) {
    const auto occurrences = index_.of(u);
    for (std::uint32_t i = 0; i < occurrences.size(); ++i) {
      const auto [child, entry] = occurrences[i];
      if (i == 0 || occurrences[i - 1].child != child) groups_.push_back({child, entry, i, i});
      groups_.back().end = i + 1;
    }
    offsets_.push_back(static_cast<std::uint32_t>(groups_.size()));
  }
}

}  // namespace treebound
