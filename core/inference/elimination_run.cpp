#include "inference/elimination_run.hpp"

#include <algorithm>
#include <cassert>
#include <type_traits>

namespace treebound {

EliminationRun::EliminationRun(const Model& model)
    : model_(model),
      topological_rank_(model.num_variables()),
      product_(model),
      is_included_(model.num_variables(), 0),
      is_barren_(model.num_variables(), 0),
      is_loaded_(model.num_variables(), 0),
      is_held_(model.num_variables(), 0),
      soft_index_(model.num_variables(), 0),
      factors_with_(model.num_variables()) {
  std::uint32_t rank = 0;
  for (const VariableId v : model.topological_order()) topological_rank_[v] = rank++;
}

void EliminationRun::start(const RowView& row, const SoftFindings& soft) {
  for (const VariableId v : variables_) {
    is_included_[v] = is_barren_[v] = 0;
    factors_with_[v].clear();
  }
  for (const Loaded& table : loaded_) is_loaded_[table.child] = 0;
  for (const VariableId v : soft_.variables) soft_index_[v] = 0;
  variables_.clear();
  barren_.clear();
  loaded_.clear();
  factors_.clear();
  axes_.clear();
  known_axes_.clear();
  steps_.clear();
  step_factors_.clear();
  neighbours_.clear();
  row_ = row;
  soft_ = soft;
  for (std::uint32_t i = 0; i < soft.variables.size(); ++i) soft_index_[soft.variables[i]] = i + 1;
}

void EliminationRun::include(VariableId v) {
  if (is_included_[v] || row_.knows(v)) return;
  is_included_[v] = 1;
  variables_.push_back(v);
}

void EliminationRun::include_all() {
  for (VariableId v = 0; v < model_.num_variables(); ++v) include(v);
}

void EliminationRun::include_around(std::span<const VariableId> targets) {
  const std::size_t first = variables_.size();
  for (const VariableId v : targets) include(v);
  include_connected(first);
}

bool EliminationRun::include_table(VariableId child) {
  const std::size_t first = variables_.size();
  bool has_unknown = false;
  for (const Axis& axis : model_.table_of(child).axes) {
    has_unknown |= !row_.knows(axis.variable);
    include(axis.variable);
  }
  include_connected(first);
  return has_unknown;
}

void EliminationRun::include_connected(std::size_t first) {
  for (std::size_t i = first; i < variables_.size(); ++i) {
    for (const VariableId child : model_.tables_with(variables_[i])) {
      for (const Axis& axis : model_.table_of(child).axes) include(axis.variable);
    }
  }
}

void EliminationRun::drop_barren(std::span<const VariableId> kept) {
  for (const VariableId v : kept) is_held_[v] = 1;
  std::ranges::sort(variables_, std::greater{}, [&](VariableId v) { return topological_rank_[v]; });
  for (const VariableId v : variables_) {
    if (is_held_[v] || soft_index_[v]) continue;
    const bool is_barren = std::ranges::all_of(
        model_.tables_with(v), [&](VariableId child) { return child == v || is_barren_[child]; });
    if (!is_barren) continue;
    is_barren_[v] = 1;
    barren_.push_back(v);
  }
  for (const VariableId v : kept) is_held_[v] = 0;
}

std::uint32_t EliminationRun::add_factor(const Cells& cells, std::size_t first_axis) {
  const auto id = static_cast<std::uint32_t>(factors_.size());
  factors_.push_back({cells, first_axis, axes_.size(), false});
  for (const Axis& axis : axes_of(factors_.back())) factors_with_[axis.variable].push_back(id);
  return id;
}

void EliminationRun::load_table(VariableId child) {
  if (is_loaded_[child] || is_barren_[child]) return;
  is_loaded_[child] = 1;
  const std::size_t first = axes_.size(), first_known = known_axes_.size();
  for (const Axis& axis : model_.table_of(child).axes)
    (row_.knows(axis.variable) ? known_axes_ : axes_).push_back(axis);
  loaded_.push_back({child, add_factor({}, first), first_known, known_axes_.size()});
}

/// The tables of all variables taken in and not dropped.
void EliminationRun::load_tables() {
  for (const VariableId v : variables_) {
    if (is_barren_[v]) continue;
    for (const VariableId child : model_.tables_with(v)) load_table(child);
    if (!soft_index_[v]) continue;
    axes_.push_back({v, 1});
    const auto weights = soft_.weights_of(soft_index_[v] - 1);
    add_factor({weights.data(), nullptr, magnitudes_of(weights)}, axes_.size() - 1);
  }
}

void EliminationRun::plan_order(std::span<const VariableId> last, std::span<const VariableId> kept) {
  for (const auto& held : {last, kept}) {
    for (const VariableId v : held) is_held_[v] = 1;
  }
  order_.clear();
  for (const VariableId v : variables_) {
    if (!is_held_[v] && !is_barren_[v]) order_.push_back(v);
  }
  const auto rank = [&](VariableId v) { return model_.rank(v); };
  std::ranges::sort(order_, {}, rank);
  const auto middle = static_cast<std::ptrdiff_t>(order_.size());
  order_.insert(order_.end(), last.begin(), last.end());
  std::ranges::sort(order_.begin() + middle, order_.end(), {}, rank);
  for (const auto& held : {last, kept}) {
    for (const VariableId v : held) is_held_[v] = 0;
  }
}

EliminationRun::Size EliminationRun::plan(Fold fold, std::span<const VariableId> last, Fold last_fold,
                                          std::span<const VariableId> kept) {
  size_ = {};
  load_tables();
  plan_order(last, kept);
  const std::size_t num_first = order_.size() - last.size();
  for (std::size_t i = 0; i < order_.size(); ++i) plan_step(order_[i], i < num_first ? fold : last_fold);
  return size_;
}

void EliminationRun::plan_step(VariableId v, Fold fold) {
  const std::size_t first_factor = step_factors_.size(), first_neighbour = neighbours_.size();
  is_held_[v] = 1;
  for (const std::uint32_t id : factors_with_[v]) {
    if (factors_[id].is_used) continue;
    factors_[id].is_used = true;
    step_factors_.push_back(id);
    for (const Axis& axis : axes_of(factors_[id])) {
      if (is_held_[axis.variable]) continue;
      is_held_[axis.variable] = 1;
      neighbours_.push_back(axis.variable);
    }
  }
  const std::span neighbours = std::span(neighbours_).subspan(first_neighbour);
  is_held_[v] = 0;
  for (const VariableId u : neighbours) is_held_[u] = 0;
  std::ranges::sort(neighbours, {}, [&](VariableId u) { return model_.rank(u); });

  double cells = 1;
  for (const VariableId u : neighbours) cells *= model_.cardinalities()[u];
  size_.total += cells * model_.cardinalities()[v];
  size_.largest = std::max(size_.largest, cells);

  const std::size_t first_axis = axes_.size();
  axes_.resize(first_axis + neighbours.size());
  lay_out(model_, neighbours, std::span(axes_).subspan(first_axis));
  steps_.push_back({v, fold, first_factor, step_factors_.size(), first_neighbour, neighbours_.size(),
                    neighbours.empty() ? 0 : add_factor({}, first_axis)});
}

void EliminationRun::eliminate(const RowView& row, const Run& run) {
  assert(knows_as_planned(row));
  row_ = row;
  total_ = 1;
  for (const Loaded& table : loaded_) {
    std::size_t offset = 0;
    for (std::size_t a = table.first_known; a < table.last_known; ++a)
      offset += known_axes_[a].stride * static_cast<std::size_t>(row[known_axes_[a].variable]);
    factors_[table.factor].cells = model_.table_of(table.child).cells.from(offset);
  }
  if (made_.size() < steps_.size()) made_.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) make_table(steps_[i], made_[i], run);
}

/// The table that a step leaves over the variable's neighbours; what it leaves without any is a factor of the
/// total.
void EliminationRun::make_table(const Step& step, ScaledTable& out, const Run& run) {
  product_.clear();
  for (std::size_t i = step.first_factor; i < step.last_factor; ++i) {
    const Factor& factor = factors_[step_factors_[i]];
    product_.add(factor.cells, axes_of(factor));
  }
  total_.exponent += product_.fold(step.fold, neighbours_of(step), out, run);
  if (step.first_neighbour < step.last_neighbour) {
    factors_[step.factor].cells = out.cells();
  } else {
    double number;
    out.copy_to({&number, 1});
    total_ *= number;
  }
}

/// For asserts: the codes are states, and the variables that the plan takes as known are.
bool EliminationRun::knows_as_planned(const RowView& row) const {
  return std::ranges::all_of(known_axes_,
                             [&](const Axis& axis) {
                               const auto num_states = model_.cardinalities()[axis.variable];
                               return row.knows(axis.variable) &&
                                      static_cast<std::uint32_t>(row[axis.variable]) < num_states;
                             }) &&
         std::ranges::none_of(variables_, [&](VariableId v) { return row.knows(v); });
}

void EliminationRun::remaining(std::span<const VariableId> kept, std::span<double> out, const Run& run) {
  if (kept.size() == 1 && multiply_remaining(kept.front(), out)) return;
  product_.clear();
  for (const Factor& factor : factors_) {
    if (!factor.is_used) product_.add(factor.cells, axes_of(factor));
  }
  product_.fold(Fold::sum, kept, out, run);
}

namespace {

/// Multiplies the weights of v's states by a table's cells, given the states of its other variables.
template <typename Number>
void multiply_column(const TableView& table, VariableId v, const std::int32_t* states, std::size_t stride,
                     std::span<Number> weights) {
  std::size_t offset = 0;
  std::size_t own_stride = 0;
  for (const Axis& axis : table.axes) {
    if (axis.variable == v)
      own_stride = axis.stride;
    else
      offset += axis.stride * static_cast<std::size_t>(states[axis.variable * stride]);
  }
  const Cells cells = table.cells.from(offset);
  if constexpr (std::is_same_v<Number, WideNumber>) {
    if (cells.wide) {
      for (std::size_t state = 0; state < weights.size(); ++state)
        weights[state] *= cells.wide[state * own_stride];
      return;
    }
  }
  for (std::size_t state = 0; state < weights.size(); ++state)
    weights[state] *= cells.plain[state * own_stride];
}

}  // namespace

/// The product of what is left over v, without the preparations of a contraction, which in most rows would
/// take longer; false if some table is not over v alone, or the product does not fit doubles.
bool EliminationRun::multiply_remaining(VariableId v, std::span<double> out) const {
  assert(out.size() == model_.cardinalities()[v]);
  ProductRange range;
  for (const Factor& factor : factors_) {
    if (factor.is_used) continue;
    if (factor.cells.wide || factor.last_axis - factor.first_axis != 1) return false;
    range.multiply(factor.cells.magnitudes);
  }
  if (!range.fits_doubles()) return false;
  std::ranges::fill(out, 1.0);
  for (const Factor& factor : factors_) {
    if (!factor.is_used) multiply_column<double>({factor.cells, axes_of(factor)}, v, nullptr, 0, out);
  }
  return true;
}

template <typename Number>
void EliminationRun::multiply_columns(const Step& step, const std::int32_t* states, std::size_t stride,
                                      std::span<Number> weights) const {
  for (std::size_t i = step.first_factor; i < step.last_factor; ++i) {
    const Factor& factor = factors_[step_factors_[i]];
    multiply_column<Number>({factor.cells, axes_of(factor)}, step.variable, states, stride, weights);
  }
}

bool EliminationRun::fits_doubles(const Step& step) const {
  ProductRange range;
  for (std::size_t i = step.first_factor; i < step.last_factor; ++i) {
    const Cells& cells = factors_[step_factors_[i]].cells;
    if (cells.wide) return false;
    range.multiply(cells.magnitudes);
  }
  return range.fits_doubles();
}

/// Relative probabilities of the states of a step's variable, given those of all that left later.
void EliminationRun::weigh(const Step& step, const std::int32_t* states, std::size_t stride,
                           std::vector<double>& weights) const {
  weights.assign(model_.cardinalities()[step.variable], 1.0);
  if (fits_doubles(step)) return multiply_columns<double>(step, states, stride, weights);
  ScaledTable product;
  product.fill_wide(weights.size(), [&](WideNumber* cells) {
    const std::span wide(cells, weights.size());
    std::ranges::fill(wide, WideNumber(1));
    multiply_columns(step, states, stride, wide);
  });
  product.copy_to(weights);
}

void EliminationRun::take_best(std::int32_t* states, std::size_t stride, std::size_t num_steps) const {
  std::vector<double> weights;
  for (std::size_t i = 0; i < num_steps; ++i) {
    const Step& step = steps_[steps_.size() - 1 - i];
    weigh(step, states, stride, weights);
    const auto best = std::ranges::max_element(weights) - weights.begin();
    states[step.variable * stride] = static_cast<std::int32_t>(best);
  }
}

namespace {

/// The state whose stretch of the unit interval holds `u`, never one of weight zero.
std::int32_t pick(std::span<const double> weights, double u) {
  double total = 0;
  for (const double weight : weights) total += weight;
  double end = 0;
  std::size_t chosen = 0;
  for (std::size_t state = 0; state < weights.size(); ++state) {
    if (weights[state] <= 0) continue;
    chosen = state;
    end += weights[state];
    if (u * total < end) break;
  }
  return static_cast<std::int32_t>(chosen);
}

}  // namespace

void EliminationRun::draw(std::int32_t* states, std::size_t stride, const RandomStream& stream,
                          std::vector<double>& weights) const {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    weigh(*step, states, stride, weights);
    states[step->variable * stride] = pick(weights, stream.uniform_at(step->variable));
  }
  // Barren variables were found children first.
  for (auto v = barren_.rbegin(); v != barren_.rend(); ++v) {
    weights.assign(model_.cardinalities()[*v], 1.0);
    multiply_column<double>(model_.table_of(*v), *v, states, stride, weights);
    states[*v * stride] = pick(weights, stream.uniform_at(*v));
  }
}

}  // namespace treebound
