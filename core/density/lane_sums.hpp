// Sums of many rows of a matrix of lanes, each given by its number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace treebound {

/// Lanes of a sum that fit into registers.
inline constexpr std::size_t kLaneBlock = 64;

/// out += the sum of these rows, in this order. Rows begin `stride` floats after each other.
void lanes_add_rows(float* out, const float* rows, std::size_t stride, std::span<const std::uint32_t> which,
                    std::size_t num_lanes);

}  // namespace treebound
