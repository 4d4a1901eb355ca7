// Products of small dense matrices of floats, for the decoder of a smooth mixture.
//
// BLAS would be faster on large matrices, but brings threads of its own that spin, and results that depend on
// their number. Here panels of rows are shared out, and each number is summed in the same order always.
#pragma once

#include <cstddef>
#include <vector>

#include "base/run.hpp"

namespace treebound {

/// Row-major, with all rows end to end.
struct Matrix {
  std::size_t num_rows = 0;
  std::size_t num_columns = 0;
  std::vector<float> values;

  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns)
      : num_rows(rows), num_columns(columns), values(rows * columns, 0.0f) {}

  float* row(std::size_t i) { return values.data() + i * num_columns; }
  const float* row(std::size_t i) const { return values.data() + i * num_columns; }
};

/// out = a * b.
void multiply(const Matrix& a, const Matrix& b, Matrix& out, Run& run);
/// out = the transpose of a.
void transpose(const Matrix& a, Matrix& out);

}  // namespace treebound
