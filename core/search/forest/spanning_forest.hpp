// Maximum spanning forest of edges that come in one after another (Kruskal 1956).
//
// All pairs of ten thousand variables are fifty million edges; a forest of them needs ten thousand. When the
// buffer is full, it is reduced to its own forest: an edge that is in no forest of a part is in none of the
// whole. Edges are ordered by weight, then by their ends, so the forest is unique, in any sequence of the
// edges.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/ids.hpp"

namespace treebound {

struct WeightedEdge {
  double weight;
  VariableId a, b;
};

class SpanningForest {
 public:
  explicit SpanningForest(std::size_t num_vertices);

  /// Edges of weight zero or less are skipped.
  void add(VariableId a, VariableId b, double weight) {
    if (!(weight > 0)) return;
    if (edges_.size() == capacity_) reduce();
    edges_.push_back({weight, a, b});
  }

  /// The forest of all edges so far, the largest weights first.
  std::span<const WeightedEdge> edges() {
    reduce();
    return edges_;
  }

 private:
  void reduce();

  std::size_t num_vertices_, capacity_;
  std::vector<WeightedEdge> edges_;
};

}  // namespace treebound
