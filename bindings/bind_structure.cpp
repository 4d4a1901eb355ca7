#include <nanobind/stl/tuple.h>

#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"
#include "structure/elimination.hpp"
#include "structure/treewidth.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {

namespace {

template <auto function>
auto on_graph(ArrayIn<std::int64_t> offsets, ArrayIn<VariableId> neighbours) {
  nb::gil_scoped_release release;
  return function({as_span(offsets), as_span(neighbours)});
}

template <std::vector<VariableId> (*function)(const GraphView&)>
ArrayOut<VariableId> order_of_graph(ArrayIn<std::int64_t> offsets, ArrayIn<VariableId> neighbours) {
  return to_numpy(on_graph<function>(offsets, neighbours));
}

template <std::vector<VariableId> (*function)(const GraphView&, std::span<const std::int64_t>)>
ArrayOut<VariableId> order_of_weighted_graph(ArrayIn<std::int64_t> offsets, ArrayIn<VariableId> neighbours,
                                             ArrayIn<std::int64_t> weights) {
  std::vector<VariableId> order;
  {
    nb::gil_scoped_release release;
    order = function({as_span(offsets), as_span(neighbours)}, as_span(weights));
  }
  return to_numpy(std::move(order));
}

}  // namespace

void bind_structure(nb::module_& module) {
  module.def("min_degree_order", &order_of_graph<min_degree_order>, "offsets"_a, "neighbours"_a,
             "The elimination order that takes a vertex of least degree next.");
  module.def("min_fill_order", &order_of_graph<min_fill_order>, "offsets"_a, "neighbours"_a,
             "The elimination order that takes a vertex of least fill next.");
  module.def("min_weight_order", &order_of_weighted_graph<min_weight_order>, "offsets"_a, "neighbours"_a,
             "weights"_a, "The elimination order that takes a vertex with the lightest neighbourhood next.");
  module.def("weighted_min_fill_order", &order_of_weighted_graph<min_fill_order>, "offsets"_a, "neighbours"_a,
             "weights"_a, "The elimination order that takes a vertex of least weighted fill next.");
  module.def("best_elimination_order", &order_of_graph<best_elimination_order>, "offsets"_a, "neighbours"_a,
             "An elimination order of least width, for small graphs.");
  module.def("treewidth_lower_bound", &on_graph<treewidth_lower_bound>, "offsets"_a, "neighbours"_a,
             "No tree decomposition of the graph has a smaller width.");
  module.def(
      "eliminate",
      [](ArrayIn<std::int64_t> offsets, ArrayIn<VariableId> neighbours, ArrayIn<VariableId> order) {
        LaterNeighbours later;
        {
          nb::gil_scoped_release release;
          later = eliminate({as_span(offsets), as_span(neighbours)}, as_span(order));
        }
        return std::tuple(to_numpy(std::move(later.offsets)), to_numpy(std::move(later.neighbours)));
      },
      "offsets"_a, "neighbours"_a, "order"_a,
      "Offsets and neighbours that each vertex has when its turn comes.");
  module.attr("MOST_VERTICES_FOR_EXACT_TREEWIDTH") = most_vertices_for_exact_treewidth;
}

}  // namespace treebound
