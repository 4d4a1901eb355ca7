#include "search/within_ktree/within_ktree.hpp"

#include <limits>

namespace treebound {
namespace {
constexpr double kTooMuch = std::numeric_limits<double>::infinity();
constexpr double kShortWork = 1e7;  // some hundredths of a second
}  // namespace

WithinKTree::WithinKTree(const SearchProblem& problem, const WithinKTreeOptions& options)
    : problem_(problem),
      options_(options),
      peeled_(problem),
      exact_(problem.num_variables()),
      sampled_(problem.num_variables()),
      chosen_(problem.num_variables()) {}

double WithinKTree::look_at(CoveredEntries& covered) {
  peeled_.write(covered, choices_);
  return two_cycles_.loss(choices_);
}

bool WithinKTree::solve(const GrowingKTree& tree, RandomStream& random, const Run& run) {
  const auto sample = [&] {
    sampled_.plan(tree, choices_);
    sampled_.solve(options_.num_samples, random, run, chosen_);
  };
  const bool may_be_exact = options_.is_exact && !run.should_stop();
  const double work = may_be_exact ? exact_.plan(tree.order(), choices_) : kTooMuch;
  // What may not end in time is sampled first, so there is something to fall back on.
  if (work > kShortWork) sample();
  const bool is_exact = work <= ExactChoice::kMaxWork && exact_.solve(run, chosen_);
  if (!is_exact && work <= kShortWork) sample();
  for (EntryId& choice : chosen_) choice = choices_.name(choice);
  return is_exact;
}

}  // namespace treebound
