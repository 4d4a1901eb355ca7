// Names for the integers that the core passes around.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

namespace treebound {

using VariableId = std::uint32_t;  // index of a column
using State = std::uint16_t;       // code of a label within its column

/// Whether variables ascend without repetition, all below `num_variables`: what a set of them is.
inline bool is_variable_set(std::span<const VariableId> variables, std::size_t num_variables) {
  return std::ranges::adjacent_find(variables, std::greater_equal{}) == variables.end() &&
         (variables.empty() || variables.back() < num_variables);
}

}  // namespace treebound
