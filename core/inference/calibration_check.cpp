// Calibration::is_valid: whether the state kept from one query to the next fits the findings.
#include <algorithm>

#include "inference/calibration.hpp"

namespace treebound {

/// A message is a table over the unknown variables of its separator, or has none.
bool Calibration::is_sound(MessageId m) const {
  const Message& message = messages_[m];
  if (message.is_unit) return true;
  const auto& separator = tree_.separators[m / 2];
  const bool is_about_it = std::ranges::all_of(message.axes, [&](const Axis& axis) {
    return codes_[axis.variable] < 0 && std::ranges::find(separator, axis.variable) != separator.end();
  });
  std::size_t num_cells = 1;
  for (const Axis& axis : message.axes) num_cells *= model_.cardinalities()[axis.variable];
  const auto num_unknown = std::ranges::count_if(separator, [&](VariableId v) { return codes_[v] < 0; });
  return is_about_it && std::ssize(message.axes) == num_unknown && message.table.size() == num_cells;
}

bool Calibration::is_valid() const {
  if (codes_.size() != model_.num_variables()) return false;
  for (VariableId v = 0; v < codes_.size(); ++v) {
    if (codes_[v] >= static_cast<std::int64_t>(model_.cardinalities()[v])) return false;
    const std::size_t num_weights = soft_[v].weights.size();
    if (num_weights != 0 && num_weights != model_.cardinalities()[v]) return false;
  }
  for (MessageId m = 0; m < messages_.size(); ++m) {
    if (sender(m) == CliqueTree::none || receiver(m) == CliqueTree::none || !messages_[m].is_valid) continue;
    if (!is_sound(m)) return false;
    bool are_behind_valid = true;
    for_each_into(sender(m), [&](MessageId into, MessageId) {
      if (sender(into) != receiver(m)) are_behind_valid &= messages_[into].is_valid;
    });
    if (!are_behind_valid) return false;
  }
  return true;
}

}  // namespace treebound
