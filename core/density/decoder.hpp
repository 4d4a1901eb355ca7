// The network behind a smooth mixture: points of a small latent space in, logits of all tables out.
//
// Layers of the same width with leaky rectifiers, then a linear one. Each number is a run of lanes, one for
// each point. Weights and biases lie end to end, layer by layer, and are trained by Adam (Kingma and Ba
// 2015).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/run.hpp"
#include "density/matrix.hpp"

namespace treebound {

class Decoder {
 public:
  /// `sizes` holds the numbers of inputs, of units of each hidden layer, and of outputs.
  Decoder(std::vector<std::size_t> sizes, std::span<const float> parameters);

  std::size_t num_inputs() const { return sizes_.front(); }
  std::size_t num_outputs() const { return sizes_.back(); }
  std::span<const float> parameters() const { return parameters_; }
  void set_parameters(std::span<const float> parameters);

  /// The logits of points, one column for each.
  const Matrix& decode(const Matrix& points, Run& run);
  /// The slopes of a function by the parameters, from those by the logits that decode() returned last.
  std::span<const float> slopes(const Matrix& by_logits, Run& run);
  /// A step of Adam towards higher values of that function. The weights of the last layer fall by the share
  /// rate * decay, as if they had a normal prior (Loshchilov and Hutter 2019).
  void climb(double rate, double decay);
  /// Frees the memory of decode() and slopes(); the next call allocates it again.
  void release();

 private:
  std::size_t num_layers() const { return sizes_.size() - 1; }
  std::size_t num_parameters(std::size_t layer) const { return sizes_[layer + 1] * (sizes_[layer] + 1); }
  void load_weights(std::size_t layer);

  std::vector<std::size_t> sizes_, offsets_;
  std::vector<float> parameters_, slopes_, means_, squares_;
  std::vector<Matrix> weights_, activations_;
  Matrix transposed_, product_;  // of slopes()
  std::vector<Matrix> below_;    // by the inputs of each layer
  std::size_t num_steps_ = 0;
};

}  // namespace treebound
