#include "density/decoder.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace treebound {
namespace {

constexpr float kLeak = 0.01f;
constexpr double kMeanDecay = 0.9, kSquareDecay = 0.999, kSmallest = 1e-8;

void add_bias(Matrix& m, const float* bias, bool rectifies) {
  for (std::size_t i = 0; i < m.num_rows; ++i) {
    float* row = m.row(i);
    for (std::size_t l = 0; l < m.num_columns; ++l) {
      const float x = row[l] + bias[i];
      row[l] = rectifies && x < 0 ? kLeak * x : x;
    }
  }
}

float sum_of(const float* row, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += static_cast<double>(row[i]);
  return static_cast<float>(sum);
}

}  // namespace

Decoder::Decoder(std::vector<std::size_t> sizes, std::span<const float> parameters)
    : sizes_(std::move(sizes)), offsets_{0} {
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
  Matrix above = by_logits;
  for (std::size_t layer = num_layers(); layer-- > 0;) {
    const Matrix& inputs = activations_[layer];
    Matrix turned(inputs.num_columns, inputs.num_rows), own(sizes_[layer + 1], sizes_[layer]);
    transpose(inputs, turned);
    multiply(above, turned, own, run);
    float* out = slopes_.data() + offsets_[layer];
    std::copy(own.values.begin(), own.values.end(), out);
    for (std::size_t i = 0; i < above.num_rows; ++i)
      out[own.values.size() + i] = sum_of(above.row(i), above.num_columns);
    if (layer == 0) break;
    Matrix backwards(sizes_[layer], sizes_[layer + 1]), below(sizes_[layer], above.num_columns);
    transpose(weights_[layer], backwards);
    multiply(backwards, above, below, run);
    for (std::size_t i = 0; i < below.values.size(); ++i)
      below.values[i] *= inputs.values[i] > 0 ? 1.0f : kLeak;
    above = std::move(below);
  }
  return slopes_;
}

void Decoder::climb(double rate) {
  ++num_steps_;
  const double steps = static_cast<double>(num_steps_);
  const auto mean_scale = static_cast<float>(rate / (1 - std::pow(kMeanDecay, steps)));
  const auto square_scale = static_cast<float>(1 / (1 - std::pow(kSquareDecay, steps)));
  constexpr auto mean_decay = static_cast<float>(kMeanDecay), square_decay = static_cast<float>(kSquareDecay);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    means_[i] = mean_decay * means_[i] + (1 - mean_decay) * slopes_[i];
    squares_[i] = square_decay * squares_[i] + (1 - square_decay) * slopes_[i] * slopes_[i];
    parameters_[i] +=
        mean_scale * means_[i] / (std::sqrt(squares_[i] * square_scale) + static_cast<float>(kSmallest));
  }
  for (std::size_t layer = 0; layer < num_layers(); ++layer) load_weights(layer);
}

}  // namespace treebound
