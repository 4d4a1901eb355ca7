#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "search/forest/branching.hpp"
#include "search/forest/spanning_forest.hpp"
#include "testing/testing.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;
using Triples = std::vector<std::tuple<VariableId, VariableId, double>>;

}  // namespace

void bind_forest_parts(nb::module_& module) {
  module.def(
      "maximum_branching",
      [](std::uint32_t num_vertices, const Triples& arcs) {
        std::vector<WeightedArc> given;
        for (const auto& [from, to, weight] : arcs) given.push_back({from, to, weight});
        std::vector<std::int64_t> taken;
        for (const std::uint32_t arc : maximum_branching(num_vertices, given))
          taken.push_back(arc == kNoArc ? -1 : std::int64_t{arc});
        return taken;
      },
      "num_vertices"_a, "arcs"_a, "For each vertex the number of the arc (from, to, weight) into it, or -1.");
  module.def(
      "maximum_spanning_forest",
      [](std::uint32_t num_vertices, const Triples& edges) {
        SpanningForest forest(num_vertices);
        for (const auto& [a, b, weight] : edges) forest.add(a, b, weight);
        Triples result;
        for (const auto& [weight, a, b] : forest.edges()) result.emplace_back(a, b, weight);
        return result;
      },
      "num_vertices"_a, "edges"_a, "The edges (a, b, weight) of the forest, the largest weights first.");
}

}  // namespace treebound
