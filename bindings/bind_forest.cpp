#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "search/forest/chow_liu.hpp"
#include "unlocked.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

}  // namespace

void bind_forest(nb::module_& module) {
  module.def("search_chow_liu", &search_chow_liu, "task"_a, nb::call_guard<Unlocked>());
}

}  // namespace treebound
