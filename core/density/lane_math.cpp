#include "density/lane_math.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/vector_clones.hpp"

namespace treebound {

TREEBOUND_VECTOR_CLONES void lanes_fill(float* out, float value, std::size_t num_lanes) {
  for (std::size_t l = 0; l < num_lanes; ++l) out[l] = value;
}

TREEBOUND_VECTOR_CLONES void lanes_add(float* __restrict__ out, const float* __restrict__ x,
                                       std::size_t num_lanes) {
  for (std::size_t l = 0; l < num_lanes; ++l) out[l] += x[l];
}

TREEBOUND_VECTOR_CLONES void lanes_subtract(float* __restrict__ out, const float* __restrict__ x,
                                            std::size_t num_lanes) {
  for (std::size_t l = 0; l < num_lanes; ++l) out[l] -= x[l];
}

TREEBOUND_VECTOR_CLONES void lanes_add_difference(float* __restrict__ out, const float* __restrict__ x,
                                                  const float* __restrict__ y, std::size_t num_lanes) {
  for (std::size_t l = 0; l < num_lanes; ++l) out[l] += x[l] - y[l];
}

TREEBOUND_VECTOR_CLONES void lanes_add_product(float* __restrict__ out, const float* __restrict__ x,
                                               const float* __restrict__ y, std::size_t num_lanes) {
  for (std::size_t l = 0; l < num_lanes; ++l) out[l] += x[l] * y[l];
}

TREEBOUND_VECTOR_CLONES void lanes_multiply(float* out, const float* x, const float* y,
                                            std::size_t num_lanes) {
  for (std::size_t l = 0; l < num_lanes; ++l) out[l] = x[l] * y[l];
}

TREEBOUND_VECTOR_CLONES void lanes_max(float* __restrict__ out, const float* __restrict__ x,
                                       std::size_t num_lanes) {
  for (std::size_t l = 0; l < num_lanes; ++l) out[l] = out[l] > x[l] ? out[l] : x[l];
}

TREEBOUND_VECTOR_CLONES void lanes_divide(float* out, const float* x, const float* y, std::size_t num_lanes) {
  for (std::size_t l = 0; l < num_lanes; ++l) out[l] = x[l] / y[l];
}

TREEBOUND_VECTOR_CLONES void lanes_add_log(float* __restrict__ out, const float* __restrict__ x,
                                           std::size_t num_lanes) {
  for (std::size_t l = 0; l < num_lanes; ++l) out[l] += lane_log(x[l]);
}

namespace {

/// e^-42 is 2^-60. Smaller shares change no sum of floats, but products of them would be denormal numbers,
/// with which some processors calculate many times slower.
constexpr float kNothing = -42.0f;

TREEBOUND_VECTOR_CLONES void exp_less(float* logs, float highest, std::size_t num_lanes) {
  for (std::size_t l = 0; l < num_lanes; ++l) {
    const float x = logs[l] - highest, share = lane_exp(x);
    logs[l] = x < kNothing ? 0.0f : share;
  }
}

/// Several chains side by side: one alone would wait for each of its comparisons and sums.
constexpr std::size_t kChains = 16;

TREEBOUND_VECTOR_CLONES float highest_of(const float* values, std::size_t num_lanes) {
  float chains[kChains];
  std::fill_n(chains, kChains, values[0]);
  std::size_t l = 0;
  for (; l + kChains <= num_lanes; l += kChains)
    for (std::size_t i = 0; i < kChains; ++i)
      chains[i] = chains[i] > values[l + i] ? chains[i] : values[l + i];
  for (; l < num_lanes; ++l) chains[0] = chains[0] > values[l] ? chains[0] : values[l];
  return *std::max_element(chains, chains + kChains);
}

TREEBOUND_VECTOR_CLONES double sum_of(const float* values, std::size_t num_lanes) {
  double chains[kChains] = {};
  std::size_t l = 0;
  for (; l + kChains <= num_lanes; l += kChains)
    for (std::size_t i = 0; i < kChains; ++i) chains[i] += static_cast<double>(values[l + i]);
  for (; l < num_lanes; ++l) chains[0] += static_cast<double>(values[l]);
  return std::accumulate(chains, chains + kChains, 0.0);
}

}  // namespace

TREEBOUND_VECTOR_CLONES void lanes_scale(float* values, float factor, std::size_t num_lanes) {
  for (std::size_t l = 0; l < num_lanes; ++l) values[l] *= factor;
}

double lanes_to_shares(float* logs, float weight, std::size_t num_lanes) {
  const float highest = highest_of(logs, num_lanes);
  exp_less(logs, highest, num_lanes);
  const double sum = sum_of(logs, num_lanes);
  lanes_scale(logs, static_cast<float>(static_cast<double>(weight) / sum), num_lanes);
  return static_cast<double>(highest) + std::log(sum);
}

}  // namespace treebound
