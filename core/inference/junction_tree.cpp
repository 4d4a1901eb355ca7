#include "inference/junction_tree.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "inference/normalise.hpp"

namespace treebound {
namespace {

// Rows that a thread draws in one go.
constexpr std::size_t kRowsAtOnce = 64;

}  // namespace

JunctionTree::JunctionTree(const NetworkView& network, CliqueTree tree, double few_cells)
    : tree_(std::move(tree)),
      model_(network, tree_.order),
      calibration_(model_, tree_),
      few_cells_(few_cells),
      num_cells_(size_of(tree_, model_.cardinalities()).all_cliques),
      active_(&calibration_),
      run_(model_),
      codes_(model_.num_variables(), -1),
      soft_offsets_{0} {}

/// For asserts: each code is a state or below zero; soft findings are about others, with a weight per state.
bool JunctionTree::are_findings(std::span<const std::int32_t> codes, const SoftFindings& soft) const {
  const auto cards = model_.cardinalities();
  if (codes.size() != cards.size()) return false;
  for (VariableId v = 0; v < codes.size(); ++v)
    if (codes[v] >= static_cast<std::int64_t>(cards[v])) return false;
  for (std::size_t i = 0; i < soft.variables.size(); ++i) {
    const VariableId v = soft.variables[i];
    if (v >= codes.size() || codes[v] >= 0 || soft.weights_of(i).size() != cards[v]) return false;
  }
  return true;
}

/// For asserts: different variables without hard findings.
bool JunctionTree::are_unknown(std::span<const VariableId> variables) const {
  std::vector<VariableId> sorted(variables.begin(), variables.end());
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) == sorted.end() &&
         std::ranges::none_of(sorted, [&](VariableId v) { return v >= codes_.size() || row().knows(v); });
}

void JunctionTree::set_findings(std::span<const std::int32_t> codes, const SoftFindings& soft) {
  assert(are_findings(codes, soft));
  run_.start(row(), {});  // it must not hold on to the findings that go
  codes_.assign(codes.begin(), codes.end());
  soft_variables_.assign(soft.variables.begin(), soft.variables.end());
  soft_offsets_.assign(soft.offsets.begin(), soft.offsets.end());
  soft_weights_.assign(soft.weights.begin(), soft.weights.end());
  Calibration* const chosen = choose_tree();
  const bool is_other_tree = std::exchange(active_, chosen) != chosen;
  if (active_->set_findings(row(), soft) || is_other_tree) marginals_.clear();
}

Calibration* JunctionTree::choose_tree() {
  if (num_cells_ <= few_cells_) return &calibration_;
  std::vector<std::uint32_t> cards(model_.cardinalities().begin(), model_.cardinalities().end());
  std::vector<bool> known(cards.size());
  for (VariableId v = 0; v < cards.size(); ++v) {
    known[v] = row().knows(v);
    if (known[v]) cards[v] = 1;
  }
  const double num_cells = size_of(tree_, cards).all_cliques;
  if (num_cells <= few_cells_) return &calibration_;
  if (special_ && known == special_known_) return &special_->calibration;
  CliqueTree made = build_smallest_clique_tree(scopes_of_unknown(), cards);
  if (2 * size_of(made, cards).all_cliques > num_cells) return &calibration_;
  special_ = std::make_unique<Special>(model_, std::move(made));
  special_known_ = std::move(known);
  return &special_->calibration;
}

Scopes JunctionTree::scopes_of_unknown() const {
  Scopes scopes;
  for (VariableId v = 0; v < model_.num_variables(); ++v) {
    for (const Axis& axis : model_.table_of(v).axes) {
      if (!row().knows(axis.variable)) scopes.members.push_back(axis.variable);
    }
    scopes.end_scope();
  }
  return scopes;
}

std::span<const double> JunctionTree::marginals(const Run& run) {
  if (!marginals_.empty()) return marginals_;
  std::size_t size = 0;
  for (const std::uint32_t card : model_.cardinalities()) size += card;
  std::vector<double> found(size);
  std::size_t first = 0;
  for (VariableId v = 0; v < model_.num_variables(); ++v) {
    active_->marginal(v, std::span(found).subspan(first, model_.cardinalities()[v]), run);
    first += model_.cardinalities()[v];
  }
  return marginals_ = std::move(found);
}

EliminationRun::Size JunctionTree::plan_joint(std::span<const VariableId> variables) {
  run_.start(row(), soft());
  run_.include_around(variables);
  run_.drop_barren(variables);
  return run_.plan(Fold::sum, {}, Fold::sum, variables);
}

EliminationRun::Size JunctionTree::joint_size(std::span<const VariableId> variables) {
  assert(are_unknown(variables));
  double cells = 1;
  for (const VariableId v : variables) cells *= model_.cardinalities()[v];
  if (active_->clique_with(variables) != CliqueTree::none) return {cells, cells};
  const auto size = plan_joint(variables);
  return {size.total + cells, std::max(size.largest, cells)};
}

void JunctionTree::joint(std::span<const VariableId> variables, std::span<double> out, const Run& run) {
  assert(are_unknown(variables) && out.size() == model_.num_cells(variables));
  const CliqueId clique = active_->clique_with(variables);
  if (clique != CliqueTree::none) return active_->joint(clique, variables, out, run);
  plan_joint(variables);
  run_.eliminate(row(), run);
  run_.remaining(variables, out, run);
  [[maybe_unused]] const double total = normalise(out);
  assert(total > 0);
}

EliminationRun::Size JunctionTree::plan_most_probable(std::span<const VariableId> variables) {
  assert(are_unknown(variables));
  run_.start(row(), soft());
  run_.include_all();
  run_.drop_barren(variables);
  return run_.plan(Fold::sum, variables, Fold::max, {});
}

double JunctionTree::most_probable(std::span<const VariableId> variables, std::span<std::int32_t> states,
                                   const Run& run) {
  assert(states.size() == codes_.size());
  plan_most_probable(variables);
  run_.eliminate(row(), run);
  std::ranges::copy(codes_, states.begin());
  run_.take_best(states.data(), 1, variables.size());
  return run_.log_total() + log_of_known_families();
}

double JunctionTree::log_of_known_families() const {
  double log_probability = 0;
  for (VariableId v = 0; v < model_.num_variables(); ++v) {
    const TableView table = model_.table_of(v);
    if (!std::ranges::all_of(table.axes, [&](const Axis& axis) { return row().knows(axis.variable); }))
      continue;
    std::size_t offset = 0;
    for (const Axis& axis : table.axes)
      offset += axis.stride * static_cast<std::size_t>(codes_[axis.variable]);
    log_probability += std::log(table.cells.plain[offset]);
  }
  return log_probability;
}

void JunctionTree::sample(std::uint64_t seed, std::size_t num_rows, Run& run, std::int32_t* codes) {
  const RandomStream streams(seed, SeedStream::kCompletions);
  run_.start(row(), soft());
  run_.include_all();
  run_.drop_barren({});
  run_.plan(Fold::sum, {}, Fold::sum, {});
  run_.eliminate(row(), run);
  assert(run_.is_possible());
  const std::size_t num_blocks = (num_rows + kRowsAtOnce - 1) / kRowsAtOnce;
  parallel_for(run, num_blocks, [&](std::size_t, std::size_t block) {
    std::vector<double> weights;
    const std::size_t last = std::min(num_rows, (block + 1) * kRowsAtOnce);
    for (std::size_t r = block * kRowsAtOnce; r < last; ++r) {
      for (VariableId v = 0; v < model_.num_variables(); ++v) codes[v * num_rows + r] = codes_[v];
      run_.draw(codes + r, num_rows, streams.split(r), weights);
    }
    run.num_finished += last - block * kRowsAtOnce;
  });
}

}  // namespace treebound
