#include "inference/contraction.hpp"

#include <algorithm>
#include <cassert>
#include <type_traits>

namespace treebound {
namespace {

// A block of this many doubles and the maps next to it stay in the nearest cache.
constexpr std::size_t kLongestBlock = 1024;
// From here on a block is long enough to hide what is done once per block.
constexpr std::size_t kLongEnough = 64;
// Fewer kept cells than this, and the block runs along eliminated variables.
constexpr std::size_t kFewCells = 16;

/// Calls use(cells) with cells of either type; wide cells occur with wide numbers only.
template <typename Number, typename Use>
void with_cells(const Cells& cells, std::size_t offset, Use use) {
  if constexpr (std::is_same_v<Number, WideNumber>) {
    if (cells.wide) return use(cells.wide + offset);
  }
  use(cells.plain + offset);
}

}  // namespace

Contraction::Contraction(std::span<const std::uint32_t> cardinalities)
    : cardinalities_(cardinalities), slot_(cardinalities.size(), 0) {}

void Contraction::clear() {
  operands_.clear();
  range_ = {};
  has_wide_ = false;
}

template <typename Number>
std::vector<Number>& Contraction::block() {
  if constexpr (std::is_same_v<Number, WideNumber>)
    return wide_block_;
  else
    return plain_block_;
}

void Contraction::find_dimensions(std::span<const VariableId> kept) {
  dimensions_.assign(kept.begin(), kept.end());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    assert(slot_[kept[i]] == 0);  // each is kept once, and nothing is left of the contraction before
    slot_[kept[i]] = static_cast<std::uint32_t>(i + 1);
  }
  for (const Operand& operand : operands_) {
    for (const Axis& axis : operand.axes) {
      if (slot_[axis.variable]) continue;
      dimensions_.push_back(axis.variable);
      slot_[axis.variable] = static_cast<std::uint32_t>(dimensions_.size());
    }
  }
  const std::size_t width = dimensions_.size();
  sizes_.resize(width);
  for (std::size_t d = 0; d < width; ++d) sizes_[d] = cardinalities_[dimensions_[d]];
  strides_.assign((operands_.size() + 1) * width, 0);
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    Operand& operand = operands_[i];
    operand.row = i * width;
    operand.offset = 0;
    for (const Axis& axis : operand.axes) {
      std::size_t& stride = strides_[operand.row + slot_[axis.variable] - 1];
      assert(stride == 0);  // a table has one axis for a variable
      stride = axis.stride;
    }
  }
  std::size_t stride = 1;
  for (std::size_t d = kept.size(); d-- > 0;) {
    strides_[operands_.size() * width + d] = stride;
    stride *= sizes_[d];
  }
  for (const VariableId v : dimensions_) slot_[v] = 0;
}

/// Takes dimensions into the block from the last kept (or the last eliminated) one backwards.
void Contraction::choose_block(std::size_t num_kept) {
  inner_.clear();
  outer_.clear();
  std::size_t kept_cells = 1;
  for (std::size_t d = 0; d < num_kept; ++d) kept_cells *= sizes_[d];
  const bool along_kept = kept_cells >= kFewCells;
  const std::size_t first = along_kept ? 0 : num_kept;
  std::size_t next = along_kept ? num_kept : dimensions_.size();
  block_size_ = 1;
  while (next > first && block_size_ < kLongEnough && block_size_ * sizes_[next - 1] <= kLongestBlock)
    block_size_ *= sizes_[--next];
  if (next > first && block_size_ == 1) block_size_ = sizes_[--next];
  const std::size_t end = along_kept ? num_kept : dimensions_.size();
  for (std::size_t d = next; d < end; ++d) inner_.push_back(d);
  // Kept variables outside, so one stretch of the result stays near while others are summed out.
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (d < next || d >= end) outer_.push_back(d);
  }
  states_.assign(outer_.size(), 0);
  out_is_scalar_ = !along_kept;
}

void Contraction::fill_map(std::size_t row, std::size_t map) {
  std::uint32_t* offsets = maps_.data() + map;
  offsets[0] = 0;
  std::size_t filled = 1;
  for (auto d = inner_.rbegin(); d != inner_.rend(); ++d) {
    const auto stride = static_cast<std::uint32_t>(strides_[row + *d]);
    for (std::uint32_t state = 1; state < sizes_[*d]; ++state) {
      for (std::size_t i = 0; i < filled; ++i) offsets[state * filled + i] = offsets[i] + state * stride;
    }
    filled *= sizes_[*d];
  }
  assert(filled == block_size_);
}

bool Contraction::runs_contiguously(std::size_t map) const {
  for (std::size_t i = 0; i < block_size_; ++i) {
    if (maps_[map + i] != i) return false;
  }
  return true;
}

template <typename Number, typename Cell, typename Use>
void Contraction::with_product(const Operand& operand, const Cell* cells, bool is_first, Number scale,
                               Use use) {
  const std::uint32_t* map = maps_.data() + operand.map;
  Number* product = block<Number>().data();
  if (is_first && operand.is_contiguous)
    use(product, [=](std::size_t i) { return scale * cells[i]; });
  else if (is_first)
    use(product, [=](std::size_t i) { return scale * cells[map[i]]; });
  else if (operand.is_contiguous)
    use(product, [=](std::size_t i) { return product[i] * cells[i]; });
  else
    use(product, [=](std::size_t i) { return product[i] * cells[map[i]]; });
}

template <Fold fold, typename Number, typename Value>
void Contraction::fold_block(Number* out, Value value) const {
  const std::size_t size = block_size_;
  if (out_is_scalar_) {
    Number total = *out;
    for (std::size_t i = 0; i < size; ++i)
      total = fold == Fold::sum ? total + value(i) : std::max<Number>(total, value(i));
    *out = total;
  } else {
    for (std::size_t i = 0; i < size; ++i)
      out[i] = fold == Fold::sum ? out[i] + value(i) : std::max<Number>(out[i], value(i));
  }
}

bool Contraction::advance(std::size_t& out_offset, const Run& run) {
  const std::size_t width = dimensions_.size();
  for (std::size_t o = outer_.size(); o-- > 0;) {
    const std::size_t d = outer_[o];
    const bool is_wrapped = ++states_[o] == sizes_[d];
    // Stepping back over a whole dimension wraps around in unsigned arithmetic, which is exact.
    const std::size_t step = is_wrapped ? std::size_t{0} - (sizes_[d] - 1) : 1;
    for (Operand& operand : operands_) operand.offset += step * strides_[operand.row + d];
    out_offset += step * strides_[operands_.size() * width + d];
    if (!is_wrapped) return true;
    states_[o] = 0;
    throw_if_requested(run);  // not after every block: one may be short
  }
  return false;
}

/// What the operands without an axis in the block multiply it by.
template <typename Number>
Number Contraction::scale_of_block() const {
  Number scale = 1;
  for (const Operand& operand : operands_) {
    if (operand.is_along) continue;
    with_cells<Number>(operand.cells, operand.offset, [&](const auto* cells) { scale *= *cells; });
  }
  return scale;
}

template <Fold fold, typename Number>
void Contraction::fold_blocks(Number* out, const Run& run) {
  const std::size_t size = block_size_;
  std::size_t out_offset = 0;
  do {
    const Number scale = scale_of_block<Number>();
    if (is_zero(scale)) continue;
    Number* const target = out + out_offset;
    if (!last_along_) fold_block<fold>(target, [=](std::size_t) { return scale; });
    bool is_first = true;
    for (const Operand& operand : operands_) {
      if (!operand.is_along) continue;
      with_cells<Number>(operand.cells, operand.offset, [&](const auto* cells) {
        with_product(operand, cells, is_first, scale, [&](Number* product, auto value) {
          if (&operand == last_along_) return fold_block<fold>(target, value);
          for (std::size_t i = 0; i < size; ++i) product[i] = value(i);
        });
      });
      is_first = false;
    }
  } while (advance(out_offset, run));
}

/// Finds out how each operand runs along the block.
void Contraction::prepare_operands() {
  if (maps_.size() < operands_.size() * block_size_) maps_.resize(operands_.size() * block_size_);
  last_along_ = nullptr;
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    Operand& operand = operands_[i];
    operand.is_along = std::ranges::any_of(inner_, [&](std::size_t d) { return strides_[operand.row + d]; });
    if (!operand.is_along) continue;
    operand.map = i * block_size_;
    fill_map(operand.row, operand.map);
    operand.is_contiguous = runs_contiguously(operand.map);
    last_along_ = &operand;
  }
}

template <typename Number>
void Contraction::fold_into(Number* out, Fold fold, std::span<const VariableId> kept, const Run& run) {
  assert((std::is_same_v<Number, WideNumber>) || fits_doubles());
  find_dimensions(kept);
  choose_block(kept.size());
  std::size_t num_cells = 1;
  for (std::size_t d = 0; d < kept.size(); ++d) num_cells *= sizes_[d];
  std::fill_n(out, num_cells, Number(0));
  if (block<Number>().size() < block_size_) block<Number>().resize(block_size_);
  prepare_operands();
  fold == Fold::sum ? fold_blocks<Fold::sum>(out, run) : fold_blocks<Fold::max>(out, run);
}

template void Contraction::fold_into(double*, Fold, std::span<const VariableId>, const Run&);
template void Contraction::fold_into(WideNumber*, Fold, std::span<const VariableId>, const Run&);

}  // namespace treebound
