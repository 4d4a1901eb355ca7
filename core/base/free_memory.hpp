// Returns free memory that the allocator keeps to the system.
#pragma once

#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>
#endif

namespace treebound {

/// Memory freed by one phase would otherwise stay with the process while the next phase allocates other
/// sizes.
inline void return_free_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace treebound
