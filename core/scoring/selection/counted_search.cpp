#include "scoring/selection/counted_search.hpp"

namespace treebound {

CountedSearch::CountedSearch(std::shared_ptr<const Dataset> data, const LocalScore& score,
                             std::shared_ptr<PairTerms> pairs, RuleSet rules, std::size_t max_parents,
                             std::uint64_t max_sets, std::span<const VariableId> children)
    : data_(std::move(data)), score_(score.clone()), pairs_(std::move(pairs)) {
  for (const VariableId v : children) {
    children_.push_back(
        std::make_unique<Child>(*data_, *score_, *pairs_, rules, v, run_, max_parents, max_sets));
    children_.back()->search.begin();
  }
}

CountedSearch::Families CountedSearch::wanted() {
  Families families;
  for (const auto& child : children_) {
    const auto sets = child->search.candidates();
    child->num_wanted = 0;
    if (sets.empty()) continue;
    families.num_parents = child->search.next_size();
    child->num_wanted = sets.size() / families.num_parents;
    families.children.insert(families.children.end(), child->num_wanted, child->pruning.child());
    families.parents.insert(families.parents.end(), sets.begin(), sets.end());
  }
  return families;
}

void CountedSearch::settle(std::span<const FamilyTerms> terms) {
  std::size_t first = 0;
  for (const auto& child : children_) {
    child->search.settle_level(terms.subspan(first, child->num_wanted));
    first += child->num_wanted;
  }
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
