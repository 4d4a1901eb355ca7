// Counting bits in the intersection of bit planes: the innermost loop of counting.
//
// One build serves every machine: the widest of AVX-512 (VPOPCNTDQ), AVX2 and plain words that the processor
// offers is chosen once, when the library is loaded. On other architectures the plain loop is compiled, which
// compilers vectorise (NEON `cnt` on aarch64).
#pragma once

#include <cstddef>
#include <cstdint>

namespace treebound {

using Word = std::uint64_t;

/// Planes are padded to whole blocks of this many words (one AVX-512 register) and zero beyond their last
/// row.
inline constexpr std::size_t kBlockWords = 8;

struct PopcountKernels {
  const char* name;
  /// out[i] = number of bits set in both `mask` and the i-th of `num_planes` planes that lie `stride` words
  /// apart.
  void (*count_intersections)(const Word* planes, std::size_t num_planes, std::size_t stride,
                              const Word* mask, std::size_t num_words, std::uint32_t* out);
  /// Writes the intersection of two planes and returns its number of bits.
  std::uint32_t (*intersect)(const Word* left, const Word* right, Word* result, std::size_t num_words);
};

/// The kernels chosen for this processor. TREEBOUND_SIMD=plain|avx2|avx512 in the environment overrides the
/// choice downwards, for measurements and tests.
const PopcountKernels& popcount_kernels();

/// Counts the same `num_planes` full planes under a full mask `repeats` times and returns the sum: something
/// to time, as the limit that counting is measured against.
std::uint64_t count_repeatedly(std::size_t num_words, std::size_t num_planes, std::size_t repeats);

}  // namespace treebound
