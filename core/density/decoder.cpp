#include "density/decoder.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "density/fused_clones.hpp"

namespace treebound {
namespace {

constexpr float kLeak = 0.01f;
constexpr double kMeanDecay = 0.9, kSquareDecay = 0.999, kSmallest = 1e-8;

TREEBOUND_FUSED_CLONES void add_to_row(float* row, float bias, std::size_t size) {
  for (std::size_t l = 0; l < size; ++l) row[l] += bias;
}

TREEBOUND_FUSED_CLONES void add_and_rectify(float* row, float bias, std::size_t size) {
  for (std::size_t l = 0; l < size; ++l) {
    const float x = row[l] + bias;
    row[l] = x < 0 ? kLeak * x : x;
  }
}

void add_bias(Matrix& m, const float* bias, bool rectifies) {
  for (std::size_t i = 0; i < m.num_rows; ++i)
    (rectifies ? add_and_rectify : add_to_row)(m.row(i), bias[i], m.num_columns);
}

/// The slopes before a rectifier from those after it.
TREEBOUND_FUSED_CLONES void unrectify(float* __restrict__ slopes, const float* __restrict__ outputs,
                                      std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) slopes[i] *= outputs[i] > 0 ? 1.0f : kLeak;
}

/// What a step of Adam adds to the parameters.
struct AdamScales {
  float mean, square;
};
TREEBOUND_FUSED_CLONES void adam(const float* __restrict__ slopes, AdamScales scales, std::size_t size,
                                 float* __restrict__ means, float* __restrict__ squares,
                                 float* __restrict__ parameters) {
  constexpr auto mean_decay = static_cast<float>(kMeanDecay), square_decay = static_cast<float>(kSquareDecay);
  for (std::size_t i = 0; i < size; ++i) {
    means[i] = mean_decay * means[i] + (1 - mean_decay) * slopes[i];
    squares[i] = square_decay * squares[i] + (1 - square_decay) * slopes[i] * slopes[i];
    parameters[i] +=
        scales.mean * means[i] / (std::sqrt(squares[i] * scales.square) + static_cast<float>(kSmallest));
  }
}

TREEBOUND_FUSED_CLONES void scale(float* values, float factor, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) values[i] *= factor;
}

/// Makes a matrix of this shape, whose numbers are to be overwritten.
Matrix& shaped(Matrix& m, std::size_t num_rows, std::size_t num_columns) {
  if (m.num_rows != num_rows || m.num_columns != num_columns) m = Matrix(num_rows, num_columns);
  return m;
}

float sum_of(const float* row, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += static_cast<double>(row[i]);
  return static_cast<float>(sum);
}

}  // namespace

Decoder::Decoder(std::vector<std::size_t> sizes, std::span<const float> parameters)
    : sizes_(std::move(sizes)), offsets_{0} {
  assert(sizes_.size() >= 2);
  for (std::size_t layer = 0; layer < num_layers(); ++layer) {
    offsets_.push_back(offsets_.back() + num_parameters(layer));
    weights_.emplace_back(sizes_[layer + 1], sizes_[layer]);
  }
  parameters_.resize(offsets_.back());
  slopes_.resize(offsets_.back());
  means_.resize(offsets_.back());
  squares_.resize(offsets_.back());
  activations_.resize(num_layers() + 1);
  set_parameters(parameters);
}

void Decoder::set_parameters(std::span<const float> parameters) {
  assert(parameters.size() == parameters_.size());
  std::copy(parameters.begin(), parameters.end(), parameters_.begin());
  for (std::size_t layer = 0; layer < num_layers(); ++layer) load_weights(layer);
}

void Decoder::load_weights(std::size_t layer) {
  std::copy_n(parameters_.begin() + static_cast<std::ptrdiff_t>(offsets_[layer]),
              weights_[layer].values.size(), weights_[layer].values.begin());
}

const Matrix& Decoder::decode(const Matrix& points, Run& run) {
  assert(points.num_rows == num_inputs());
  activations_[0] = points;
  for (std::size_t layer = 0; layer < num_layers(); ++layer) {
    Matrix& out = activations_[layer + 1];
    if (out.num_columns != points.num_columns) out = Matrix(sizes_[layer + 1], points.num_columns);
    multiply(weights_[layer], activations_[layer], out, run);
    const float* bias = parameters_.data() + offsets_[layer] + weights_[layer].values.size();
    add_bias(out, bias, layer + 1 < num_layers());
  }
  return activations_.back();
}

std::span<const float> Decoder::slopes(const Matrix& by_logits, Run& run) {
  assert(by_logits.num_rows == num_outputs() && by_logits.num_columns == activations_[0].num_columns);
  const Matrix* above = &by_logits;
  below_.resize(num_layers());
  for (std::size_t layer = num_layers(); layer-- > 0;) {
    const Matrix& inputs = activations_[layer];
    transpose(inputs, shaped(transposed_, inputs.num_columns, inputs.num_rows));
    multiply(*above, transposed_, shaped(product_, sizes_[layer + 1], sizes_[layer]), run);
    float* out = slopes_.data() + offsets_[layer];
    std::copy_n(product_.values.begin(), weights_[layer].values.size(), out);
    for (std::size_t i = 0; i < above->num_rows; ++i)
      out[weights_[layer].values.size() + i] = sum_of(above->row(i), above->num_columns);
    if (layer == 0) break;
    transpose(weights_[layer], shaped(transposed_, sizes_[layer], sizes_[layer + 1]));
    multiply(transposed_, *above, shaped(below_[layer], sizes_[layer], above->num_columns), run);
    unrectify(below_[layer].values.data(), inputs.values.data(), inputs.values.size());
    above = &below_[layer];
  }
  return slopes_;
}

void Decoder::release() {
  for (Matrix& one : activations_) one = Matrix();
  below_.clear();
  transposed_ = product_ = Matrix();
}

void Decoder::climb(double rate, double decay) {
  ++num_steps_;
  const double steps = static_cast<double>(num_steps_);
  const AdamScales scales{static_cast<float>(rate / (1 - std::pow(kMeanDecay, steps))),
                          static_cast<float>(1 / (1 - std::pow(kSquareDecay, steps)))};
  adam(slopes_.data(), scales, parameters_.size(), means_.data(), squares_.data(), parameters_.data());
  scale(parameters_.data() + offsets_[num_layers() - 1], static_cast<float>(1 - rate * decay),
        weights_.back().values.size());
  for (std::size_t layer = 0; layer < num_layers(); ++layer) load_weights(layer);
}

}  // namespace treebound
