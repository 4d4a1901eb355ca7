#include "search/regrow/tree_optimum.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace treebound {
namespace {

// Less is no gain: it could come of rounding.
constexpr double kLeastGain = 1e-6;
// What it takes to find the choices and to make ready, in operations of the dynamic programme.
constexpr double kWorkPerFamily = 4;
constexpr double kWorkPerVariable = 400;
// Where all sets inside the bags are scored: for each of them, about.
constexpr double kWorkPerBag = 40'000;

}  // namespace

TreeOptimum::TreeOptimum(const SearchProblem& problem)
    : problem_(&problem),
      capacity_(std::max(problem.width(), 1u)),
      positions_(problem.num_variables()),
      separators_(positions_.size() * capacity_),
      sizes_(positions_.size()),
      is_far_(positions_.size() + 1, 1),
      exact_(problem.num_variables()),
      numbers_(positions_.size()),
      chosen_(positions_.size()) {
  is_far_.back() = 0;
}

bool TreeOptimum::is_in_separator(VariableId v, VariableId u) const {
  const auto members = separator(v);
  return std::find(members.begin(), members.end(), u) != members.end();
}

/// Adds members of the bag above, all with equal probability, until there is no more room.
void TreeOptimum::fill_bag(VariableId v, VariableId above, RandomStream& random) {
  candidates_.clear();
  const auto offer = [&](VariableId u) {
    if (!is_in_separator(v, u)) candidates_.push_back(u);
  };
  offer(above);
  for (const VariableId u : separator(above)) offer(u);
  while (sizes_[v] < problem_->width() && !candidates_.empty())
    add_to_separator(v, take_any(candidates_, random));
}

/// Where the states of a bag are bounded, bags stay as they are. Roots of further trees are put below any
/// bag.
void TreeOptimum::fill_bags(const BoundedNetwork& network, RandomStream& random) {
  const EliminationTree& tree = network.tree();
  insertion_order_ = tree.elimination_order();
  std::ranges::reverse(insertion_order_);
  for (std::uint32_t i = 0; i < insertion_order_.size(); ++i) {
    const VariableId v = insertion_order_[i];
    positions_[v] = i;
    sizes_[v] = 0;
    for (const std::int32_t u : tree.separator(v)) add_to_separator(v, static_cast<VariableId>(u));
    if (i == 0 || problem_->bound().max_cells < HUGE_VAL) continue;
    const std::int32_t parent = tree.parent(v);
    fill_bag(v, parent >= 0 ? static_cast<VariableId>(parent) : insertion_order_[random.below(i)], random);
  }
}

/// Variables that share a bag, by variable.
void TreeOptimum::find_neighbours() {
  const std::size_t n = positions_.size();
  neighbour_offsets_.assign(n + 2, 0);
  for (VariableId v = 0; v < n; ++v) {
    neighbour_offsets_[v + 2] += static_cast<std::uint32_t>(sizes_[v]);
    for (const VariableId u : separator(v)) ++neighbour_offsets_[u + 2];
  }
  for (std::size_t v = 2; v < n + 2; ++v) neighbour_offsets_[v] += neighbour_offsets_[v - 1];
  neighbours_.resize(neighbour_offsets_[n + 1]);
  for (VariableId v = 0; v < n; ++v) {
    for (const VariableId u : separator(v)) {
      neighbours_[neighbour_offsets_[v + 1]++] = u;
      neighbours_[neighbour_offsets_[u + 1]++] = v;
    }
  }
}

/// All members but the one inserted last are in its separator.
bool TreeOptimum::is_inside(std::span<const VariableId> family) const {
  const VariableId last = *std::ranges::max_element(family, {}, [&](VariableId u) { return positions_[u]; });
  return std::ranges::all_of(family, [&](VariableId u) { return u == last || is_in_separator(last, u); });
}

void TreeOptimum::collect_choices_of(VariableId v, const FamilyPool& pool) {
  const std::span near =
      std::span(neighbours_)
          .subspan(neighbour_offsets_[v], neighbour_offsets_[v + 1] - neighbour_offsets_[v]);
  for (const VariableId u : near) is_far_[u] = 0;
  pool.for_each_unmarked(v, is_far_.data(), 0, [&](FamilyId family) {
    const auto members = pool.members(family);
    if (is_inside(members))
      choices_.add(pool.score(family), members.subspan(1), static_cast<std::uint32_t>(family));
    return false;
  });
  choices_.end_variable();
  for (const VariableId u : near) is_far_[u] = 1;
}

void TreeOptimum::collect_choices(const FamilyPool& pool) {
  find_neighbours();
  choices_.clear();
  for (VariableId v = 0; v < positions_.size(); ++v) collect_choices_of(v, pool);
}

/// The sets inside the bag of v, v in them or their child, that are better than all their subsets; false if
/// the bag is too large.
bool TreeOptimum::score_bag(VariableId v, FamilyProposals& proposals) {
  const auto bag = write_bag(v);
  const BagScores* const scores = proposals.scores_inside(bag);
  if (scores == nullptr) return false;
  best_inside_.fill(*scores, *problem_, bag);
  const auto place = static_cast<std::size_t>(std::ranges::find(bag, v) - bag.begin());
  for (BestInside::Mask set = 1; set < BestInside::Mask{1} << bag.size(); ++set) {
    if ((set >> place & 1) == 0) continue;
    for (std::size_t child = 0; child < bag.size(); ++child) {
      if ((set >> child & 1) == 0) continue;
      const BestInside::Mask parents = set ^ BestInside::Mask{1} << child;
      const auto& best = best_inside_.of(child, parents);
      if (best.parents == parents) scored_.push_back({best.score, v, bag[child], parents});
    }
  }
  return true;
}

/// Puts the members of the bag of v in order.
std::span<const VariableId> TreeOptimum::write_bag(VariableId v) {
  VariableId* const members = bags_.data() + std::size_t{v} * (capacity_ + 1);
  members[0] = v;
  std::ranges::copy(separator(v), members + 1);
  std::sort(members, members + sizes_[v] + 1);
  return bag(v);
}

/// Makes choices of all sets inside the bags, scored from the rows; false if a bag is too large for that.
bool TreeOptimum::score_choices(FamilyProposals& proposals) {
  const auto n = static_cast<VariableId>(positions_.size());
  scored_.clear();
  bags_.resize(n * (capacity_ + 1));
  for (VariableId v = 0; v < n; ++v)
    if (!score_bag(v, proposals)) return false;
  std::ranges::sort(scored_, [](const Scored& a, const Scored& b) {
    return a.child != b.child ? a.child < b.child : a.score > b.score;
  });
  choices_.clear();
  VariableId v = 0;
  for (const Scored& set : scored_) {
    for (; v < set.child; ++v) choices_.end_variable();
    write_members(bag(set.owner), set.parents, parents_);
    choices_.add(set.score, parents_, 0);
  }
  for (; v < n; ++v) choices_.end_variable();
  return true;
}

bool TreeOptimum::improve(BoundedNetwork& network, FamilyProposals* proposals, double max_work,
                          RandomStream& random) {
  const FamilyPool& pool = network.pool();
  // To score all bags only to find that there is more to do than allowed would itself be work.
  work_ = proposals != nullptr ? kWorkPerBag * static_cast<double>(positions_.size()) : 0;
  if (work_ > max_work) return false;
  fill_bags(network, random);
  const bool is_scored = proposals != nullptr && score_choices(*proposals);
  if (!is_scored) collect_choices(pool);
  work_ = exact_.plan(insertion_order_, choices_) +
          (is_scored ? kWorkPerBag * static_cast<double>(positions_.size())
                     : kWorkPerFamily * static_cast<double>(pool.num_families()) +
                           kWorkPerVariable * static_cast<double>(positions_.size()));
  if (work_ > max_work) return false;
  exact_.solve(endless_, numbers_);
  double gain = 0;
  changed_.clear();
  for (VariableId v = 0; v < positions_.size(); ++v) {
    chosen_[v] = is_scored ? proposals->join(v, choices_.parents(numbers_[v]), choices_.score(numbers_[v]))
                           : FamilyId{choices_.name(numbers_[v])};
    if (chosen_[v] == network.chosen(v)) continue;
    gain += pool.score(chosen_[v]) - network.score(v);
    changed_.push_back(v);
  }
  // Scores of the pool may have been rounded in a file, those from the rows are not.
  assert(is_scored || gain > -kLeastGain * static_cast<double>(positions_.size()));
  if (gain < kLeastGain) return false;
  std::ranges::reverse(insertion_order_);
  network.load(chosen_, insertion_order_);
  return true;
}

}  // namespace treebound
