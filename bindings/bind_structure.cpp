#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "structure/elimination.hpp"
#include "structure/tree_decomposition.hpp"
#include "structure/treewidth.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {
namespace {

std::tuple<ArrayOut<std::int64_t>, ArrayOut<VariableId>> graph_to_numpy(Graph&& graph) {
  return {to_numpy(std::move(graph.offsets)), to_numpy(std::move(graph.neighbours))};
}

template <auto function>
auto on_graph(ArrayIn<std::int64_t> offsets, ArrayIn<VariableId> neighbours) {
  return without_gil([&] { return function({as_span(offsets), as_span(neighbours)}); });
}

template <std::vector<VariableId> (*function)(const GraphView&)>
ArrayOut<VariableId> order_of_graph(ArrayIn<std::int64_t> offsets, ArrayIn<VariableId> neighbours) {
  return to_numpy(on_graph<function>(offsets, neighbours));
}

}  // namespace

void bind_structure(nb::module_& module) {
  module.def("min_degree_order", &order_of_graph<min_degree_order>, "offsets"_a, "neighbours"_a,
             "The elimination order that takes a vertex of least degree next.");
  module.def("min_fill_order", &order_of_graph<min_fill_order>, "offsets"_a, "neighbours"_a,
             "The elimination order that takes a vertex of least fill next.");
  module.def("best_elimination_order", &order_of_graph<best_elimination_order>, "offsets"_a, "neighbours"_a,
             "An elimination order of least width, for small graphs.");
  module.def("treewidth_lower_bound", &on_graph<treewidth_lower_bound>, "offsets"_a, "neighbours"_a,
             "No tree decomposition of the graph has a smaller width.");
  module.def(
      "moral_graph",
      [](ArrayIn<std::int64_t> offsets, ArrayIn<VariableId> members) {
        return graph_to_numpy(without_gil([&] { return moral_graph(as_span(offsets), as_span(members)); }));
      },
      "offsets"_a, "members"_a, "Offsets and neighbours of the graph in which each family is joined.");
  module.def(
      "eliminate",
      [](ArrayIn<std::int64_t> offsets, ArrayIn<VariableId> neighbours, ArrayIn<VariableId> order) {
        return graph_to_numpy(
            without_gil([&] { return eliminate({as_span(offsets), as_span(neighbours)}, as_span(order)); }));
      },
      "offsets"_a, "neighbours"_a, "order"_a,
      "Offsets and neighbours that each vertex has when its turn comes.");
  module.def(
      "decompose",
      [](ArrayIn<std::int64_t> offsets, ArrayIn<VariableId> neighbours, ArrayIn<VariableId> order) {
        auto made =
            without_gil([&] { return decompose({as_span(offsets), as_span(neighbours)}, as_span(order)); });
        return std::pair(std::move(made.bags), to_numpy(std::move(made.parents)));
      },
      "offsets"_a, "neighbours"_a, "order"_a,
      "Bags of an elimination order, and the number of the bag that each hangs on, NO_BAG at a root.");
  module.attr("NO_BAG") = kNoBag;
  module.attr("MOST_VERTICES_FOR_EXACT_TREEWIDTH") = most_vertices_for_exact_treewidth;
}

}  // namespace treebound
