#include "arrays.hpp"
#include "structure/elimination.hpp"
#include "testing/testing.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {
namespace {

template <std::vector<VariableId> (*function)(const GraphView&, std::span<const std::int64_t>)>
ArrayOut<VariableId> order_of_weighted_graph(ArrayIn<std::int64_t> offsets, ArrayIn<VariableId> neighbours,
                                             ArrayIn<std::int64_t> weights) {
  return to_numpy(function({as_span(offsets), as_span(neighbours)}, as_span(weights)));
}

}  // namespace

void bind_structure_parts(nb::module_& module) {
  module.def("min_weight_order", &order_of_weighted_graph<min_weight_order>, "offsets"_a, "neighbours"_a,
             "weights"_a, "The elimination order that takes a vertex with the lightest neighbourhood next.");
  module.def("weighted_min_fill_order", &order_of_weighted_graph<min_fill_order>, "offsets"_a, "neighbours"_a,
             "weights"_a, "The elimination order that takes a vertex of least weighted fill next.");
}

}  // namespace treebound
