#include "density/gap_elimination.hpp"

#include <algorithm>
#include <cassert>

#include "density/lane_math.hpp"

namespace treebound {
namespace {

// A message whose lane is zero everywhere stays zero: its logarithm is that of the smallest normal float.
constexpr float kTiny = 1.2e-38f;

}  // namespace

GapElimination::GapElimination(const OrderedFamilies& families, std::size_t num_lanes)
    : families_(families), num_lanes_(num_lanes) {
  const std::size_t n = families.num_variables();
  assert(families.is_consistent() && families.order.size() == n && num_lanes > 0);
  children_.resize(n);
  rank_.resize(n);
  is_barren_.resize(n);
  std::vector<std::size_t> num_left(n);
  for (VariableId v = 0; v < n; ++v) {
    rank_[families.order[v]] = v;
    num_left[v] = families.parents_of(v).size();
    for (const VariableId parent : families.parents_of(v)) children_[parent].push_back(v);
    if (num_left[v] == 0) topological_.push_back(v);
  }
  for (std::size_t i = 0; i < topological_.size(); ++i)
    for (const VariableId child : children_[topological_[i]])
      if (--num_left[child] == 0) topological_.push_back(child);
  product_.resize(num_lanes);
}

std::size_t GapElimination::num_states(std::span<const VariableId> variables) const {
  std::size_t states = 1;
  for (const VariableId v : variables) states *= families_.cardinalities[v];
  return states;
}

void GapElimination::add_logs(const TrainingRows& rows, std::size_t r, const Matrix& shares, float* logs) {
  assert(r < rows.num_rows() && shares.num_rows == families_.num_cells() && shares.num_columns == num_lanes_);
  factors_.clear();
  steps_.clear();
  find_barren(rows, r);
  std::vector<VariableId> missing;
  for (const VariableId family : rows.gaps_of(r)) {
    if (is_barren_[family]) continue;
    load_table(rows, r, family, shares);
    if (rows.code(family, r) < 0) missing.push_back(family);
  }
  is_used_.assign(factors_.size(), 0);
  std::sort(missing.begin(), missing.end(), [&](VariableId a, VariableId b) { return rank_[a] < rank_[b]; });
  for (const VariableId v : missing) eliminate(v, logs);
}

void GapElimination::find_barren(const TrainingRows& rows, std::size_t r) {
  for (auto v = topological_.rbegin(); v != topological_.rend(); ++v) {
    is_barren_[*v] = rows.code(*v, r) < 0 && std::all_of(
                                                 children_[*v].begin(), children_[*v].end(),
                                                 [&](VariableId child) { return is_barren_[child]; });
  }
}

void GapElimination::load_table(const TrainingRows& rows, std::size_t r, VariableId family,
                                const Matrix& shares) {
  std::vector<VariableId> members(families_.parents_of(family).begin(), families_.parents_of(family).end());
  members.push_back(family);
  Factor factor;
  // Joint states of the members, the last running fastest, grow by one member at a time.
  factor.cells = {0};
  for (const VariableId v : members) {
    const std::int32_t code = rows.code(v, r);
    const std::uint32_t states = families_.cardinalities[v];
    if (code < 0) factor.variables.push_back(v);
    std::vector<std::uint32_t> longer;
    for (const std::uint32_t cell : factor.cells) {
      for (std::uint32_t state = 0; state < states; ++state) {
        if (code < 0 || static_cast<std::uint32_t>(code) == state) longer.push_back(cell * states + state);
      }
    }
    factor.cells = std::move(longer);
  }
  for (std::uint32_t& cell : factor.cells) {
    cell += static_cast<std::uint32_t>(families_.first_cell(family));
    factor.values.insert(factor.values.end(), shares.row(cell), shares.row(cell) + num_lanes_);
  }
  factors_.push_back(std::move(factor));
}

template <typename Body>
void GapElimination::for_each_state(const Step& step, Body body) {
  // The variable that leaves runs fastest.
  std::vector<VariableId> variables = factors_[step.output].variables;
  variables.push_back(step.variable);
  const std::size_t inputs = step.inputs.size(), axes = variables.size();
  std::vector<std::size_t> strides(inputs * axes, 0), places(inputs, 0), state(axes, 0);
  for (std::size_t j = 0; j < inputs; ++j) {
    const std::vector<VariableId>& own = factors_[step.inputs[j]].variables;
    std::size_t stride = 1;
    for (std::size_t i = own.size(); i-- > 0; stride *= families_.cardinalities[own[i]]) {
      const auto axis = std::find(variables.begin(), variables.end(), own[i]) - variables.begin();
      strides[j * axes + static_cast<std::size_t>(axis)] = stride;
    }
  }
  const std::size_t own_states = families_.cardinalities[step.variable];
  for (std::size_t joint = 0, all = num_states(variables); joint < all; ++joint) {
    body(joint / own_states, std::span<const std::size_t>(places));
    for (std::size_t axis = axes; axis-- > 0;) {
      const std::size_t states = families_.cardinalities[variables[axis]];
      const bool wraps = ++state[axis] == states;
      for (std::size_t j = 0; j < inputs; ++j) {
        places[j] += strides[j * axes + axis];
        if (wraps) places[j] -= states * strides[j * axes + axis];
      }
      if (!wraps) break;
      state[axis] = 0;
    }
  }
}

void GapElimination::eliminate(VariableId v, float* logs) {
  Step step{v, {}, factors_.size(), std::vector<float>(num_lanes_, kTiny)};
  Factor message;
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    const std::vector<VariableId>& own = factors_[f].variables;
    if (is_used_[f] || std::find(own.begin(), own.end(), v) == own.end()) continue;
    is_used_[f] = 1;
    step.inputs.push_back(f);
    for (const VariableId u : own) {
      if (u != v &&
          std::find(message.variables.begin(), message.variables.end(), u) == message.variables.end())
        message.variables.push_back(u);
    }
  }
  const std::size_t states = num_states(message.variables);
  message.values.assign(states * num_lanes_, 0.0f);
  factors_.push_back(std::move(message));
  is_used_.push_back(0);
  for_each_state(step, [&](std::size_t state, std::span<const std::size_t> places) {
    lanes_fill(product_.data(), 1.0f, num_lanes_);
    for (std::size_t j = 0; j < places.size(); ++j)
      lanes_multiply(product_.data(), product_.data(), values_at(step.inputs[j], places[j]), num_lanes_);
    lanes_add(values_at(step.output, state), product_.data(), num_lanes_);
  });
  for (std::size_t state = 0; state < states; ++state)
    lanes_max(step.scale.data(), values_at(step.output, state), num_lanes_);
  for (std::size_t state = 0; state < states; ++state)
    lanes_divide(values_at(step.output, state), values_at(step.output, state), step.scale.data(), num_lanes_);
  lanes_add_log(logs, step.scale.data(), num_lanes_);
  steps_.push_back(std::move(step));
}

void GapElimination::visit_expected(const Visit& visit) {
  for (Factor& factor : factors_) {
    // The last message of each connected part is a single number, one in every lane.
    factor.slopes.assign(factor.values.size(), factor.variables.empty() ? 1.0f : 0.0f);
  }
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) go_back(*step);
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    for (std::size_t i = 0; i < factors_[f].cells.size(); ++i) {
      lanes_multiply(product_.data(), values_at(f, i), slopes_at(f, i), num_lanes_);
      visit(factors_[f].cells[i], product_.data());
    }
  }
}

void GapElimination::go_back(const Step& step) {
  const std::size_t inputs = step.inputs.size();
  for (std::size_t state = 0, all = num_states(factors_[step.output].variables); state < all; ++state)
    lanes_divide(slopes_at(step.output, state), slopes_at(step.output, state), step.scale.data(), num_lanes_);
  before_.resize((inputs + 1) * num_lanes_);
  after_.resize(num_lanes_);
  for_each_state(step, [&](std::size_t state, std::span<const std::size_t> places) {
    // The product of all inputs but one is that of those before it times that of those after it.
    std::copy_n(slopes_at(step.output, state), num_lanes_, before_.data());
    for (std::size_t j = 0; j < inputs; ++j) {
      lanes_multiply(before_.data() + (j + 1) * num_lanes_, before_.data() + j * num_lanes_,
                     values_at(step.inputs[j], places[j]), num_lanes_);
    }
    lanes_fill(after_.data(), 1.0f, num_lanes_);
    for (std::size_t j = inputs; j-- > 0;) {
      lanes_add_product(slopes_at(step.inputs[j], places[j]), before_.data() + j * num_lanes_, after_.data(),
                        num_lanes_);
      lanes_multiply(after_.data(), after_.data(), values_at(step.inputs[j], places[j]), num_lanes_);
    }
  });
}

}  // namespace treebound
