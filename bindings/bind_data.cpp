#include <nanobind/stl/vector.h>

#include <cstdint>
#include <span>

#include "arrays.hpp"
#include "base/popcount.hpp"
#include "bindings.hpp"
#include "data/dataset.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {
namespace {

template <typename Code>
void bind_constructor(nb::class_<Dataset>& dataset) {
  dataset.def(
      "__init__",
      [](Dataset* self, MatrixIn<Code> codes, std::vector<std::uint32_t> cardinalities,
         Dataset::Collapse collapse) {
        Unlocked release;
        new (self) Dataset(codes.data(), codes.shape(1), std::move(cardinalities), collapse);
      },
      "codes"_a, "cardinalities"_a, "collapse"_a = Dataset::Collapse::when_it_pays);
}

}  // namespace

void bind_data(nb::module_& module) {
  module.def(
      "simd", [] { return popcount_kernels().name; },
      "Name of the popcount kernels chosen for this machine.");

  nb::class_<Dataset> dataset(module, "Dataset",
                              "Encoded rows with their bit planes; codes are (variable, row).");
  nb::enum_<Dataset::Collapse>(dataset, "Collapse")
      .value("when_it_pays", Dataset::Collapse::when_it_pays)
      .value("never", Dataset::Collapse::never)
      .value("always", Dataset::Collapse::always);
  dataset.attr("MAX_PLANE_STATES") = Dataset::kMaxPlaneStates;
  bind_constructor<std::uint8_t>(dataset);
  bind_constructor<std::uint16_t>(dataset);
  dataset.def_prop_ro("num_rows", &Dataset::num_rows)
      .def_prop_ro("num_variables", &Dataset::num_variables)
      .def_prop_ro("num_positions", &Dataset::num_positions)
      .def_prop_ro("is_collapsed", &Dataset::is_collapsed);
}

}  // namespace treebound
