// Loops compiled twice: for processors with wide vectors, chosen when the program starts, and for all others.
//
// Such loops hold only plain additions, multiplications and comparisons of elements. The clones use no fused
// operations, so both give the same bits.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
// The sanitizers are not initialised yet when the loader chooses a clone.
#define TREEBOUND_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define TREEBOUND_VECTOR_CLONES
#endif
