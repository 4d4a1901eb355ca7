// The one inner loop of exact inference: multiply tables and sum (or maximise) variables out of the product,
// which is never stored. Cells are visited in blocks that fit the nearest cache. A block runs along the last
// kept variables, so that the result is added to in place, or along eliminated ones where few are kept; where
// a table runs along it is fixed once per contraction in a map of offsets. Tables without an axis in the
// block make a single factor, and a block whose factor is zero, as in deterministic networks, is passed over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "inference/model.hpp"

namespace treebound {

enum class Fold { sum, max };

class Contraction {
 public:
  explicit Contraction(std::span<const std::uint32_t> cardinalities);

  /// Starts anew, without tables.
  void clear();
  /// Adds a table; its axes may come in any order.
  void add(const double* values, std::span<const Axis> axes);
  /// Writes the product, folded over all variables that are not kept, into `out`: row-major, the last kept
  /// variable running fastest.
  void run(Fold fold, std::span<const VariableId> kept, double* out);

 private:
  struct Operand {
    const double* values;
    std::size_t first_axis, last_axis;
    std::size_t row;     // where its strides start
    std::size_t offset;  // of the block at hand
    bool is_along;       // whether it has an axis in the block
    bool is_contiguous;
    std::size_t map;
  };

  void find_dimensions(std::span<const VariableId> kept);
  void choose_block(std::size_t num_kept);
  void fill_map(std::size_t row, std::size_t map);
  bool runs_contiguously(std::size_t map) const;
  void multiply_block(const Operand& operand, bool is_first, double scale);
  template <Fold fold>
  void fold_block(double* out);
  template <Fold fold>
  void run_blocks(double* out);
  bool advance(std::size_t& out_offset);

  std::span<const std::uint32_t> cardinalities_;
  std::vector<std::uint32_t> slot_;  // per variable: its dimension, counted from one; zero if it has none
  std::vector<VariableId> dimensions_;
  std::vector<std::size_t> sizes_;
  std::vector<Axis> axes_;
  std::vector<Operand> operands_;
  std::vector<std::size_t> strides_;  // one row for each operand, then one for the result
  std::vector<std::size_t> inner_, outer_, states_;
  std::vector<std::uint32_t> maps_;
  std::vector<double> block_;
  std::size_t block_size_ = 0;
  bool out_is_scalar_ = false;
};

}  // namespace treebound
