#include "scoring/selection/counted_search.hpp"

#include <algorithm>
#include <cassert>

namespace treebound {

CountedSearch::CountedSearch(std::shared_ptr<const Dataset> data, const LocalScore& score,
                             std::shared_ptr<PairTerms> pairs, RuleSet rules, FamilyRules families,
                             std::size_t max_parents, std::uint64_t max_sets,
                             std::span<const VariableId> children)
    : data_(std::move(data)),
      score_(score.clone()),
      pairs_(std::move(pairs)),
      families_(std::move(families)) {
  assert(score.num_rows() == data_->num_rows());
  assert(std::ranges::all_of(children, [&](VariableId v) { return v < data_->num_variables(); }));
  for (const VariableId v : children) {
    children_.push_back(
        std::make_unique<Child>(*data_, *score_, *pairs_, rules, families_, v, run_, max_parents, max_sets));
    children_.back()->search.begin();
  }
}

CountedSearch::Families CountedSearch::wanted() {
  Families families;
  std::vector<std::vector<VariableId>> candidates;
  for (const auto& child : children_) {
    candidates.push_back(child->search.candidates());
    const std::size_t size = child->search.next_size();
    if (!candidates.back().empty() && (families.num_parents == 0 || size < families.num_parents))
      families.num_parents = size;
  }
  for (std::size_t i = 0; i < children_.size(); ++i) {
    const auto& child = children_[i];
    const auto& sets = candidates[i];
    child->num_wanted = 0;
    if (sets.empty() || child->search.next_size() != families.num_parents) continue;
    child->num_wanted = sets.size() / families.num_parents;
    families.children.insert(families.children.end(), child->num_wanted, child->pruning.child());
    families.parents.insert(families.parents.end(), sets.begin(), sets.end());
  }
  return families;
}

void CountedSearch::settle(std::span<const FamilyTerms> terms) {
  std::size_t first = 0;
  for (const auto& child : children_) {
    if (child->num_wanted == 0) continue;
    child->search.settle_level(terms.subspan(first, child->num_wanted));
    first += child->num_wanted;
  }
  assert(first == terms.size());
}

ScoringResult CountedSearch::result() const {
  ScoringResult result;
  for (const auto& child : children_) {
    child->search.kept().append_to(result.cache);
    result.is_finished.push_back(child->search.is_finished());
    result.report += child->search.report();
  }
  return result;
}

}  // namespace treebound
