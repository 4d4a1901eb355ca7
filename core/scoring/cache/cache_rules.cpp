#include "scoring/cache/cache_rules.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace treebound {

namespace {

using Keyed = std::pair<std::uint64_t, std::size_t>;  // hash of a set, its number

std::uint64_t hash_of(std::span<const VariableId> parents) {
  std::uint64_t hash = parents.size();
  for (const VariableId parent : parents) {
    hash = (hash ^ parent) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

bool runs_from_zero_to(std::span<const std::int64_t> offsets, std::size_t end, std::size_t& where) {
  where = 0;
  if (offsets.front() != 0) return false;
  for (where = 1; where < offsets.size(); ++where) {
    if (offsets[where] < offsets[where - 1]) return false;
  }
  where = offsets.size() - 1;
  return offsets.back() == static_cast<std::int64_t>(end);
}

CacheFault fault_of_set(const CacheView& cache, std::size_t variable, std::size_t set) {
  if (!std::isfinite(cache.scores[set])) return CacheFault::score_not_finite;
  const auto parents = cache.parents_of(set);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] >= cache.num_variables()) return CacheFault::parent_out_of_range;
    if (parents[i] == variable) return CacheFault::parent_of_itself;
    if (i > 0 && parents[i] <= parents[i - 1]) return CacheFault::parents_not_ascending;
  }
  return CacheFault::none;
}

}  // namespace

bool stands_before(const CacheView& cache, std::size_t a, std::size_t b) {
  return stands_before({cache.scores[a], cache.parents_of(a)}, {cache.scores[b], cache.parents_of(b)});
}

// Sorting (hash, number) pairs compares one word nearly always, and cannot degrade as a hash table can when
// a file is made to collide: equal hashes fall back to the parents themselves.
std::optional<std::pair<std::size_t, std::size_t>> find_repeated_set(const CacheView& cache,
                                                                     std::size_t first_set,
                                                                     std::size_t last_set) {
  assert(first_set <= last_set && last_set <= cache.num_sets());
  std::vector<Keyed> keyed;
  keyed.reserve(last_set - first_set);
  for (std::size_t set = first_set; set < last_set; ++set)
    keyed.emplace_back(hash_of(cache.parents_of(set)), set);
  std::ranges::sort(keyed, [&](const Keyed& a, const Keyed& b) {
    if (a.first != b.first) return a.first < b.first;
    const auto left = cache.parents_of(a.second);
    const auto right = cache.parents_of(b.second);
    if (!std::ranges::equal(left, right)) return std::ranges::lexicographical_compare(left, right);
    return a.second < b.second;
  });
  for (std::size_t i = 1; i < keyed.size(); ++i) {
    if (keyed[i].first != keyed[i - 1].first) continue;
    if (std::ranges::equal(cache.parents_of(keyed[i - 1].second), cache.parents_of(keyed[i].second))) {
      return std::pair{keyed[i - 1].second, keyed[i].second};
    }
  }
  return std::nullopt;
}

CacheVerdict find_fault(const CacheView& cache) {
  assert(!cache.set_offsets.empty() && !cache.parent_offsets.empty());
  std::size_t where = 0;
  if (!runs_from_zero_to(cache.set_offsets, cache.num_sets(), where))
    return {CacheFault::set_offsets, where, where};
  if (cache.parent_offsets.size() != cache.num_sets() + 1 ||
      !runs_from_zero_to(cache.parent_offsets, cache.parents.size(), where)) {
    return {CacheFault::parent_offsets, 0, where};
  }
  for (std::size_t variable = 0; variable < cache.num_variables(); ++variable) {
    const auto first = static_cast<std::size_t>(cache.set_offsets[variable]);
    const auto last = static_cast<std::size_t>(cache.set_offsets[variable + 1]);
    for (std::size_t set = first; set < last; ++set) {
      const CacheFault fault = fault_of_set(cache, variable, set);
      if (fault != CacheFault::none) return {fault, variable, set};
    }
    if (const auto twins = find_repeated_set(cache, first, last)) {
      return {CacheFault::listed_twice, variable, twins->second};
    }
    for (std::size_t set = first + 1; set < last; ++set) {
      if (!stands_before(cache, set - 1, set)) return {CacheFault::not_best_first, variable, set};
    }
  }
  return {};
}

void sort_best_first(ParentSetCache& cache) {
  std::vector<std::size_t> ranked;
  std::vector<double> scores;
  std::vector<VariableId> parents;
  std::vector<std::int64_t> sizes;
  for (std::size_t variable = 0; variable < cache.num_variables(); ++variable) {
    const auto first = static_cast<std::size_t>(cache.set_offsets[variable]);
    const auto last = static_cast<std::size_t>(cache.set_offsets[variable + 1]);
    const auto before = [cache = view(cache)](std::size_t a, std::size_t b) {
      return stands_before(cache, a, b);
    };
    ranked.resize(last - first);
    std::iota(ranked.begin(), ranked.end(), first);
    if (std::ranges::is_sorted(ranked, before)) continue;
    std::ranges::sort(ranked, before);

    scores.clear();
    parents.clear();
    sizes.clear();
    for (const std::size_t set : ranked) {
      const auto members = cache.parents_of(set);
      scores.push_back(cache.scores[set]);
      sizes.push_back(static_cast<std::int64_t>(members.size()));
      parents.insert(parents.end(), members.begin(), members.end());
    }
    const auto at = static_cast<std::ptrdiff_t>(first);
    std::ranges::copy(scores, cache.scores.begin() + at);
    std::ranges::copy(parents, cache.parents.begin() + cache.parent_offsets[first]);
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
      cache.parent_offsets[first + i + 1] = cache.parent_offsets[first + i] + sizes[i];
    }
  }
}

}  // namespace treebound
