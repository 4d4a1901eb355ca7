#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "text/table_rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {

void bind_table_rows(nb::module_& module) {
  nb::class_<TableRows> rows(module, "TableRows");
  rows.attr("MARK") = std::string(1, TableRows::kMark);
  rows.def(nb::init<std::string>(), "text"_a)
      .def_prop_ro("num_blocks", &TableRows::num_blocks)
      .def_prop_ro("rest", &TableRows::rest)
      .def(
          "table",
          [](const TableRows& rows, std::size_t block, const std::vector<std::vector<std::string>>& states,
             std::size_t num_values) -> std::optional<ArrayOut<double>> {
            auto table = rows.table(block, states, num_values);
            if (!table) return std::nullopt;
            return to_numpy(std::move(*table));
          },
          "block"_a, "states"_a, "num_values"_a);
}

}  // namespace treebound
