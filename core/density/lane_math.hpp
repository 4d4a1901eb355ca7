// Loops over lanes of floats: one lane for each component of a mixture.
//
// Exponentials and logarithms are short polynomials without branches, which compilers turn into vector code;
// they are off by a few units in the last place of a float.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace treebound {

/// e^x for x of -87 to 87; the ends of that range beyond it.
inline float lane_exp(float x) {
  x = x < -87.0f ? -87.0f : x;
  x = x > 87.0f ? 87.0f : x;
  const float shifted = x * 1.44269504f + 12582912.0f;  // adding 1.5 * 2^23 rounds to an integer
  const float n = shifted - 12582912.0f;
  const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  const auto exponent = std::bit_cast<std::int32_t>(shifted) << 23;
  return std::bit_cast<float>(std::bit_cast<std::int32_t>(p) + exponent);
}

/// ln x for normal positive x.
inline float lane_log(float x) {
  const std::int32_t bits = std::bit_cast<std::int32_t>(x);
  // The mantissa comes to lie between sqrt(1/2) and sqrt(2).
  const std::int32_t offset = bits - 0x3f3504f3;
  const std::int32_t exponent = offset >> 23;
  const float m = std::bit_cast<float>(bits - static_cast<std::int32_t>(exponent * (1 << 23))) - 1.0f;
  float p = 7.0376836292e-2f;
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  const float n = static_cast<float>(exponent);
  return (m + (m * m * (m * p - 0.5f) - n * 2.12194440e-4f)) + n * 0.693359375f;
}

void lanes_fill(float* out, float value, std::size_t num_lanes);
void lanes_add(float* out, const float* x, std::size_t num_lanes);
void lanes_subtract(float* out, const float* x, std::size_t num_lanes);
/// out += x - y.
void lanes_add_difference(float* out, const float* x, const float* y, std::size_t num_lanes);
/// out += x * y.
void lanes_add_product(float* out, const float* x, const float* y, std::size_t num_lanes);
/// out = x * y; `out` may be either.
void lanes_multiply(float* out, const float* x, const float* y, std::size_t num_lanes);
/// out = max(out, x).
void lanes_max(float* out, const float* x, std::size_t num_lanes);
/// out = x / y.
void lanes_divide(float* out, const float* x, const float* y, std::size_t num_lanes);
/// out += ln x.
void lanes_add_log(float* out, const float* x, std::size_t num_lanes);
void lanes_scale(float* values, float factor, std::size_t num_lanes);
/// Turns logarithms into shares of `weight`, and returns the logarithm of the sum of their exponentials.
double lanes_to_shares(float* logs, float weight, std::size_t num_lanes);

}  // namespace treebound
