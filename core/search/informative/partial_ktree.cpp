#include "search/informative/partial_ktree.hpp"

#include "base/random.hpp"

namespace treebound {

PartialKTree::PartialKTree(const SearchProblem& problem, const PairInformation& information)
    : problem_(problem),
      information_(information),
      largest_(information.sums_of_largest(problem.width())),
      tree_(problem.num_variables(), problem.width()),
      entries_(problem.num_variables()) {}

void PartialKTree::start(std::span<const VariableId> root) {
  tree_.start(root);
  hash_ = 0;
  information_sum_ = 0;
  for (VariableId v = 0; v < entries_.size(); ++v)
    if (!tree_.is_inserted(v)) information_sum_ += largest_[v];
  for (std::size_t i = 1; i < root.size(); ++i) information_sum_ += information_.of(root[i], root.first(i));
  pseudo_bound_ = 0;
  for (VariableId v = 0; v < entries_.size(); ++v) {
    entries_[v] = problem_.best_entry(v);
    while (!is_possible(entries_[v])) ++entries_[v];
    pseudo_bound_ += problem_.score(entries_[v]);
  }
}

bool PartialKTree::is_possible(EntryId entry) const {
  const auto family = problem_.family(entry);
  return !std::ranges::all_of(family, [&](VariableId u) { return tree_.is_inserted(u); }) ||
         tree_.holds(family);
}

double PartialKTree::loss(const Join& join) const {
  const auto separator = tree_.separator(join.clique);
  const VariableId left_out = join.left_out < separator.size() ? separator[join.left_out] : join.clique;
  return largest_[join.v] - (information_.of(join.v, separator) + information_.of(join.v, join.clique) -
                             information_.of(join.v, left_out));
}

void PartialKTree::join(const Join& join) {
  information_sum_ -= loss(join);
  tree_.insert_beside(join.v, join.clique, join.left_out);
  // Equal sets give equal sums for every order of insertion.
  std::uint64_t members = 0;
  for (const VariableId u : tree_.separator(join.v)) members += RandomStream(1, u).next();
  hash_ += RandomStream(members, join.v).next();
  lower_entries(join.v);
}

/// Only entries that name the variable can have become impossible.
void PartialKTree::lower_entries(VariableId inserted) {
  for (VariableId v = 0; v < entries_.size(); ++v) {
    if (std::ranges::find(problem_.family(entries_[v]), inserted) == problem_.family(entries_[v]).end())
      continue;
    if (is_possible(entries_[v])) continue;
    pseudo_bound_ -= problem_.score(entries_[v]);
    while (!is_possible(entries_[v])) ++entries_[v];
    pseudo_bound_ += problem_.score(entries_[v]);
  }
}

}  // namespace treebound
