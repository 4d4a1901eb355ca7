// Gives back to the system what the allocator holds for later.
#pragma once

#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>
#endif

namespace treebound {

/// What a phase has freed would otherwise stay with the process while the next one asks for other sizes.
inline void return_free_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace treebound
