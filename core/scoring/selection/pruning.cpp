#include "scoring/selection/pruning.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>

namespace treebound {
namespace {

RuleSet rules_for(RuleSet rules, const FamilyRules& families, VariableId child) {
  if (families.is_undecided(child)) return {};
  if (!families.required(child).empty()) rules.remove(Rule::theorem1);
  return rules;
}

}  // namespace

Pruning::Pruning(const Dataset& data, const LocalScore& score, const PairTerms& pairs, RuleSet rules,
                 const FamilyRules& families, VariableId child)
    : data_(&data),
      score_(&score),
      pairs_(&pairs),
      rules_(rules_for(rules, families, child)),
      families_(&families),
      child_(child),
      closes_any_(rules_.has(Rule::configurations) || rules_.has(Rule::in_degree) ||
                  rules_.has(Rule::theorem1) || rules_.has(Rule::first_condition) ||
                  rules_.has(Rule::de_campos_ji) || rules_.has(Rule::entropy)),
      unit_penalty_(score.penalty(data.cardinality(child), 1)),
      log_child_states_(std::log(static_cast<double>(data.cardinality(child)))) {}

void Pruning::prepare_theorem1() const {
  const double child_entropy = score_->to_double(pairs_->empty() - pairs_->of(child_));
  std::map<std::uint32_t, std::vector<VariableId>> classes;
  gain_bounds_.resize(data_->num_variables(), std::numeric_limits<double>::infinity());
  for_each_parent([&](VariableId y) {
    const Term information = pairs_->of(child_, y) - pairs_->of(y) - pairs_->of(child_) + pairs_->empty();
    const double entropy = score_->to_double(pairs_->empty() - pairs_->of(y));
    gain_bounds_[y] = score_->to_double(information) + std::min(child_entropy, entropy);
    classes[data_->cardinality(y)].push_back(y);
  });
  for (auto& [states, members] : classes) {
    std::sort(members.begin(), members.end(), [&](VariableId a, VariableId b) {
      return std::pair(-gain_bounds_[a], a) < std::pair(-gain_bounds_[b], b);
    });
    by_states_.push_back(std::move(members));
  }
}

std::optional<Rule> Pruning::closes(std::span<const VariableId> members, const ScoredSet& set, VariableId y,
                                    double best) const {
  assert(y != child_ && std::ranges::find(members, y) == members.end());
  if (!closes_any_) return std::nullopt;
  if (rules_.has(Rule::configurations) && best >= -log_child_states_ * set.num_configurations) {
    return Rule::configurations;
  }
  const double saved = saving(set, y);
  if (rules_.has(Rule::in_degree) && log_child_states_ * static_cast<double>(data_->num_rows()) <= saved) {
    return Rule::in_degree;
  }
  if (rules_.has(Rule::theorem1) && theorem1_closes(members, set, y)) return Rule::theorem1;
  if (rules_.has(Rule::first_condition) && first_condition_holds(set, y)) return Rule::first_condition;
  if (rules_.has(Rule::de_campos_ji) && set.loss <= saved) return Rule::de_campos_ji;
  if (rules_.has(Rule::entropy) && std::min(set.loss, entropy_bound(members, y)) <= saved)
    return Rule::entropy;
  return std::nullopt;
}

std::optional<Rule> Pruning::closes_exactly(const ScoredSet& set, VariableId y, Term term_with_y) const {
  if (!rules_.has(Rule::entropy)) return std::nullopt;
  const double loss_of_y = score_->to_double(set.parent_term - term_with_y);
  if (loss_of_y <= saving(set, y)) return Rule::entropy;
  return std::nullopt;
}

bool Pruning::first_condition_holds(const ScoredSet& set, VariableId y) const {
  if (gain_bounds_.empty()) prepare_theorem1();
  return gain_bounds_[y] <= saving(set, y);
}

bool Pruning::theorem1_closes(std::span<const VariableId> members, const ScoredSet& set, VariableId y) const {
  if (members.empty() || !first_condition_holds(set, y)) return false;
  const auto in_family = [&](VariableId z) {
    return z == y || std::find(members.begin(), members.end(), z) != members.end();
  };
  return std::all_of(by_states_.begin(), by_states_.end(), [&](const std::vector<VariableId>& same_states) {
    const auto other = std::find_if_not(same_states.begin(), same_states.end(), in_family);
    return other == same_states.end() ||
           gain_bounds_[*other] <= unit_penalty_ * set.parent_states * data_->cardinality(*other);
  });
}

double Pruning::entropy_bound(std::span<const VariableId> members, VariableId y) const {
  Term bound = pairs_->empty() - pairs_->of(y);
  for (const VariableId z : members) {
    if (pairs_->has(z, y)) bound = std::min(bound, pairs_->of(z) - pairs_->of(z, y));
  }
  return score_->to_double(bound);
}

ScoredSet Pruning::make_scored(const FamilyTerms& terms, double parent_states) const {
  const double score = score_->score(terms, data_->cardinality(child_), parent_states);
  return {score,         score,
          parent_states, score_->to_double(terms.parents - terms.joint),
          terms.parents, terms.num_configurations};
}

}  // namespace treebound
