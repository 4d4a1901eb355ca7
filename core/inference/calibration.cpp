#include "inference/calibration.hpp"

#include <algorithm>
#include <limits>

#include "base/asserts.hpp"
#include "inference/normalise.hpp"

namespace treebound {

Calibration::Calibration(const Model& model, const CliqueTree& tree)
    : model_(model),
      tree_(tree),
      messages_(2 * tree.num_cliques()),
      codes_(model.num_variables(), -1),
      soft_(model.num_variables()),
      cliques_with_(model.num_variables()),
      product_(model),
      num_mentions_(model.num_variables(), 0) {
  assert(tree.homes.size() == model.num_variables());
  for (CliqueId c = 0; c < tree.num_cliques(); ++c) {
    for (const VariableId v : tree.members[c]) cliques_with_[v].push_back(c);
  }
  choose_places();
}

void Calibration::choose_places() {
  const auto cells = [&](std::span<const VariableId> variables) {
    double product = 1;
    for (const VariableId v : variables) product *= model_.cardinalities()[v];
    return product;
  };
  std::vector<double> least(model_.num_variables(), std::numeric_limits<double>::infinity());
  places_.resize(model_.num_variables());
  const auto offer = [&](std::span<const VariableId> variables, Place place) {
    const double cost = cells(variables);
    for (const VariableId v : variables) {
      if (cost < least[v]) least[v] = cost, places_[v] = place;
    }
  };
  for (CliqueId c = 0; c < tree_.num_cliques(); ++c) {
    offer(tree_.members[c], {c, false});
    offer(tree_.separators[c], {c, true});
  }
}

bool Calibration::set_findings(const RowView& hard, const SoftFindings& soft) {
  std::vector<std::span<const double>> weights(model_.num_variables());
  for (std::size_t i = 0; i < soft.variables.size(); ++i) weights[soft.variables[i]] = soft.weights_of(i);
  bool is_changed = false;
  for (VariableId v = 0; v < model_.num_variables(); ++v) is_changed |= change(v, hard[v], weights[v]);
  TREEBOUND_ASSERT_VALID(*this);
  if (is_changed) has_log_probability_ = false;
  return is_changed;
}

bool Calibration::change(VariableId v, std::int32_t code, std::span<const double> weights) {
  const std::int32_t known = std::max(code, -1);
  const bool is_other_code = codes_[v] != known;
  const bool are_other_weights = !std::ranges::equal(soft_[v].weights, weights);
  if (is_other_code) {
    codes_[v] = known;
    // The variable's axis comes or goes in all cliques that hold it; a tree made for known variables holds
    // none of them, only the tables they are looked up in.
    for (const CliqueId c : cliques_with_[v]) invalidate_from(c);
    for (const VariableId child : model_.tables_with(v)) invalidate_from(tree_.homes[child]);
  }
  if (are_other_weights) {
    soft_[v].weights.assign(weights.begin(), weights.end());
    soft_[v].magnitudes = magnitudes_of(weights);
    invalidate_from(tree_.homes[v]);
  }
  return is_other_code || are_other_weights;
}

/// All messages that lead away from a clique. Messages that depend on an invalid one are invalid already.
void Calibration::invalidate_from(CliqueId c) {
  stack_.clear();
  for_each_into(c, [&](MessageId, MessageId away) { stack_.push_back(away); });
  while (!stack_.empty()) {
    const MessageId m = stack_.back();
    stack_.pop_back();
    if (!messages_[m].is_valid) continue;
    messages_[m].is_valid = false;
    const CliqueId from = sender(m);
    for_each_into(receiver(m), [&](MessageId into, MessageId away) {
      if (sender(into) != from) stack_.push_back(away);
    });
  }
}

void Calibration::validate(MessageId wanted, const Run& run) {
  stack_.assign(1, wanted);
  while (!stack_.empty()) {
    const MessageId m = stack_.back();
    const std::size_t waiting = stack_.size();
    if (!messages_[m].is_valid) {
      const CliqueId to = receiver(m);
      for_each_into(sender(m), [&](MessageId into, MessageId) {
        if (sender(into) != to && !messages_[into].is_valid) stack_.push_back(into);
      });
      if (stack_.size() > waiting) continue;
      compute(m, run);
    }
    stack_.pop_back();
  }
}

void Calibration::validate_into(CliqueId c, const Run& run) {
  for_each_into(c, [&](MessageId into, MessageId) { validate(into, run); });
}

void Calibration::gather_table(VariableId guest) {
  const TableView table = model_.table_of(guest);
  const std::size_t first = axes_.size();
  std::size_t offset = 0;
  for (const Axis& axis : table.axes) {
    if (codes_[axis.variable] >= 0)
      offset += axis.stride * static_cast<std::size_t>(codes_[axis.variable]);
    else
      axes_.push_back(axis);
  }
  parts_.push_back({table.cells.from(offset), first, axes_.size(), guest});
  const Likelihoods& soft = soft_[guest];
  if (soft.weights.empty() || codes_[guest] >= 0) return;
  axes_.push_back({guest, 1});
  parts_.push_back(
      {{soft.weights.data(), nullptr, soft.magnitudes}, axes_.size() - 1, axes_.size(), kNoVariable});
}

/// Summing P(child | parents) over a child that nothing else mentions gives one.
void Calibration::drop_barren(std::span<const VariableId> kept) {
  for (const Axis& axis : axes_) ++num_mentions_[axis.variable];
  for (const VariableId v : kept) ++num_mentions_[v];
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Part part = parts_[i];
      if (part.child == kNoVariable || codes_[part.child] >= 0 || num_mentions_[part.child] > 1) continue;
      for (std::size_t a = part.first_axis; a < part.last_axis; ++a) --num_mentions_[axes_[a].variable];
      parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(i--));
      is_changed = true;
    }
  }
  for (const Axis& axis : axes_) num_mentions_[axis.variable] = 0;
  for (const VariableId v : kept) num_mentions_[v] = 0;
}

std::int64_t Calibration::gather(CliqueId c, CliqueId except, std::span<const VariableId> kept) {
  parts_.clear();
  axes_.clear();
  std::int64_t exponent = 0;
  for (const VariableId guest : tree_.guests[c]) gather_table(guest);
  for_each_into(c, [&](MessageId into, MessageId) {
    if (sender(into) == except) return;
    const Message& message = messages_[into];
    assert(message.is_valid);
    exponent += message.exponent;
    if (message.is_unit) return;
    const std::size_t first = axes_.size();
    axes_.insert(axes_.end(), message.axes.begin(), message.axes.end());
    parts_.push_back({message.table.cells(), first, axes_.size(), kNoVariable});
  });
  drop_barren(kept);
  product_.clear();
  for (const Part& part : parts_) {
    product_.add(part.cells, std::span(axes_).subspan(part.first_axis, part.last_axis - part.first_axis));
  }
  return exponent;
}

void Calibration::compute(MessageId m, const Run& run) {
  Message& message = messages_[m];
  assert(!message.is_valid);
  kept_.clear();
  for (const VariableId v : tree_.separators[m / 2]) {
    if (codes_[v] < 0) kept_.push_back(v);
  }
  message.exponent = gather(sender(m), receiver(m), kept_);
  message.is_unit = parts_.empty();
  if (!message.is_unit) {
    message.axes.resize(kept_.size());
    lay_out(model_, kept_, message.axes);
    message.exponent += product_.fold(Fold::sum, kept_, message.table, run);
  }
  message.is_valid = true;  // only now: the run may be stopped before
  assert(is_sound(m));
}

double Calibration::log_probability(const Run& run) {
  if (has_log_probability_) return log_probability_;
  WideNumber probability = 1;
  for (const CliqueId root : tree_.roots) {
    validate_into(root, run);
    double total = 1;
    std::int64_t exponent = gather(root, CliqueTree::none, {});
    exponent += product_.fold(Fold::sum, {}, {&total, 1}, run);
    probability *= WideNumber(total);
    probability.exponent += exponent;
  }
  log_probability_ = probability.log();
  has_log_probability_ = true;
  return log_probability_;
}

void Calibration::marginal(VariableId v, std::span<double> out, const Run& run) {
  assert(out.size() == model_.cardinalities()[v]);
  if (codes_[v] >= 0) {
    std::ranges::fill(out, 0.0);
    out[static_cast<std::size_t>(codes_[v])] = 1;
    return;
  }
  const Place place = places_[v];
  if (!place.is_separator) return joint(place.clique, {&v, 1}, out, run);
  for (const MessageId m : {upward(place.clique), downward(place.clique)}) validate(m, run);
  product_.clear();
  for (const MessageId m : {upward(place.clique), downward(place.clique)}) {
    if (!messages_[m].is_unit) product_.add(messages_[m].table.cells(), messages_[m].axes);
  }
  product_.fold(Fold::sum, {&v, 1}, out, run);
  [[maybe_unused]] const double total = normalise(out);
  assert(total > 0);  // the findings are possible
}

CliqueId Calibration::clique_with(std::span<const VariableId> variables) const {
  const auto rarest =
      std::ranges::min_element(variables, {}, [&](VariableId v) { return cliques_with_[v].size(); });
  CliqueId best = CliqueTree::none;
  for (const CliqueId c : cliques_with_[*rarest]) {
    const auto& members = tree_.members[c];
    const bool holds_all = std::ranges::all_of(
        variables, [&](VariableId v) { return std::ranges::find(members, v) != members.end(); });
    if (holds_all && (best == CliqueTree::none || members.size() < tree_.members[best].size())) best = c;
  }
  return best;
}

void Calibration::joint(CliqueId clique, std::span<const VariableId> variables, std::span<double> out,
                        const Run& run) {
  assert(std::ranges::all_of(variables, [&](VariableId v) { return codes_[v] < 0; }));
  validate_into(clique, run);
  gather(clique, CliqueTree::none, variables);
  product_.fold(Fold::sum, variables, out, run);
  [[maybe_unused]] const double total = normalise(out);
  assert(total > 0);  // the findings are possible
}

}  // namespace treebound
