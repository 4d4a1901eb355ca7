// Eliminates the vertices of a small graph in min-degree order, on bit rows that fit in a few words.
//
// Only the *inner* vertices are eliminated; the *outer* ones stay. The order is greedy: among the inner
// vertices left, the one with the cheapest bag is next, where the cost of a bag is its number of vertices, or
// the logarithm of its number of joint states if that is what is bounded.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "search/bag_bound.hpp"

namespace treebound {

template <std::size_t kWords>
class SmallElimination {
 public:
  using Row = std::array<std::uint64_t, kWords>;
  static constexpr std::size_t kMaxVertices = 64 * kWords;

  void reset(std::size_t num_inner) {
    assert(num_inner <= kMaxVertices);
    num_inner_ = num_inner;
    for (std::size_t i = 0; i < num_inner; ++i) rows_[i] = {};
  }

  /// Joins all pairs of a set of vertices.
  void join(std::span<const std::uint16_t> clique) {
    Row all{};
    assert(std::ranges::all_of(clique, [](std::uint16_t v) { return v < kMaxVertices; }));
    for (const std::uint16_t v : clique) all[v / 64] |= std::uint64_t{1} << (v % 64);
    for (const std::uint16_t v : clique) {
      if (v >= num_inner_) continue;
      for (std::size_t w = 0; w < kWords; ++w) rows_[v][w] |= all[w];
    }
  }

  /// Returns whether all bags kept the bound; then order() and for_neighbours() describe them.
  bool run(const BagBound& bound, std::span<const double> states, std::span<const float> log_states);

  /// Inner vertices in the order of elimination.
  std::span<const std::uint16_t> order() const { return {order_.data(), num_inner_}; }

  /// Calls use(vertex) for the neighbours of v when it was eliminated, ascending.
  template <typename Use>
  void for_neighbours(std::uint16_t v, Use&& use) const {
    for (std::size_t w = 0; w < kWords; ++w) {
      for (std::uint64_t bits = rows_[v][w]; bits != 0; bits &= bits - 1)
        use(static_cast<std::uint16_t>(64 * w + static_cast<std::size_t>(std::countr_zero(bits))));
    }
  }

 private:
  std::uint32_t degree(std::uint16_t v) const {
    int count = 0;
    for (const std::uint64_t word : rows_[v]) count += std::popcount(word);
    return static_cast<std::uint32_t>(count);
  }

  std::size_t num_inner_ = 0;
  std::array<Row, kMaxVertices> rows_;
  std::array<std::uint16_t, kMaxVertices> order_;
  std::array<float, kMaxVertices> costs_;
  std::array<std::uint16_t, kMaxVertices> left_;
};

template <std::size_t kWords>
bool SmallElimination<kWords>::run(const BagBound& bound, std::span<const double> states,
                                   std::span<const float> log_states) {
  const bool by_states = !log_states.empty();
  const auto cost = [&](std::uint16_t v) {
    if (!by_states) return static_cast<float>(degree(v));
    float sum = log_states[v];
    for_neighbours(v, [&](std::uint16_t u) { sum += log_states[u]; });
    return sum;
  };
  std::size_t num_left = num_inner_;
  for (std::uint16_t v = 0; v < num_inner_; ++v) {
    rows_[v][v / 64] &= ~(std::uint64_t{1} << (v % 64));
    costs_[v] = cost(v);
    left_[v] = v;
  }
  for (std::size_t step = 0; step < num_inner_; ++step) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < num_left; ++i)
      if (costs_[left_[i]] < costs_[left_[best]]) best = i;
    const std::uint16_t v = left_[best];
    left_[best] = left_[--num_left];
    if (degree(v) > bound.max_treewidth) return false;
    if (by_states) {
      double product = states[v];
      for_neighbours(v, [&](std::uint16_t u) { product *= states[u]; });
      if (product > bound.max_cells) return false;
    }
    order_[step] = v;
    const Row bag = rows_[v];
    for_neighbours(v, [&](std::uint16_t u) {
      if (u >= num_inner_) return;
      for (std::size_t w = 0; w < kWords; ++w) rows_[u][w] |= bag[w];
      rows_[u][v / 64] &= ~(std::uint64_t{1} << (v % 64));
      rows_[u][u / 64] &= ~(std::uint64_t{1} << (u % 64));
      costs_[u] = cost(u);
    });
  }
  return true;
}

}  // namespace treebound
