#include "search/ktree/order_optimum.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace treebound {
namespace {

constexpr std::uint64_t kDecisionsPerPoll = 1024;
/// Losses that differ by less are equal: they are sums in another sequence.
constexpr double kRounding = 1e-9;

}  // namespace

OrderOptimum::OrderOptimum(const SearchProblem& problem)
    : problem_(problem),
      width_(problem.width()),
      place_of_(problem.num_variables() + 1),
      options_(problem.num_variables()),
      prefixes_(problem.num_variables()),
      choice_(problem.num_variables()),
      separators_(problem.num_variables(), width_),
      demands_(problem.num_variables(), width_),
      least_(problem.num_variables()),
      path_(problem.num_variables()) {}

bool OrderOptimum::solve(std::span<const VariableId> order, std::uint64_t max_decisions,
                         const GiveUp& gives_up) {
  max_decisions_ = max_decisions;
  gives_up_ = &gives_up;
  num_decisions_ = 0;
  has_given_up_ = false;
  read(order);
  separators_.clear();
  prefixes_[width_] = {};
  for (Place last = width_ + 1; last < order_.size(); ++last)
    if (!extend(last)) has_given_up_ = true;
  return !has_given_up_;
}

void OrderOptimum::read(std::span<const VariableId> order) {
  order_.assign(order.begin(), order.end());
  for (Place place = 0; place < order.size(); ++place) place_of_[order[place]] = place;
  place_of_.back() = 0;
  parents_.clear();
  sum_of_best_ = 0;
  for (Place place = width_ + 1; place < order.size(); ++place) read_options(place);
}

void OrderOptimum::read_options(Place place) {
  const VariableId v = order_[place];
  const SearchProblem::Head* heads = problem_.heads();
  auto& options = options_[place];
  options.clear();
  double best = 0;
  for (EntryId entry = problem_.best_entry(v); entry <= problem_.last_entry(v); ++entry) {
    const auto [first, second] = heads[entry];
    if (std::max(place_of_[first & ~SearchProblem::kMany], place_of_[second]) >= place) continue;
    const auto members = problem_.parents(entry);
    if (std::ranges::any_of(members, [&](VariableId u) { return place_of_[u] >= place; })) continue;
    if (options.empty()) best = problem_.score(entry);
    const auto begin = static_cast<std::uint32_t>(parents_.size());
    for (const VariableId u : members) parents_.push_back(place_of_[u]);
    std::sort(parents_.begin() + begin, parents_.end(), std::greater<>());
    options.push_back(
        {best - problem_.score(entry), entry, begin, static_cast<std::uint32_t>(members.size())});
  }
  sum_of_best_ += best;
}

/// The first set of a variable that the separators of the choice so far allow; they then hold it.
std::uint32_t OrderOptimum::first_that_fits(Place place) {
  for (std::uint32_t option = 0;; ++option) {
    const std::size_t mark = separators_.mark();
    if (separators_.add(place, parents(options_[place][option]))) return option;
    separators_.roll_back(mark);
  }
}

/// Adds one place to the prefix; false if the choice for it may not be the best.
bool OrderOptimum::extend(Place last) {
  const double before = prefixes_[last - 1].loss;
  const std::uint32_t option = first_that_fits(last);
  choice_[last] = option;
  prefixes_[last] = {before + options_[last][option].loss, last, {option}};
  if (has_given_up_) return false;
  if (prefixes_[last].loss <= before + kRounding) return true;
  if ((*gives_up_)(before)) return false;
  improve(last);
  if (is_improved_) restore(last);
  return !has_given_up_;
}

/// Looks for something better than the first answer.
void OrderOptimum::improve(Place last) {
  last_ = last;
  upper_ = prefixes_[last].loss;
  is_improved_ = false;
  demands_.clear();
  std::ranges::fill(least_, 0);
  search(last, 0);
}

/// Makes the separators of the choice anew.
void OrderOptimum::restore(Place last) {
  for (Place end = last; end > width_; end = prefixes_[end].begin - 1) {
    Place place = end;
    for (const std::uint32_t option : prefixes_[end].options) choice_[place--] = option;
  }
  separators_.clear();
  for (Place place = last; place > width_; --place)
    separators_.add(place, parents(options_[place][choice_[place]]));
}

bool OrderOptimum::should_end() {
  if (has_given_up_) return true;
  if (++num_decisions_ > max_decisions_) return has_given_up_ = true;
  if (num_decisions_ % kDecisionsPerPoll == 0 && (*gives_up_)(prefixes_[last_ - 1].loss))
    has_given_up_ = true;
  return has_given_up_;
}

/// Decides the place and all before it; `lost` is the loss of what is decided.
void OrderOptimum::search(Place place, double lost) {
  if (should_end()) return;
  const bool is_open = place == last_ || demands_.latest_open(place) != SeparatorDemands::kNone;
  if (place <= width_ || !is_open) return end_search(place, lost);
  const std::size_t first_branch = branches_.size(), first_member = branch_members_.size();
  const double rest = prefixes_[place - 1].loss;
  list_branches(place, upper_ - kRounding - lost - rest);
  const std::size_t end = branches_.size();
  for (std::size_t i = first_branch; i < end && !has_given_up_; ++i) {
    const Branch branch = branches_[i];
    const double sum = lost + branch.loss;
    if (sum + rest >= upper_ - kRounding) break;
    const std::size_t mark = demands_.mark(), first_saved = saved_least_.size();
    const std::span<const Place> separator(branch_members_.data() + branch.first, branch.size);
    if (demands_.pass_on(separator)) {
      for (const auto& change : demands_.changes_since(mark)) {
        saved_least_.push_back(least_[change.place]);
        least_[change.place] = least_loss(change.place);
      }
      path_[place] = branch.option;
      if (bound(place - 1, sum) < upper_ - kRounding) search(place - 1, sum);
      const auto changes = demands_.changes_since(mark);
      for (std::size_t c = changes.size(); c-- > 0;) least_[changes[c].place] = saved_least_[first_saved + c];
      saved_least_.resize(first_saved);
    }
    demands_.roll_back(mark);
  }
  branches_.resize(first_branch);
  branch_members_.resize(first_member);
}

/// What is before the place has no demands on it, so its optimum is known.
void OrderOptimum::end_search(Place place, double lost) {
  const double total = lost + prefixes_[place].loss;
  if (total >= upper_ - kRounding) return;
  upper_ = total;
  is_improved_ = true;
  Prefix& prefix = prefixes_[last_];
  prefix.loss = total;
  prefix.begin = place + 1;
  prefix.options.clear();
  for (Place at = last_; at > place; --at) prefix.options.push_back(path_[at]);
}

/// What is lost at least: what the demands cost down to a place, and the optimum of all before it.
double OrderOptimum::bound(Place place, double lost) const {
  double least = prefixes_[place].loss, forced = 0;
  for (Place u = demands_.latest_open(place); u != SeparatorDemands::kNone; u = demands_.latest_open(u - 1)) {
    forced += least_[u];
    least = std::max(least, forced + prefixes_[u - 1].loss);
  }
  return lost + least;
}

double OrderOptimum::least_loss(Place place) {
  const auto demanded = demands_.of(place);
  if (demanded.empty()) return 0;
  for (const Option& option : options_[place])
    if (demands_.unite(demanded, parents(option))) return option.loss;
  return HUGE_VAL;
}

bool OrderOptimum::is_dominated(std::size_t first_branch, std::span<const Place> separator) const {
  return std::ranges::any_of(std::span(branches_).subspan(first_branch), [&](const Branch& other) {
    const std::span<const Place> members(branch_members_.data() + other.first, other.size);
    return std::ranges::includes(separator, members, std::greater<>());
  });
}

/// The sets of a place by what they make of its separator: a set is useful only if no better one needs a part
/// of the same separator. Once nothing is needed, worse sets are useless.
void OrderOptimum::list_branches(Place place, double affordable) {
  const std::size_t first_branch = branches_.size();
  const auto demanded = demands_.of(place);
  for (std::uint32_t i = 0; i < options_[place].size(); ++i) {
    const Option& option = options_[place][i];
    if (option.loss >= affordable) return;
    if (!demands_.unite(demanded, parents(option))) continue;
    const auto separator = demands_.united();
    if (is_dominated(first_branch, separator)) continue;
    branches_.push_back({option.loss, i, static_cast<std::uint32_t>(branch_members_.size()),
                         static_cast<std::uint32_t>(separator.size())});
    branch_members_.insert(branch_members_.end(), separator.begin(), separator.end());
    if (separator.size() == demanded.size() || demands_.is_free(separator)) return;
  }
}

void OrderOptimum::write_separator(std::uint32_t place, std::vector<VariableId>& separator) const {
  separator.clear();
  for (const Place u : separators_.of(place)) separator.push_back(order_[u]);
}

}  // namespace treebound
