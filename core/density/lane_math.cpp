#include "density/lane_math.hpp"

#include <algorithm>
#include <cmath>

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

TREEBOUND_VECTOR_CLONES void exp_less(float* logs, float highest, std::size_t num_lanes) {
  for (std::size_t l = 0; l < num_lanes; ++l) logs[l] = lane_exp(logs[l] - highest);
}

}  // namespace

TREEBOUND_VECTOR_CLONES void lanes_scale(float* values, float factor, std::size_t num_lanes) {
  for (std::size_t l = 0; l < num_lanes; ++l) values[l] *= factor;
}

double lanes_to_shares(float* logs, float weight, std::size_t num_lanes) {
  const float highest = *std::max_element(logs, logs + num_lanes);
  exp_less(logs, highest, num_lanes);
  double sum = 0;
  for (std::size_t l = 0; l < num_lanes; ++l) sum += static_cast<double>(logs[l]);
  lanes_scale(logs, static_cast<float>(static_cast<double>(weight) / sum), num_lanes);
  return static_cast<double>(highest) + std::log(sum);
}

}  // namespace treebound
