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

double ScaledProduct::multiply_group(std::span<const Operand> group) {
  scope_.clear();
  contraction_.clear();
  for (const Operand& operand : group) {
    contraction_.add(operand.values, operand.axes);
    for (const Axis& axis : operand.axes) scope_.push_back(axis.variable);
  }
  std::ranges::sort(scope_, {}, [&](VariableId v) { return model_.rank(v); });
  const auto repeats = std::ranges::unique(scope_);
  scope_.erase(repeats.begin(), repeats.end());
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

double ScaledProduct::fold(Fold fold, std::span<const VariableId> kept, double* out) {
  double log_scale = 0;
  // Every round makes an eighth as many products as there were operands.
  if (operands_.size() > kMostAtOnce && products_.size() < operands_.size())
    products_.resize(operands_.size());
  while (operands_.size() > kMostAtOnce) {
    std::ranges::stable_sort(operands_, [](const Operand& a, const Operand& b) {
      return std::ranges::lexicographical_compare(a.axes, b.axes, {}, &Axis::variable, &Axis::variable);
    });
    next_.clear();
    for (std::size_t i = 0; i < operands_.size(); i += kMostAtOnce) {
      const std::size_t size = std::min(kMostAtOnce, operands_.size() - i);
      log_scale += multiply_group(std::span(operands_).subspan(i, size));
    }
    operands_.swap(next_);
  }
  contraction_.clear();
  for (const Operand& operand : operands_) contraction_.add(operand.values, operand.axes);
  contraction_.run(fold, kept, out);
  return log_scale;
}

}  // namespace treebound
