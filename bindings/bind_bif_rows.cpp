#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "text/bif_rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {

void bind_bif_rows(nb::module_& module) {
  nb::class_<BifRows> rows(module, "BifRows");
  rows.attr("MARK") = std::string(1, BifRows::kMark);
  rows.def(nb::init<std::string>(), "text"_a)
      .def_prop_ro("num_blocks", &BifRows::num_blocks)
      .def_prop_ro("rest", &BifRows::rest)
      .def(
          "table",
          [](const BifRows& rows, std::size_t block, const std::vector<std::vector<std::string>>& states,
             std::size_t num_values) -> std::optional<ArrayOut<double>> {
            auto table = rows.table(block, states, num_values);
            if (!table) return std::nullopt;
            return to_numpy(std::move(*table));
          },
          "block"_a, "states"_a, "num_values"_a);
}

}  // namespace treebound
