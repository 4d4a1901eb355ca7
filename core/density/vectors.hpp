// Vectors of floats that stay in registers. Use only those that the processor has: the compiler keeps wider
// ones in memory, which is ten times slower.
#pragma once

#include <cstring>

namespace treebound {

#if defined(__GNUC__)
using Floats4 = float __attribute__((vector_size(16)));
using Floats8 = float __attribute__((vector_size(32)));
using Floats16 = float __attribute__((vector_size(64)));

template <typename Vector>
[[gnu::always_inline]] inline Vector loaded(const float* from) {
  Vector found;
  std::memcpy(&found, from, sizeof found);
  return found;
}
#endif

}  // namespace treebound
