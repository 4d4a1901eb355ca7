// Random streams that can be addressed: stream (seed, index) is the same for every thread that draws from it,
// so work can be divided among any number of threads without changing the outcome. The generator is
// SplitMix64 (Steele, Lea, Flood 2014): one word of state, which makes a fresh stream per step free, and
// whose i-th number can be computed without the ones before it. The distributions of the standard library are
// not used because every library draws them in its own way.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace treebound {

/// The streams of a seed that serves several uses: each use has its own, so the noise in sampled rows is
/// not the noise in the tables that they are sampled from.
enum class SeedStream : std::uint64_t { kStructure = 1, kTables = 2, kRows = 3, kCompletions = 4 };

class RandomStream {
 public:
  RandomStream(std::uint64_t seed, SeedStream stream)
      : RandomStream(seed, static_cast<std::uint64_t>(stream)) {}
  RandomStream(std::uint64_t seed, std::uint64_t index) : state_(mix(mix(seed) ^ (index * kGamma))) {}

  /// A stream of its own for each index, derived from this one.
  RandomStream split(std::uint64_t index) const { return {state_, index}; }

  std::uint64_t next() { return mix(state_ += kGamma); }

  /// Uniform in 0..bound-1; the bias of the multiplication is below bound / 2^32.
  std::uint32_t below(std::uint32_t bound) { return scale(next() >> 32, bound); }

  /// Two such numbers from one draw.
  std::pair<std::uint32_t, std::uint32_t> two_below(std::uint32_t first_bound, std::uint32_t second_bound) {
    const std::uint64_t bits = next();
    return {scale(bits >> 32, first_bound), scale(bits & 0xFFFFFFFFu, second_bound)};
  }

  /// Uniform in [0, 1).
  double uniform() { return to_unit(next()); }

  /// What the (index + 1)-th call of uniform() would return, without moving the stream.
  double uniform_at(std::uint64_t index) const { return to_unit(mix(state_ + (index + 1) * kGamma)); }

 private:
  static constexpr std::uint64_t kGamma = 0x9E3779B97F4A7C15u;

  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  static std::uint32_t scale(std::uint64_t half, std::uint32_t bound) {
    return static_cast<std::uint32_t>(half * bound >> 32);
  }

  static double to_unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }

  std::uint64_t state_;
};

/// Removes a random element of a non-empty list, all with equal probability; the last one takes its place.
template <typename Element>
Element take_any(std::vector<Element>& from, RandomStream& random) {
  std::swap(from.back(), from[random.below(static_cast<std::uint32_t>(from.size()))]);
  const Element taken = from.back();
  from.pop_back();
  return taken;
}

}  // namespace treebound
