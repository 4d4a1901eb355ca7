// Relative probabilities become probabilities.
#pragma once

#include <numeric>
#include <span>

namespace treebound {

/// Scales weights to a sum of one; NaN if all are zero. Returns their sum before.
inline double normalise(std::span<double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= total;
  return total;
}

}  // namespace treebound
