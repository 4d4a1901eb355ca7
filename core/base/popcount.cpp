#include "base/popcount.hpp"

#include <bit>
#include <cstdlib>
#include <string_view>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#define TREEBOUND_X86 1
#endif

namespace treebound {
namespace {

// Written once and compiled twice: with the popcnt instruction, and without it for processors from before
// 2008.
[[gnu::always_inline]] inline std::uint32_t count_words(const Word* left, const Word* right,
                                                        std::size_t num_words) {
  std::uint64_t total = 0;
  for (std::size_t w = 0; w < num_words; ++w)
    total += static_cast<std::uint64_t>(std::popcount(left[w] & right[w]));
  return static_cast<std::uint32_t>(total);
}

[[gnu::always_inline]] inline std::uint32_t intersect_words(const Word* left, const Word* right, Word* result,
                                                            std::size_t num_words) {
  for (std::size_t w = 0; w < num_words; ++w) result[w] = left[w] & right[w];
  return count_words(result, result, num_words);
}

#if TREEBOUND_X86
#define TREEBOUND_POPCNT __attribute__((target("popcnt")))
#else
#define TREEBOUND_POPCNT
#endif

TREEBOUND_POPCNT void count_plain(const Word* planes, std::size_t num_planes, std::size_t stride,
                                  const Word* mask, std::size_t num_words, std::uint32_t* out) {
  for (std::size_t i = 0; i < num_planes; ++i) out[i] = count_words(planes + i * stride, mask, num_words);
}

TREEBOUND_POPCNT std::uint32_t intersect_plain(const Word* left, const Word* right, Word* result,
                                               std::size_t num_words) {
  return intersect_words(left, right, result, num_words);
}

constexpr PopcountKernels kPlain{"plain", count_plain, intersect_plain};

#if TREEBOUND_X86

#define TREEBOUND_AVX2 __attribute__((target("avx2,popcnt"))) inline

// Bits set in each byte, by looking up both nibbles (Mula, Kurz and Lemire 2018, "Faster population counts").
TREEBOUND_AVX2 __m256i bytes_popcount(__m256i v) {
  const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2,
                                         3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i low = _mm256_set1_epi8(0x0f);
  const __m256i lo = _mm256_shuffle_epi8(table, _mm256_and_si256(v, low));
  const __m256i hi = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low));
  return _mm256_add_epi8(lo, hi);
}

TREEBOUND_AVX2 __m256i load(const Word* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }

TREEBOUND_AVX2 std::uint32_t sum_lanes(__m256i v) {
  const __m128i halves = _mm_add_epi64(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si64(halves) + _mm_extract_epi64(halves, 1));
}

/// Adds three one-bit numbers per bit position: `high` takes the carries.
TREEBOUND_AVX2 void carry_save(__m256i& high, __m256i& low, __m256i a, __m256i b, __m256i c) {
  const __m256i u = _mm256_xor_si256(a, b);
  high = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(u, c));
  low = _mm256_xor_si256(u, c);
}

// Harley-Seal: a tree of carry-save adders over eight vectors leaves one byte-wise popcount per eight loads.
__attribute__((target("avx2,popcnt"))) std::uint32_t count_one_avx2(const Word* a, const Word* b,
                                                                    std::size_t num_words) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i total = zero, ones = zero, twos = zero, fours = zero;
  std::size_t w = 0;
  for (; w + 32 <= num_words; w += 32) {
    __m256i twos_a, twos_b, fours_a, fours_b, eights;
    const auto v = [&](std::size_t i) __attribute__((target("avx2,popcnt"))) {
      return _mm256_and_si256(load(a + w + 4 * i), load(b + w + 4 * i));
    };
    carry_save(twos_a, ones, ones, v(0), v(1));
    carry_save(twos_b, ones, ones, v(2), v(3));
    carry_save(fours_a, twos, twos, twos_a, twos_b);
    carry_save(twos_a, ones, ones, v(4), v(5));
    carry_save(twos_b, ones, ones, v(6), v(7));
    carry_save(fours_b, twos, twos, twos_a, twos_b);
    carry_save(eights, fours, fours, fours_a, fours_b);
    total = _mm256_add_epi64(total, _mm256_sad_epu8(bytes_popcount(eights), zero));
  }
  total = _mm256_slli_epi64(total, 3);
  __m256i bytes = zero;
  if (w > 0) {
    total = _mm256_add_epi64(total, _mm256_slli_epi64(_mm256_sad_epu8(bytes_popcount(fours), zero), 2));
    total = _mm256_add_epi64(total, _mm256_slli_epi64(_mm256_sad_epu8(bytes_popcount(twos), zero), 1));
    bytes = bytes_popcount(ones);
  }
  // At most seven more vectors: their byte sums stay below 8 * 8 + 8.
  for (; w < num_words; w += 4) {
    bytes = _mm256_add_epi8(bytes, bytes_popcount(_mm256_and_si256(load(a + w), load(b + w))));
  }
  return sum_lanes(_mm256_add_epi64(total, _mm256_sad_epu8(bytes, zero)));
}

void count_avx2(const Word* planes, std::size_t num_planes, std::size_t stride, const Word* mask,
                std::size_t num_words, std::uint32_t* out) {
  for (std::size_t i = 0; i < num_planes; ++i) out[i] = count_one_avx2(planes + i * stride, mask, num_words);
}

__attribute__((target("avx2,popcnt"))) std::uint32_t intersect_avx2(const Word* left, const Word* right,
                                                                    Word* result, std::size_t num_words) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i total = zero;
  for (std::size_t w = 0; w < num_words; w += 4) {
    const __m256i v = _mm256_and_si256(load(left + w), load(right + w));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(result + w), v);
    total = _mm256_add_epi64(total, _mm256_sad_epu8(bytes_popcount(v), zero));
  }
  return sum_lanes(total);
}

constexpr PopcountKernels kAvx2{"avx2", count_avx2, intersect_avx2};

#define TREEBOUND_AVX512 __attribute__((target("avx512f,avx512vpopcntdq")))

TREEBOUND_AVX512 void count_avx512(const Word* planes, std::size_t num_planes, std::size_t stride,
                                   const Word* mask, std::size_t num_words, std::uint32_t* out) {
  for (std::size_t i = 0; i < num_planes; ++i, planes += stride) {
    __m512i total = _mm512_setzero_si512();
    for (std::size_t w = 0; w < num_words; w += 8) {
      const __m512i both = _mm512_and_si512(_mm512_loadu_si512(planes + w), _mm512_loadu_si512(mask + w));
      total = _mm512_add_epi64(total, _mm512_popcnt_epi64(both));
    }
    out[i] = static_cast<std::uint32_t>(_mm512_reduce_add_epi64(total));
  }
}

TREEBOUND_AVX512 std::uint32_t intersect_avx512(const Word* left, const Word* right, Word* result,
                                                std::size_t num_words) {
  __m512i total = _mm512_setzero_si512();
  for (std::size_t w = 0; w < num_words; w += 8) {
    const __m512i both = _mm512_and_si512(_mm512_loadu_si512(left + w), _mm512_loadu_si512(right + w));
    _mm512_storeu_si512(result + w, both);
    total = _mm512_add_epi64(total, _mm512_popcnt_epi64(both));
  }
  return static_cast<std::uint32_t>(_mm512_reduce_add_epi64(total));
}

constexpr PopcountKernels kAvx512{"avx512", count_avx512, intersect_avx512};

void count_baseline(const Word* planes, std::size_t num_planes, std::size_t stride, const Word* mask,
                    std::size_t num_words, std::uint32_t* out) {
  for (std::size_t i = 0; i < num_planes; ++i) out[i] = count_words(planes + i * stride, mask, num_words);
}

std::uint32_t intersect_baseline(const Word* left, const Word* right, Word* result, std::size_t num_words) {
  return intersect_words(left, right, result, num_words);
}

constexpr PopcountKernels kBaseline{"baseline", count_baseline, intersect_baseline};
#endif

const PopcountKernels& choose() {
#if TREEBOUND_X86
  const char* wish = std::getenv("TREEBOUND_SIMD");
  const std::string_view limit = wish ? wish : "avx512";
  __builtin_cpu_init();
  if (limit == "avx512" && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq")) {
    return kAvx512;
  }
  if ((limit == "avx512" || limit == "avx2") && __builtin_cpu_supports("avx2")) return kAvx2;
  if (limit != "baseline" && __builtin_cpu_supports("popcnt")) return kPlain;
  return kBaseline;
#else
  return kPlain;
#endif
}

}  // namespace

const PopcountKernels& popcount_kernels() {
  static const PopcountKernels& chosen = choose();
  return chosen;
}

std::uint64_t count_repeatedly(std::size_t num_words, std::size_t num_planes, std::size_t repeats) {
  const std::size_t stride = (num_words + kBlockWords - 1) / kBlockWords * kBlockWords;
  const std::vector<Word> planes(stride * num_planes, ~Word{0}), mask(stride, ~Word{0});
  std::vector<std::uint32_t> counts(num_planes);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < repeats; ++i) {
    popcount_kernels().count_intersections(planes.data(), num_planes, stride, mask.data(), stride,
                                           counts.data());
    for (const std::uint32_t n : counts) total += n;
  }
  return total;
}

}  // namespace treebound
