// Tables whose products stay in the range of numbers.
//
// Products of tables are formed in doubles wherever none can leave their range, which the magnitudes of the
// tables show beforehand: the exponents of the smallest and of the largest cell, added up over the factors.
// Elsewhere, a few times slower, they are formed in wide numbers; a table whose cells lie too far apart for
// doubles stays wide. Scaling by the largest cell alone would not do: a cell that vanishes next to it may be
// the only one that a finding elsewhere leaves possible.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "inference/wide_number.hpp"

namespace treebound {

/// All cells but zeros lie in 2^lowest to 2^highest.
struct Magnitudes {
  std::int32_t lowest = 0;
  std::int32_t highest = 0;
};
Magnitudes magnitudes_of(std::span<const double> cells);

/// Magnitudes of a product and of its parts, factor by factor.
class ProductRange {
 public:
  void multiply(const Magnitudes& factor) {
    lowest_ += std::min(factor.lowest, 0);
    highest_ += std::max(factor.highest, 0);
  }
  /// Whether doubles have room for the product, for sums of any number of its cells, and for such a sum
  /// divided by another.
  bool fits_doubles() const { return lowest_ >= kLowest && highest_ <= kHighest; }

  // 2^64 cells of 2^60 over one of 2^-890 are still far from 2^1022.
  static constexpr std::int64_t kLowest = -890, kHighest = 60;

 private:
  std::int64_t lowest_ = 0;
  std::int64_t highest_ = 0;
};

/// Borrowed cells of a table: doubles, or wide numbers where those are there.
struct Cells {
  const double* plain;
  const WideNumber* wide;
  Magnitudes magnitudes;

  Cells from(std::size_t offset) const {
    return wide ? Cells{nullptr, wide + offset, magnitudes} : Cells{plain + offset, nullptr, magnitudes};
  }
};

/// A table with a largest cell of 1/2 to 1, unless all are zero.
class ScaledTable {
 public:
  Cells cells() const {
    return {is_wide_ ? nullptr : plain_.data(), is_wide_ ? wide_.data() : nullptr, range_};
  }

  std::size_t size() const { return is_wide_ ? wide_.size() : plain_.size(); }

  /// Has `fill` write `size` doubles that fit, or wide numbers, and scales them by a power of two; returns
  /// its exponent, zero if all cells are zero.
  template <typename Fill>
  std::int64_t fill_plain(std::size_t size, Fill fill) {
    plain_.resize(size);
    fill(plain_.data());
    return scale_plain();
  }
  template <typename Fill>
  std::int64_t fill_wide(std::size_t size, Fill fill) {
    wide_.resize(size);
    fill(wide_.data());
    return scale_wide();
  }
  /// The nearest doubles.
  void copy_to(std::span<double> out) const;

 private:
  std::int64_t scale_plain();
  std::int64_t scale_wide();

  std::vector<double> plain_;
  std::vector<WideNumber> wide_;
  Magnitudes range_;
  bool is_wide_ = false;
};

}  // namespace treebound
