// The one inner loop of exact inference: multiply tables and sum (or maximise) variables out of the product,
// which is never stored. Cells are visited in blocks that fit the nearest cache. A block runs along the last
// kept variables, so the result is added to in place, or along eliminated ones where few are kept; where a
// table runs along it is fixed once per contraction in a map of offsets. Tables without an axis in the block
// make a single factor, and a block whose factor is zero, as in deterministic networks, is skipped. Numbers
// are doubles, or wide where doubles have no room for the product (see scaled_table.hpp). The last table is
// multiplied while the block is folded, so the block is not written once more.
//
// A contraction may take seconds; if its run is stopped it throws Stopped, and the result must not be used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/stopped.hpp"
#include "inference/model.hpp"
#include "inference/scaled_table.hpp"

namespace treebound {

enum class Fold { sum, max };

class Contraction {
 public:
  explicit Contraction(std::span<const std::uint32_t> cardinalities);

  /// Starts anew, without tables.
  void clear();
  /// Adds a table, borrowed until the next clear(); its axes may come in any order.
  void add(const Cells& cells, std::span<const Axis> axes) {
    operands_.push_back({cells, axes, 0, 0, false, false, 0});
    range_.multiply(cells.magnitudes);
    has_wide_ |= cells.wide != nullptr;
  }
  /// Whether the product can be run in doubles; it can always be run in wide numbers.
  bool fits_doubles() const { return !has_wide_ && range_.fits_doubles(); }
  /// Writes the product, folded over all variables that are not kept, into `out`: row-major, the last kept
  /// variable running fastest. Number is double or WideNumber.
  template <typename Number>
  void fold_into(Number* out, Fold fold, std::span<const VariableId> kept, const Run& run);

 private:
  struct Operand {
    Cells cells;
    std::span<const Axis> axes;
    std::size_t row;     // where its strides start
    std::size_t offset;  // of the current block
    bool is_along;       // whether it has an axis in the block
    bool is_contiguous;
    std::size_t map;
  };

  void find_dimensions(std::span<const VariableId> kept);
  void choose_block(std::size_t num_kept);
  void fill_map(std::size_t row, std::size_t map);
  bool runs_contiguously(std::size_t map) const;
  void prepare_operands();
  /// Calls use(value), where value(i) is the product so far, or the scale, times a cell of the operand.
  template <typename Number, typename Cell, typename Use>
  void with_product(const Operand& operand, const Cell* cells, bool is_first, Number scale, Use use);
  template <Fold fold, typename Number, typename Value>
  void fold_block(Number* out, Value value) const;
  template <Fold fold, typename Number>
  void fold_blocks(Number* out, const Run& run);
  template <typename Number>
  Number scale_of_block() const;
  template <typename Number>
  std::vector<Number>& block();
  bool advance(std::size_t& out_offset, const Run& run);

  std::span<const std::uint32_t> cardinalities_;
  std::vector<std::uint32_t> slot_;  // per variable: its dimension, counted from one; zero if it has none
  std::vector<VariableId> dimensions_;
  std::vector<std::size_t> sizes_;
  std::vector<Operand> operands_;
  ProductRange range_;
  bool has_wide_ = false;
  std::vector<std::size_t> strides_;  // one row for each operand, then one for the result
  std::vector<std::size_t> inner_, outer_, states_;
  std::vector<std::uint32_t> maps_;
  std::vector<double> plain_block_;
  std::vector<WideNumber> wide_block_;
  std::size_t block_size_ = 0;
  const Operand* last_along_ = nullptr;  // the last operand with an axis in the block, if there is one
  bool out_is_scalar_ = false;
};

}  // namespace treebound
