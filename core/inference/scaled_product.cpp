#include "inference/scaled_product.hpp"

#include <algorithm>
#include <cassert>

namespace treebound {
namespace {

constexpr std::size_t kMostAtOnce = 8;

}  // namespace

/// Multiplies tables over the same variables; the product takes the place of the group in `next_`.
std::int64_t ScaledProduct::multiply_group(std::span<const Operand> group, const Run& run) {
  scope_.clear();
  contraction_.clear();
  for (const Axis& axis : group.front().axes) scope_.push_back(axis.variable);
  for (const Operand& operand : group) contraction_.add(operand.cells, operand.axes);
  Product& product = products_[num_products_++];
  product.axes.resize(scope_.size());
  lay_out(model_, scope_, product.axes);
  const std::int64_t exponent = run_contraction(Fold::sum, scope_, product.table, run);
  next_.push_back({product.table.cells(), product.axes});
  return exponent;
}

/// One round over all operands; each run over the same variables shrinks to an eighth.
std::int64_t ScaledProduct::multiply_alike(const Run& run) {
  std::int64_t exponent = 0;
  next_.clear();
  for (std::size_t first = 0; first < operands_.size();) {
    std::size_t last = first + 1;
    while (
        last < operands_.size() && last - first < kMostAtOnce &&
        std::ranges::equal(operands_[first].axes, operands_[last].axes, {}, &Axis::variable, &Axis::variable))
      ++last;
    if (last - first > 1)
      exponent += multiply_group(std::span(operands_).subspan(first, last - first), run);
    else
      next_.push_back(operands_[first]);
    first = last;
  }
  operands_.swap(next_);
  return exponent;
}

/// Passes all operands to the contraction, few enough to be multiplied at once.
std::int64_t ScaledProduct::load_contraction(const Run& run) {
  throw_if_requested(run);
  std::int64_t exponent = 0;
  if (operands_.size() > kMostAtOnce) {
    // All rounds together make fewer products than there were operands.
    if (products_.size() < operands_.size()) products_.resize(operands_.size());
    std::ranges::stable_sort(operands_, [](const Operand& a, const Operand& b) {
      return std::ranges::lexicographical_compare(a.axes, b.axes, {}, &Axis::variable, &Axis::variable);
    });
    for (std::size_t before = 0; before != operands_.size();) {
      before = operands_.size();
      exponent += multiply_alike(run);
    }
  }
  contraction_.clear();
  for (const Operand& operand : operands_) contraction_.add(operand.cells, operand.axes);
  return exponent;
}

std::int64_t ScaledProduct::run_contraction(Fold fold, std::span<const VariableId> kept, ScaledTable& out,
                                            const Run& run) {
  const auto fill = [&](auto* cells) { contraction_.fold_into(cells, fold, kept, run); };
  const std::size_t size = model_.num_cells(kept);
  return contraction_.fits_doubles() ? out.fill_plain(size, fill) : out.fill_wide(size, fill);
}

std::int64_t ScaledProduct::fold(Fold fold, std::span<const VariableId> kept, ScaledTable& out,
                                 const Run& run) {
  const std::int64_t exponent = load_contraction(run);
  return exponent + run_contraction(fold, kept, out, run);
}

std::int64_t ScaledProduct::fold(Fold fold, std::span<const VariableId> kept, std::span<double> out,
                                 const Run& run) {
  assert(out.size() == model_.num_cells(kept));
  std::int64_t exponent = load_contraction(run);
  if (contraction_.fits_doubles()) {
    contraction_.fold_into(out.data(), fold, kept, run);
  } else {
    exponent += run_contraction(fold, kept, answer_, run);
    answer_.copy_to(out);
  }
  return exponent;
}

}  // namespace treebound
