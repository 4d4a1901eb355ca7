#include "search/ktree/k_max.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "search/ktree/k_greedy.hpp"
#include "search/ktree/order_sampler.hpp"

namespace treebound {
namespace {
constexpr EntryId kPlaced = 0;  // no entry is smaller, so no offer is accepted
constexpr std::size_t kBranching = 4;
}  // namespace

KMaxDecoder::KMaxDecoder(const SearchProblem& problem, const ParentIndex& index, const Partners& partners,
                         CliquePolicy policy)
    : problem_(problem),
      index_(index),
      tree_(problem.num_variables(), problem.width()),
      chooser_(partners, policy),
      root_solver_(problem),
      required_(problem),
      best_scores_(problem.num_variables()),
      spans_(problem.num_variables()),
      available_(problem.num_variables()),
      ranks_(problem.num_variables()),
      slots_(problem.num_variables()),
      chosen_(problem.num_variables()) {
  for (VariableId v = 0; v < problem.num_variables(); ++v)
    most_required_ = std::max(most_required_, static_cast<std::uint32_t>(problem.rules().required(v).size()));
}

void KMaxDecoder::set_limit(std::uint32_t limit) {
  limit_ = std::max(limit, most_required_);
  for (VariableId v = 0; v < problem_.num_variables(); ++v) {
    EntryId entry = problem_.best_entry(v);
    while (problem_.parents(entry).size() > limit_) ++entry;
    best_scores_[v] = problem_.score(entry);
    spans_[v] = best_scores_[v] - problem_.score(problem_.least_entry(v));
  }
}

void KMaxDecoder::decode(std::span<const VariableId> priority, std::uint32_t limit, RandomStream& random) {
  set_limit(limit);
  const std::size_t root_size = problem_.width() + 1;
  priority_ = priority;
  heap_.clear();
  for (std::uint32_t rank = 0; rank < priority.size(); ++rank) {
    const VariableId v = priority[rank];
    ranks_[v] = rank;
    available_[v] = rank < root_size ? kPlaced : problem_.last_entry(v);
    if (rank < root_size) continue;
    heap_.push_back(0);
    move_up(heap_.size() - 1, key(v));
  }
  root_.assign(priority.begin(), priority.begin() + static_cast<std::ptrdiff_t>(root_size));
  root_solver_.solve(root_, chosen_);
  tree_.start(root_);
  for (const VariableId u : root_) offer_sets_with(u);
  while (tree_.order().size() < priority.size()) {
    const VariableId v = take_next();
    insert(v, random);
    available_[v] = kPlaced;
    if (limit < problem_.width()) chosen_[v] = best_in_separator(v);
    offer_sets_with(v);
  }
  score_ = problem_.total_score(chosen_);
}

/// Takes the best set available, or the best that fits together with what required parents demand.
void KMaxDecoder::insert(VariableId v, RandomStream& random) {
  const auto demand = required_.is_any() ? required_.demand(v, tree_) : std::span<const VariableId>();
  RequiredNeighbours::Choice choice{available_[v], problem_.parents(available_[v])};
  if (!demand.empty()) choice = required_.first_that_fits(tree_, v, demand);
  chosen_[v] = choice.entry;
  chooser_.insert(tree_, v, choice.members, random);
}

EntryId KMaxDecoder::best_in_separator(VariableId v) const {
  for (EntryId entry = problem_.best_entry(v);; ++entry)
    if (std::ranges::all_of(problem_.parents(entry), [&](VariableId u) { return tree_.is_in_clique(u, v); }))
      return entry;
}

void KMaxDecoder::offer_sets_with(VariableId u) {
  const SearchProblem::Head* heads = problem_.heads();
  for (const auto [child, entry] : index_.of(u)) {
    if (entry >= available_[child]) continue;
    if (heads[entry].second != problem_.num_variables()) {
      const auto parents = problem_.parents(entry);
      if (parents.size() > limit_ || !tree_.clique_holds(u, parents)) continue;
    }
    available_[child] = entry;
    move_up(slots_[ranks_[child]], key(child));
  }
}

// Losses are not negative, so their bits sort like their values. A hole comes last, and a variable with one
// when all others have been inserted.
std::uint64_t KMaxDecoder::key(VariableId v) const {
  const double span = spans_[v];
  const double loss = best_scores_[v] - problem_.score(available_[v]);
  const auto relative = static_cast<float>(span > 0 ? loss / span : loss > 0 ? HUGE_VAL : 0.0);
  return std::uint64_t{std::bit_cast<std::uint32_t>(relative)} << 32 | ranks_[v];
}

void KMaxDecoder::place(std::size_t slot, std::uint64_t key) {
  heap_[slot] = key;
  slots_[static_cast<std::uint32_t>(key)] = static_cast<std::uint32_t>(slot);
}

// Losses only fall, so elements only move up, except the last one when the first is taken.
void KMaxDecoder::move_up(std::size_t slot, std::uint64_t key) {
  while (slot > 0 && key < heap_[(slot - 1) / kBranching]) {
    place(slot, heap_[(slot - 1) / kBranching]);
    slot = (slot - 1) / kBranching;
  }
  place(slot, key);
}

VariableId KMaxDecoder::take_next() {
  const VariableId next = priority_[static_cast<std::uint32_t>(heap_[0])];
  const std::uint64_t moved = heap_.back();
  heap_.pop_back();
  if (heap_.empty()) return next;
  std::size_t slot = 0;
  for (;;) {
    const std::size_t first = slot * kBranching + 1;
    if (first >= heap_.size()) break;
    const std::size_t end = std::min(first + kBranching, heap_.size());
    std::size_t smallest = first;
    for (std::size_t child = first + 1; child < end; ++child)
      if (heap_[child] < heap_[smallest]) smallest = child;
    if (moved <= heap_[smallest]) break;
    place(slot, heap_[smallest]);
    slot = smallest;
  }
  place(slot, moved);
  return next;
}

void sample_priority(const SearchProblem& problem, std::span<VariableId> priority, RandomStream& random) {
  constexpr int kMaxPicks = 8;
  sample_uniform(priority, random);
  for (std::uint32_t size = 1; size <= problem.width(); ++size) {
    const auto outside = priority.subspan(size);
    for (int pick = 0; pick < kMaxPicks; ++pick) {
      const VariableId v = priority[random.below(size)];
      const EntryId first = problem.best_entry(v);
      const auto parents = problem.parents(first + random.below(problem.last_entry(v) - first + 1));
      if (parents.empty()) continue;
      const VariableId u = parents[random.below(static_cast<std::uint32_t>(parents.size()))];
      const auto place = std::find(outside.begin(), outside.end(), u);
      if (place == outside.end()) continue;
      std::iter_swap(place, outside.begin());
      break;
    }
  }
  problem.put_required_first(priority);
}

namespace {

class KMax final : public Constructor {
 public:
  KMax(const SearchProblem& problem, const ParentIndex& index, const Partners& partners,
       const KMaxOptions& options)
      : problem_(problem),
        options_(options),
        fresh_(problem, index, partners, options.policy),
        refined_(problem, partners, options.policy),
        perturbed_(problem),
        order_(problem.num_variables()) {}

  Proof construct(std::uint64_t step, RandomStream& random, const SearchContext& context) override {
    is_refined_ = options_.refines && step % kStepsPerRound != 0 && !context.round_order().empty();
    if (is_refined_) {
      refined_.remember(context.round_order(), random);
      perturbed_.sample(context.round_order(), order_, random);
      problem_.put_required_first(order_);
      if (!refined_.decode(order_, random, context.best_score())) return Proof::kBeaten;
    } else {
      if (options_.given.empty()) sample_priority(problem_, order_, random);
      fresh_.decode(options_.given.empty() ? order_ : options_.given, draw_limit(random), random);
    }
    return Proof::kNone;
  }
  double score() const override { return is_refined_ ? refined_.score() : fresh_.score(); }
  void write(Found& found) const override {
    if (is_refined_)
      write_structure(problem_, refined_.tree(), refined_.chosen(), found);
    else
      write_structure(problem_, fresh_.tree(), fresh_.chosen(), found);
  }

 private:
  std::uint32_t draw_limit(RandomStream& random) const {
    const std::uint32_t width = problem_.width();
    if (!options_.varies_limit || !options_.given.empty() || width < 2 || random.below(2) == 0) return width;
    return 1 + random.below(width - 1);
  }

  const SearchProblem& problem_;
  const KMaxOptions& options_;
  KMaxDecoder fresh_;
  GreedyDecoder refined_;
  Perturbed perturbed_;
  bool is_refined_ = false;
  std::vector<VariableId> order_;
};

}  // namespace

Statistics search_k_max(SearchTask& task, const KMaxOptions& options) {
  const SearchProblem& problem = task.problem;
  const ParentIndex index(problem);
  const Partners partners(problem, options.policy);
  SearchPlan plan;
  plan.make_constructor = [&] { return std::make_unique<KMax>(problem, index, partners, options); };
  if (options.refines) plan.steps_per_round = kStepsPerRound;
  const ProofCounts counts = run_search(plan, task);
  return {{"num_skipped", counts.num_skipped}};
}

}  // namespace treebound
