// The best set of paths in a tree that share no vertex.
//
// Paths are settled at their topmost vertex, from the leaves up. Either no path goes through a vertex, and
// its subtrees are settled apart, or one path with its top there does, and what hangs off it is settled
// apart. Exact, in time of the sum of all lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace treebound {

struct WeightedPath {
  double weight;
  std::vector<std::uint32_t> vertices;  // in the sequence of the path; at least one
};

/// `order` lists the vertices, each behind the next one towards the root, up[v]; up[root] is
/// the root. Returns the numbers of the paths that are taken, ascending.
std::vector<std::size_t> pack_paths(std::span<const std::uint32_t> order, std::span<const std::uint32_t> up,
                                    std::span<const WeightedPath> paths);

}  // namespace treebound
