#include "inference/elimination_run.hpp"

#include <algorithm>
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
  for (const VariableId v : loaded_) is_loaded_[v] = 0;
  for (const VariableId v : soft_.variables) soft_index_[v] = 0;
  variables_.clear();
  barren_.clear();
  loaded_.clear();
  factors_.clear();
  axes_.clear();
  steps_.clear();
  step_factors_.clear();
  total_ = 1;
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

void EliminationRun::add_factor(const Cells& cells, std::size_t first_axis) {
  const auto id = static_cast<std::uint32_t>(factors_.size());
  factors_.push_back({cells, first_axis, axes_.size(), false});
  for (const Axis& axis : axes_of(factors_.back())) factors_with_[axis.variable].push_back(id);
}

void EliminationRun::add_table(VariableId child) {
  if (is_loaded_[child] || is_barren_[child]) return;
  is_loaded_[child] = 1;
  loaded_.push_back(child);
  const TableView table = model_.table_of(child);
  std::size_t offset = 0;
  const std::size_t first = axes_.size();
  for (const Axis& axis : table.axes) {
    if (row_.knows(axis.variable))
      offset += axis.stride * static_cast<std::size_t>(row_[axis.variable]);
    else
      axes_.push_back(axis);
  }
  add_factor(table.cells.from(offset), first);
}

void EliminationRun::load_tables() {
  for (const VariableId v : variables_) {
    if (is_barren_[v]) continue;
    for (const VariableId child : model_.tables_with(v)) add_table(child);
    if (!soft_index_[v]) continue;
    axes_.push_back({v, 1});
    const auto weights = soft_.weights_of(soft_index_[v] - 1);
    add_factor({weights.data(), nullptr, magnitudes_of(weights)}, axes_.size() - 1);
  }
  num_loaded_factors_ = factors_.size();
  num_loaded_axes_ = axes_.size();
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

EliminationRun::Size EliminationRun::measure(std::span<const VariableId> last,
                                             std::span<const VariableId> kept) {
  size_ = {};
  plan_order(last, kept);
  for (const VariableId v : order_) eliminate_one(v, Fold::sum, true);
  forget_steps();
  return size_;
}

/// Back to the loaded tables alone.
void EliminationRun::forget_steps() {
  factors_.resize(num_loaded_factors_);
  axes_.resize(num_loaded_axes_);
  for (Factor& factor : factors_) factor.is_used = false;
  for (const VariableId v : variables_) {
    std::erase_if(factors_with_[v], [&](std::uint32_t id) { return id >= num_loaded_factors_; });
  }
  steps_.clear();
  step_factors_.clear();
}

void EliminationRun::eliminate(Fold fold, std::span<const VariableId> last, Fold last_fold,
                               std::span<const VariableId> kept) {
  plan_order(last, kept);
  if (made_.size() < order_.size()) made_.resize(order_.size());
  const std::size_t num_first = order_.size() - last.size();
  for (std::size_t i = 0; i < order_.size(); ++i)
    eliminate_one(order_[i], i < num_first ? fold : last_fold, false);
}

void EliminationRun::eliminate_one(VariableId v, Fold fold, bool is_dry) {
  const std::size_t first_factor = step_factors_.size();
  neighbours_.clear();
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
  is_held_[v] = 0;
  for (const VariableId u : neighbours_) is_held_[u] = 0;
  std::ranges::sort(neighbours_, {}, [&](VariableId u) { return model_.rank(u); });

  double cells = 1;
  for (const VariableId u : neighbours_) cells *= model_.cardinalities()[u];
  size_.total += cells * model_.cardinalities()[v];
  size_.largest = std::max(size_.largest, cells);

  const std::size_t step = steps_.size();
  steps_.push_back({v, first_factor, step_factors_.size(), true});
  const std::size_t first_axis = axes_.size();
  axes_.resize(first_axis + neighbours_.size());
  std::size_t stride = 1;
  for (std::size_t i = neighbours_.size(); i-- > 0;) {
    axes_[first_axis + i] = {neighbours_[i], stride};
    stride *= model_.cardinalities()[neighbours_[i]];
  }
  if (!is_dry) make_table(fold, step);
  if (!neighbours_.empty()) add_factor(is_dry ? Cells{} : made_[step].cells(), first_axis);
}

/// The table that a step leaves over the variable's neighbours; what it leaves without any is a factor of the
/// total.
void EliminationRun::make_table(Fold fold, std::size_t step) {
  ProductRange range;
  bool has_wide = false;
  product_.clear();
  for (std::size_t i = steps_[step].first_factor; i < steps_[step].last_factor; ++i) {
    const Factor& factor = factors_[step_factors_[i]];
    product_.add(factor.cells, axes_of(factor));
    range.multiply(factor.cells.magnitudes);
    has_wide |= factor.cells.wide != nullptr;
  }
  steps_[step].fits_doubles = !has_wide && range.fits_doubles();
  const std::int64_t exponent = product_.fold(fold, neighbours_, made_[step]);
  if (neighbours_.empty()) {
    double number;
    made_[step].copy_to({&number, 1});
    total_ *= number;
  }
  total_.exponent += exponent;
}

void EliminationRun::remaining(std::span<const VariableId> kept, std::span<double> out) {
  product_.clear();
  for (const Factor& factor : factors_) {
    if (!factor.is_used) product_.add(factor.cells, axes_of(factor));
  }
  product_.fold(Fold::sum, kept, out);
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

template <typename Number>
void EliminationRun::multiply_columns(const Step& step, const std::int32_t* states, std::size_t stride,
                                      std::span<Number> weights) const {
  for (std::size_t i = step.first_factor; i < step.last_factor; ++i) {
    const Factor& factor = factors_[step_factors_[i]];
    multiply_column<Number>({factor.cells, axes_of(factor)}, step.variable, states, stride, weights);
  }
}

/// Relative probabilities of the states of a step's variable, given those of all that left later.
void EliminationRun::weigh(const Step& step, const std::int32_t* states, std::size_t stride,
                           std::vector<double>& weights) const {
  weights.assign(model_.cardinalities()[step.variable], 1.0);
  if (step.fits_doubles) return multiply_columns<double>(step, states, stride, weights);
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
