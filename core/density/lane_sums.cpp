#include "density/lane_sums.hpp"

#include <cstring>

#include "density/fused_clones.hpp"
#include "density/lane_math.hpp"
#include "density/vectors.hpp"

namespace treebound {
namespace {

/// Rows from which a block of lanes is taken.
struct Rows {
  const float* first;
  std::size_t stride;
  std::span<const std::uint32_t> which;
};

void add_some(float* out, const Rows& rows, std::size_t num_lanes) {
  for (const std::uint32_t r : rows.which) lanes_add(out, rows.first + r * rows.stride, num_lanes);
}

#if defined(__GNUC__)
/// The same for a whole block, whose sums are read and written once.
template <typename Vector>
[[gnu::always_inline]] inline void add_vectors(float* out, const Rows& rows) {
  constexpr std::size_t kLanes = sizeof(Vector) / sizeof(float), kVectors = kLaneBlock / kLanes;
  Vector sums[kVectors];
#pragma GCC unroll 16
  for (std::size_t j = 0; j < kVectors; ++j) sums[j] = loaded<Vector>(out + j * kLanes);
  for (const std::uint32_t r : rows.which) {
    const float* row = rows.first + r * rows.stride;
#pragma GCC unroll 16
    for (std::size_t j = 0; j < kVectors; ++j) sums[j] += loaded<Vector>(row + j * kLanes);
  }
#pragma GCC unroll 16
  for (std::size_t j = 0; j < kVectors; ++j) std::memcpy(out + j * kLanes, &sums[j], sizeof(Vector));
}

#if defined(TREEBOUND_HAS_CLONES)
__attribute__((target("avx512f"))) void add_block(float* out, const Rows& rows) {
  add_vectors<Floats16>(out, rows);
}
__attribute__((target("avx2"))) void add_block(float* out, const Rows& rows) {
  add_vectors<Floats8>(out, rows);
}
__attribute__((target("default")))
#endif
void add_block(float* out, const Rows& rows) {
  add_vectors<Floats4>(out, rows);
}
#else
void add_block(float* out, const Rows& rows) { add_some(out, rows, kLaneBlock); }
#endif

}  // namespace

void lanes_add_rows(float* out, const float* rows, std::size_t stride, std::span<const std::uint32_t> which,
                    std::size_t num_lanes) {
  std::size_t first = 0;
  for (; first + kLaneBlock <= num_lanes; first += kLaneBlock)
    add_block(out + first, {rows + first, stride, which});
  if (first < num_lanes) add_some(out + first, {rows + first, stride, which}, num_lanes - first);
}

}  // namespace treebound
