// The promises that every ParentSetCache keeps: the order of the sets, and the list of faults that break it.
// Used where a cache is built (the scorer, the .jkl reader) and where one comes from outside.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "base/ids.hpp"
#include "scoring/cache/parent_set_cache.hpp"

namespace treebound {

enum class CacheFault : std::uint8_t {
  none,
  set_offsets,            // do not run from 0 to the number of sets without falling
  parent_offsets,         // do not run from 0 to the number of parents without falling
  score_not_finite,       //
  parent_out_of_range,    //
  parent_of_itself,       //
  parents_not_ascending,  // or one is listed twice
  not_best_first,         //
  listed_twice,           // the same set twice for one variable
};

/// What is wrong, and where: `set` counts over the whole cache; for offsets it is the index of the offset.
struct CacheVerdict {
  CacheFault fault = CacheFault::none;
  std::size_t variable = 0;
  std::size_t set = 0;
};

/// True if set number `a` stands before set number `b`.
bool stands_before(const CacheView& cache, std::size_t a, std::size_t b);

/// Two sets (first, second by number) with the same parents among `first_set`..`last_set`-1, if there are.
std::optional<std::pair<std::size_t, std::size_t>> find_repeated_set(const CacheView& cache,
                                                                     std::size_t first_set,
                                                                     std::size_t last_set);

/// The first fault found; the arrays may hold anything as long as there is at least one offset in each.
CacheVerdict find_fault(const CacheView& cache);

/// Puts the sets of every variable in order; all other promises must hold.
void sort_best_first(ParentSetCache& cache);

}  // namespace treebound
