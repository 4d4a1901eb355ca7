#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "search/hcet/hc_et.hpp"

namespace treebound {

namespace nb = nanobind;
using namespace nb::literals;

void bind_hcet(nb::module_& module) {
  nb::class_<HcEtOptions>(module, "HcEtOptions")
      .def(
          "__init__",
          [](HcEtOptions* self, std::uint64_t restarts, double max_cells,
             const ArrayIn<std::uint32_t>& cardinalities, const Dataset& data, const LocalScore& score) {
            const auto states = as_span(cardinalities);
            new (self) HcEtOptions{restarts, max_cells, {states.begin(), states.end()}, data, score};
          },
          nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(), "restarts"_a, "max_cells"_a, "cardinalities"_a,
          "data"_a, "score"_a);
  module.def("search_hc_et", &search_hc_et, "task"_a, "options"_a, nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace treebound
