// Names for the integers that the core passes around.
#pragma once

#include <cstdint>

namespace treebound {

using VariableId = std::uint32_t;  // index of a column
using State = std::uint16_t;       // code of a label within its column

}  // namespace treebound
