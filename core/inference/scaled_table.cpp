#include "inference/scaled_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace treebound {
namespace {

struct Extremes {
  double smallest;  // infinite if all are zero
  double largest;
};

/// Runs along several lanes: no comparison waits for one in another lane.
Extremes extremes_of(std::span<const double> cells) {
  constexpr std::size_t kLanes = 4;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double smallest[kLanes], largest[kLanes];
  std::fill_n(smallest, kLanes, kInfinity);
  std::fill_n(largest, kLanes, 0.0);
  const auto look_at = [&](std::size_t i, std::size_t lane) {
    const double positive = cells[i] > 0 ? cells[i] : kInfinity;
    smallest[lane] = positive < smallest[lane] ? positive : smallest[lane];
    largest[lane] = cells[i] > largest[lane] ? cells[i] : largest[lane];
  };
  std::size_t i = 0;
  for (; i + kLanes <= cells.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) look_at(i + lane, lane);
  }
  for (; i < cells.size(); ++i) look_at(i, 0);
  return {*std::min_element(smallest, smallest + kLanes), *std::max_element(largest, largest + kLanes)};
}

// Any lower exponent does not fit doubles either.
constexpr std::int64_t kFarBelow = std::numeric_limits<std::int32_t>::min();

// Doubles as the standard of arithmetic lays them out: the exponent stands above the digits.
constexpr int kDigits = 52, kBias = 1023;

/// The exponent e of a number in [2^e, 2^(e+1)) that is not denormal.
int exponent_of(double value) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> kDigits) - kBias;
}

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kBias) << kDigits);
}

}  // namespace

Magnitudes magnitudes_of(std::span<const double> cells) {
  const Extremes found = extremes_of(cells);
  if (found.largest == 0) return {};
  // A cell of one, as in deterministic tables, must not count as more than one.
  int highest = std::ilogb(found.largest);
  if (found.largest > std::ldexp(1.0, highest)) ++highest;
  return {std::ilogb(found.smallest), highest};
}

std::int64_t ScaledTable::scale_plain() {
  is_wide_ = false;
  range_ = {};
  const Extremes found = extremes_of(plain_);
  if (found.largest == 0) return 0;
  const int power = exponent_of(found.largest) + 1;
  if (power != 0) {
    const double factor = power_of_two(-power);
    for (double& cell : plain_) cell *= factor;
  }
  range_.lowest = exponent_of(found.smallest) - power;
  return power;
}

std::int64_t ScaledTable::scale_wide() {
  is_wide_ = true;
  range_ = {};
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  for (const WideNumber& cell : wide_) {
    if (cell.is_zero()) continue;
    lowest = std::min(lowest, cell.exponent - 1);
    highest = std::max(highest, cell.exponent);
  }
  const std::int64_t power = lowest <= highest ? highest : 0;
  for (WideNumber& cell : wide_) cell.exponent -= power;
  if (lowest <= highest)
    range_.lowest = static_cast<std::int32_t>(std::max<std::int64_t>(lowest - power, kFarBelow));
  if (range_.lowest < ProductRange::kLowest) return power;
  plain_.resize(wide_.size());
  std::ranges::transform(wide_, plain_.begin(), &WideNumber::rounded);
  is_wide_ = false;
  return power;
}

void ScaledTable::copy_to(std::span<double> out) const {
  if (is_wide_)
    std::ranges::transform(wide_, out.begin(), &WideNumber::rounded);
  else
    std::ranges::copy(plain_, out.begin());
}

}  // namespace treebound
