#include "density/matrix.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/parallel.hpp"
#include "density/fused_clones.hpp"
#include "density/vectors.hpp"

namespace treebound {
namespace {

constexpr std::size_t kTileRows = 6;
constexpr std::size_t kTileColumns = 16;
// A tile of b of this depth stays in the first-level cache while all rows of a panel pass.
constexpr std::size_t kDepth = 256;
// A multiple of the rows of a tile. Hidden layers make two panels, which two threads share.
constexpr std::size_t kPanelRows = 66;

/// A block of the product: rows of a, `depth` long, times columns of b, added to out.
struct Tile {
  const float* a;
  std::size_t a_stride;
  const float* b;  // packed
  float* out;
  std::size_t out_stride;
  std::size_t depth;
};

void add_tile(const Tile& t, std::size_t num_rows, std::size_t num_columns) {
  for (std::size_t i = 0; i < num_rows; ++i) {
    for (std::size_t k = 0; k < t.depth; ++k) {
      const float factor = t.a[i * t.a_stride + k];
      for (std::size_t j = 0; j < num_columns; ++j)
        t.out[i * t.out_stride + j] += factor * t.b[k * kTileColumns + j];
    }
  }
}

#if defined(__GNUC__)
/// The same for a whole tile, whose sums stay in registers.
template <typename Vector>
[[gnu::always_inline]] inline void add_vectors(const Tile& t) {
  constexpr std::size_t kLanes = sizeof(Vector) / sizeof(float), kVectors = kTileColumns / kLanes;
  Vector sums[kTileRows][kVectors], b[kVectors];
  for (std::size_t i = 0; i < kTileRows; ++i)
    for (std::size_t j = 0; j < kVectors; ++j)
      sums[i][j] = loaded<Vector>(t.out + i * t.out_stride + j * kLanes);
  for (std::size_t k = 0; k < t.depth; ++k) {
    for (std::size_t j = 0; j < kVectors; ++j) b[j] = loaded<Vector>(t.b + k * kTileColumns + j * kLanes);
#pragma GCC unroll 6
    for (std::size_t i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
      for (std::size_t j = 0; j < kVectors; ++j) sums[i][j] += t.a[i * t.a_stride + k] * b[j];
    }
  }
  for (std::size_t i = 0; i < kTileRows; ++i)
    for (std::size_t j = 0; j < kVectors; ++j)
      std::memcpy(t.out + i * t.out_stride + j * kLanes, &sums[i][j], sizeof(Vector));
}

#if defined(TREEBOUND_HAS_CLONES)
__attribute__((target("avx512f"))) void add_full_tile(const Tile& t) { add_vectors<Floats16>(t); }
__attribute__((target("avx2,fma"))) void add_full_tile(const Tile& t) { add_vectors<Floats8>(t); }
__attribute__((target("default")))
#endif
void add_full_tile(const Tile& t) {
  add_vectors<Floats4>(t);
}
#else
void add_full_tile(const Tile& t) { add_tile(t, kTileRows, kTileColumns); }
#endif

/// Columns of b as a tile reads them: the rows of a matrix with a power of two of columns compete for the
/// same lines of the cache.
void pack(const Matrix& b, std::size_t first_row, std::size_t depth, std::size_t first_column,
          std::size_t columns, float* packed) {
  for (std::size_t k = 0; k < depth; ++k)
    std::copy_n(b.row(first_row + k) + first_column, columns, packed + k * kTileColumns);
}

void multiply_panel(const Matrix& a, const Matrix& b, Matrix& out, std::size_t first_row,
                    std::size_t last_row) {
  std::fill(out.row(first_row), out.row(first_row) + (last_row - first_row) * out.num_columns, 0.0f);
  float packed[kDepth * kTileColumns];
  for (std::size_t k = 0; k < a.num_columns; k += kDepth) {
    const std::size_t depth = std::min(kDepth, a.num_columns - k);
    for (std::size_t j = 0; j < b.num_columns; j += kTileColumns) {
      const std::size_t columns = std::min(kTileColumns, b.num_columns - j);
      pack(b, k, depth, j, columns, packed);
      for (std::size_t i = first_row; i < last_row; i += kTileRows) {
        const std::size_t rows = std::min(kTileRows, last_row - i);
        const Tile tile{a.row(i) + k, a.num_columns, packed, out.row(i) + j, out.num_columns, depth};
        if (rows == kTileRows && columns == kTileColumns) {
          add_full_tile(tile);
        } else {
          add_tile(tile, rows, columns);
        }
      }
    }
  }
}

}  // namespace

void multiply(const Matrix& a, const Matrix& b, Matrix& out, Run& run) {
  assert(a.num_columns == b.num_rows && out.num_rows == a.num_rows && out.num_columns == b.num_columns);
  const std::size_t num_panels = (a.num_rows + kPanelRows - 1) / kPanelRows;
  parallel_for(run.num_threads(), num_panels, [&](std::size_t, std::size_t panel) {
    multiply_panel(a, b, out, panel * kPanelRows, std::min(a.num_rows, (panel + 1) * kPanelRows));
  });
}

void transpose(const Matrix& a, Matrix& out) {
  assert(out.num_rows == a.num_columns && out.num_columns == a.num_rows);
  constexpr std::size_t kBlock = 32;
  for (std::size_t i0 = 0; i0 < a.num_rows; i0 += kBlock) {
    for (std::size_t j0 = 0; j0 < a.num_columns; j0 += kBlock) {
      for (std::size_t i = i0; i < std::min(i0 + kBlock, a.num_rows); ++i) {
        for (std::size_t j = j0; j < std::min(j0 + kBlock, a.num_columns); ++j) out.row(j)[i] = a.row(i)[j];
      }
    }
  }
}

}  // namespace treebound
