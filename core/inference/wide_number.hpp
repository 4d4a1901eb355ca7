// Numbers that no product of doubles is too large or too small for: a double next to a power of two. They
// have the precision of doubles, and are used only where doubles have no room (see scaled_table.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace treebound {

/// mantissa * 2^exponent, never negative; the mantissa is zero or lies in [1/2, 1).
struct WideNumber {
  double mantissa = 0;
  std::int64_t exponent = 0;

  WideNumber() = default;
  WideNumber(double value) {  // not explicit: every double is a wide number
    int power;
    mantissa = std::frexp(value, &power);
    exponent = power;
  }
  WideNumber(double normal_mantissa, std::int64_t power) : mantissa(normal_mantissa), exponent(power) {}

  bool is_zero() const { return mantissa == 0; }
  /// The nearest double.
  double rounded() const {
    constexpr std::int64_t kBeyond = 2000;  // below and above all doubles
    return std::ldexp(mantissa, static_cast<int>(std::clamp(exponent, -kBeyond, kBeyond)));
  }
  double log() const { return std::log(mantissa) + static_cast<double>(exponent) * std::numbers::ln2; }

  friend WideNumber operator*(WideNumber a, WideNumber b) {
    const WideNumber product(a.mantissa * b.mantissa, a.exponent + b.exponent);
    return product.mantissa < 0.5 ? WideNumber(2 * product.mantissa, product.exponent - 1) : product;
  }
  WideNumber& operator*=(WideNumber other) { return *this = *this * other; }

  friend WideNumber operator+(WideNumber a, WideNumber b) {
    if (b.is_zero() || (!a.is_zero() && a.exponent - b.exponent > kDigits)) return a;
    if (a.is_zero() || b.exponent - a.exponent > kDigits) return b;
    if (a.exponent < b.exponent) std::swap(a, b);
    const double sum = a.mantissa + std::ldexp(b.mantissa, static_cast<int>(b.exponent - a.exponent));
    return sum < 1 ? WideNumber(sum, a.exponent) : WideNumber(sum / 2, a.exponent + 1);
  }

  friend bool operator<(WideNumber a, WideNumber b) {
    if (a.is_zero() || b.is_zero()) return a.is_zero() && !b.is_zero();
    return a.exponent == b.exponent ? a.mantissa < b.mantissa : a.exponent < b.exponent;
  }

 private:
  static constexpr std::int64_t kDigits = 64;  // what is smaller by more changes no sum
};

inline bool is_zero(double number) { return number == 0; }
inline bool is_zero(WideNumber number) { return number.is_zero(); }

}  // namespace treebound
