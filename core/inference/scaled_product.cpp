#include "inference/scaled_product.hpp"

#include <algorithm>
#include <cmath>

namespace treebound {
namespace {

constexpr std::size_t kMostAtOnce = 8;

}  // namespace

double scale_to_one(std::span<double> values) {
  const double largest = *std::ranges::max_element(values);
  if (largest > 0) {
    for (double& value : values) value /= largest;
  }
  return std::log(largest);
}

/// Multiplies tables over the same variables; the product takes the place of the group in `next_`.
double ScaledProduct::multiply_group(std::span<const Operand> group) {
  scope_.clear();
  contraction_.clear();
  for (const Axis& axis : group.front().axes) scope_.push_back(axis.variable);
  for (const Operand& operand : group) contraction_.add(operand.values, operand.axes);
  Product& product = products_[num_products_++];
  product.axes.resize(scope_.size());
  std::size_t cells = 1;
  for (std::size_t i = scope_.size(); i-- > 0;) {
    product.axes[i] = {scope_[i], cells};
    cells *= model_.cardinalities()[scope_[i]];
  }
  product.values.resize(cells);
  contraction_.run(Fold::sum, scope_, product.values.data());
  next_.push_back({product.values.data(), product.axes});
  return scale_to_one(product.values);
}

/// One round over all operands; each run over the same variables shrinks to an eighth.
double ScaledProduct::multiply_alike() {
  double log_scale = 0;
  next_.clear();
  for (std::size_t first = 0; first < operands_.size();) {
    std::size_t last = first + 1;
    while (
        last < operands_.size() && last - first < kMostAtOnce &&
        std::ranges::equal(operands_[first].axes, operands_[last].axes, {}, &Axis::variable, &Axis::variable))
      ++last;
    if (last - first > 1)
      log_scale += multiply_group(std::span(operands_).subspan(first, last - first));
    else
      next_.push_back(operands_[first]);
    first = last;
  }
  operands_.swap(next_);
  return log_scale;
}

double ScaledProduct::fold(Fold fold, std::span<const VariableId> kept, double* out) {
  double log_scale = 0;
  if (operands_.size() > kMostAtOnce) {
    // All rounds together make fewer products than there were operands.
    if (products_.size() < operands_.size()) products_.resize(operands_.size());
    std::ranges::stable_sort(operands_, [](const Operand& a, const Operand& b) {
      return std::ranges::lexicographical_compare(a.axes, b.axes, {}, &Axis::variable, &Axis::variable);
    });
    for (std::size_t before = 0; before != operands_.size();) {
      before = operands_.size();
      log_scale += multiply_alike();
    }
  }
  contraction_.clear();
  for (const Operand& operand : operands_) contraction_.add(operand.values, operand.axes);
  contraction_.run(fold, kept, out);
  return log_scale;
}

}  // namespace treebound
