// Rows of different lengths laid end to end: row i is values[offsets[i]]..values[offsets[i+1]-1].
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace treebound {

template <typename T>
std::span<const T> row_of(std::span<const T> values, std::span<const std::int64_t> offsets, std::size_t i) {
  return {values.data() + offsets[i], values.data() + offsets[i + 1]};
}

}  // namespace treebound
