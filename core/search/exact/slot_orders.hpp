// Sets of variables and of slots as bits, and the orders of the slots of a bag.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace treebound::tree_dp {

using Mask = std::uint32_t;  // of variables, of slots in a bag, or of the variables that can be below a bag

inline Mask bit(std::uint32_t position) { return Mask{1} << position; }
inline Mask without_bit(Mask mask, std::uint32_t position) {
  const Mask low = bit(position) - 1;
  return (mask & low) | ((mask >> 1) & ~low);
}
inline Mask with_zero_bit(Mask mask, std::uint32_t position) {
  const Mask low = bit(position) - 1;
  return (mask & low) | ((mask & ~low) << 1);
}

/// All orders of a number of slots, and what becomes of an order when a slot is dropped.
class SlotOrders {
 public:
  explicit SlotOrders(std::uint32_t num_slots) {
    std::vector<std::uint32_t> order(num_slots);
    std::iota(order.begin(), order.end(), 0u);
    do {
      orders_.push_back(order);
    } while (std::next_permutation(order.begin(), order.end()));
    for (const auto& slots : orders_) {
      std::vector<Mask> before(num_slots);
      Mask placed = 0;
      for (const std::uint32_t slot : slots) before[slot] = placed, placed |= bit(slot);
      before_.push_back(std::move(before));
    }
  }

  std::size_t size() const { return orders_.size(); }
  /// The slots that stand before this one.
  Mask before(std::size_t order, std::uint32_t slot) const { return before_[order][slot]; }

  /// The number of this order without a slot, among the orders of one slot less.
  std::size_t dropped(std::size_t order, std::uint32_t slot) const {
    std::vector<std::uint32_t> rest;
    for (const std::uint32_t other : orders_[order])
      if (other != slot) rest.push_back(other - (other > slot ? 1 : 0));
    std::size_t number = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const auto smaller = std::count_if(rest.begin() + static_cast<std::ptrdiff_t>(i), rest.end(),
                                         [&](std::uint32_t other) { return other < rest[i]; });
      number = number * (rest.size() - i) + static_cast<std::size_t>(smaller);
    }
    return number;
  }

 private:
  std::vector<std::vector<std::uint32_t>> orders_;  // in lexicographic order
  std::vector<std::vector<Mask>> before_;
};

}  // namespace treebound::tree_dp
