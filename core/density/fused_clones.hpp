// Loops of training compiled for wide vectors with fused operations, chosen when the program starts.
//
// Their sums differ in the last bits from those of other processors, which training tolerates: it starts from
// random numbers. x86-64-v3 has AVX2 and fused operations; either alone leaves exponentials scalar.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && __GNUC__ >= 12 && \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TREEBOUND_HAS_CLONES
#define TREEBOUND_FUSED_CLONES __attribute__((target_clones("avx512f", "arch=x86-64-v3", "default")))
#else
#define TREEBOUND_FUSED_CLONES
#endif
