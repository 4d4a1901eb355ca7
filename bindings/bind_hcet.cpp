#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "search/hcet/hc_et.hpp"
#include "unlocked.hpp"

namespace treebound {

namespace nb = nanobind;
using namespace nb::literals;

void bind_hcet(nb::module_& module) {
  module.def("search_hc_et", &search_hc_et, "task"_a, "restarts"_a, nb::call_guard<Unlocked>());
}

}  // namespace treebound
