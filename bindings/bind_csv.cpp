#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string_view>

#include "arrays.hpp"
#include "bindings.hpp"
#include "text/csv.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;

namespace treebound {
namespace {

template <typename T>
nb::object view_codes(const CsvTable& table, std::size_t column) {
  const CodeColumn& codes = table.codes.at(column);
  return nb::cast(
      nb::ndarray<nb::numpy, const T, nb::ndim<1>>(codes.bytes(), {table.num_rows}, nb::find(table)));
}

}  // namespace

void bind_csv(nb::module_& module) {
  nb::enum_<CsvFault>(module, "CsvFault")
      .value("NONE", CsvFault::none)
      .value("UNTERMINATED_QUOTE", CsvFault::unterminated_quote)
      .value("TEXT_AFTER_QUOTE", CsvFault::text_after_quote)
      .value("TOO_MANY_COLUMNS", CsvFault::too_many_columns);
  nb::class_<RaggedRow>(module, "RaggedRow")
      .def_ro("line", &RaggedRow::line)
      .def_ro("num_cells", &RaggedRow::num_cells);
  nb::class_<CsvTable>(module, "CsvTable")
      .def_ro("names", &CsvTable::names)
      .def_ro("num_ragged", &CsvTable::num_ragged)
      .def_ro("ragged", &CsvTable::ragged)
      .def_ro("fault", &CsvTable::fault)
      .def_ro("fault_line", &CsvTable::fault_line)
      .def_ro("fault_cell", &CsvTable::fault_cell)
      .def_ro("num_rows", &CsvTable::num_rows)
      .def("line",
           [](const CsvTable& table, std::size_t row) {
             if (row >= table.num_rows) throw nb::index_error();
             return table.line(row);
           })
      .def("labels", [](const CsvTable& table, std::size_t column) { return table.labels.at(column); })
      .def(
          "codes",
          [](const CsvTable& table, std::size_t column) {
            const std::size_t width = table.codes.at(column).width();
            if (width == 1) return view_codes<std::uint8_t>(table, column);
            if (width == 2) return view_codes<std::uint16_t>(table, column);
            return view_codes<std::uint32_t>(table, column);
          },
          nb::sig("def codes(self, column: int) -> numpy.typing.NDArray[numpy.unsignedinteger]"));
  module.def(
      "read_csv",
      [](nb::bytes text, char delimiter, std::optional<char> quote) {
        const std::string_view view(text.c_str(), text.size());
        Unlocked release;
        return read_csv(view, delimiter, quote);
      },
      nb::arg("text"), nb::arg("delimiter"), nb::arg("quote").none());
}

}  // namespace treebound
