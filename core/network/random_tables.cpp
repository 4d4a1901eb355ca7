#include "network/random_tables.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/random.hpp"

namespace treebound {
namespace {

/// Logarithm of a uniform number in (0, 1], so it is finite.
double log_uniform(RandomStream& stream) { return std::log(1 - stream.uniform()); }

double normal(RandomStream& stream) {
  for (;;) {  // Marsaglia's polar method, without keeping the second number
    const double x = 2 * stream.uniform() - 1;
    const double y = 2 * stream.uniform() - 1;
    const double square = x * x + y * y;
    if (square < 1 && square > 0) return x * std::sqrt(-2 * std::log(square) / square);
  }
}

/// Gamma(shape, 1) for shape >= 1 by Marsaglia and Tsang (2000).
double gamma(double shape, RandomStream& stream) {
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal(stream);
    const double v = std::pow(1 + c * x, 3);
    if (v > 0 && log_uniform(stream) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

/// Logarithm of a Gamma(shape, 1) number, because for small shapes the number itself vanishes: Gamma(a) is
/// Gamma(a + 1) times U^(1/a).
double log_gamma(double shape, RandomStream& stream) {
  if (shape >= 1) return std::log(gamma(shape, stream));
  return std::log(gamma(shape + 1, stream)) + log_uniform(stream) / shape;
}

/// Exponential numbers over their sum are uniform on the simplex.
void draw_uniform_weights(std::span<double> row, RandomStream& stream) {
  for (double& weight : row) weight = -log_uniform(stream);
}

void draw_weights(std::span<double> row, double concentration, RandomStream& stream) {
  for (double& weight : row) weight = log_gamma(concentration, stream);
  const double largest = *std::max_element(row.begin(), row.end());
  for (double& weight : row) weight = std::exp(weight - largest);
}

void normalize(std::span<double> row) {
  double sum = 0;
  for (const double weight : row) sum += weight;
  for (double& weight : row) weight /= sum;
}

}  // namespace

void draw_tables(std::span<const std::uint32_t> cardinalities, std::span<const std::int64_t> table_offsets,
                 double concentration, std::uint64_t seed, std::span<double> tables) {
  assert(concentration > 0 && table_offsets.size() == cardinalities.size() + 1);
  assert(static_cast<std::size_t>(table_offsets.back()) == tables.size());
  const RandomStream streams(seed, SeedStream::kTables);
  for (std::size_t v = 0; v < cardinalities.size(); ++v) {
    RandomStream stream = streams.split(v);
    const auto last = static_cast<std::size_t>(table_offsets[v + 1]);
    for (auto first = static_cast<std::size_t>(table_offsets[v]); first < last; first += cardinalities[v]) {
      const std::span<double> row = tables.subspan(first, cardinalities[v]);
      if (concentration == 1) {
        draw_uniform_weights(row, stream);
      } else {
        draw_weights(row, concentration, stream);
      }
      normalize(row);
    }
  }
}

}  // namespace treebound
