#include "search/informative/pair_information.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "scoring/families/pair_terms.hpp"

namespace treebound {

PairInformation::PairInformation(const SearchProblem& problem) : num_variables_(problem.num_variables()) {
  const std::uint32_t n = num_variables_;
  if (n <= kMaxDense)
    dense_.resize(std::size_t{n} * n);
  else
    partners_.resize(n);
  for (VariableId v = 0; v < n; ++v) {
    const double least = problem.score(problem.least_entry(v));
    for (EntryId entry = problem.best_entry(v); entry < problem.last_entry(v); ++entry) {
      const auto parents = problem.parents(entry);
      if (parents.size() == 1) keep(v, parents[0], problem.score(entry) - least);
    }
  }
  require(problem);
  // Both directions of a pair may have been kept, the larger first.
  for (auto& partners : partners_) {
    std::sort(partners.begin(), partners.end(), [](const Partner& a, const Partner& b) {
      return a.variable != b.variable ? a.variable < b.variable : a.information > b.information;
    });
    const auto is_same = [](const Partner& a, const Partner& b) { return a.variable == b.variable; };
    partners.erase(std::unique(partners.begin(), partners.end(), is_same), partners.end());
  }
}

// With the terms of BIC, n log n, a pair is N times its mutual information, for any score of the cache.
PairInformation::PairInformation(const Dataset& data, Run& run)
    : num_variables_(static_cast<std::uint32_t>(data.num_variables())) {
  const std::uint32_t n = num_variables_;
  dense_.resize(std::size_t{n} * n);
  const Bic bic(data.num_rows());
  const PairTerms terms(data, bic, run, std::numeric_limits<std::size_t>::max());
  for (VariableId b = 1; b < n; ++b)
    for (VariableId a = 0; a < b; ++a)
      if (terms.has(a, b))
        keep(a, b, bic.to_double(terms.of(a, b) - terms.of(a) - terms.of(b) + terms.empty()));
}

void PairInformation::require(const SearchProblem& problem) {
  if (!problem.rules().has_required()) return;
  for (VariableId v = 0; v < num_variables_; ++v) {
    const auto family = problem.family(problem.least_entry(v));
    for (std::size_t i = 1; i < family.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) keep(family[i], family[j], problem.loss_of_hole());
  }
}

void PairInformation::keep(VariableId a, VariableId b, double information) {
  const auto value = static_cast<float>(information);
  if (dense_.empty()) {
    partners_[a].push_back({b, value});
    partners_[b].push_back({a, value});
    return;
  }
  float& there = dense_[std::size_t{a} * num_variables_ + b];
  there = std::max(there, value);
  dense_[std::size_t{b} * num_variables_ + a] = there;
}

double PairInformation::find(VariableId a, VariableId b) const {
  const auto& partners = partners_[a];
  const auto found = std::ranges::lower_bound(partners, b, {}, &Partner::variable);
  return found != partners.end() && found->variable == b ? found->information : 0;
}

std::vector<double> PairInformation::sums_of_largest(std::uint32_t count) const {
  std::vector<double> sums;
  std::vector<float> values;
  for (VariableId v = 0; v < num_variables_; ++v) {
    values.clear();
    if (dense_.empty())
      for (const Partner& partner : partners_[v]) values.push_back(partner.information);
    else
      values.assign(dense_.begin() + std::size_t{v} * num_variables_,
                    dense_.begin() + (std::size_t{v} + 1) * num_variables_);
    const auto num_taken = std::min<std::size_t>(count, values.size());
    std::partial_sort(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(num_taken), values.end(),
                      std::greater<>());
    double sum = 0;
    for (std::size_t i = 0; i < num_taken; ++i) sum += values[i];
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace treebound
