#include "search/informative/informative_score.hpp"

namespace treebound {

double information_of(const PairInformation& information, const GrowingKTree& tree) {
  const auto order = tree.order();
  double sum = 0;
  for (std::size_t i = 1; i < order.size(); ++i)
    sum += information.of(order[i], i <= tree.width() ? order.first(i) : tree.separator(order[i]));
  return sum;
}

InformativeScore informative_score(const PairInformation& information, const GrowingKTree& tree,
                                   CoveredEntries& covered) {
  const SearchProblem& problem = covered.problem();
  double pseudo_score = 0;
  for (VariableId v = 0; v < problem.num_variables(); ++v) pseudo_score += problem.score(covered.best(v));
  return {information_of(information, tree), pseudo_score};
}

}  // namespace treebound
