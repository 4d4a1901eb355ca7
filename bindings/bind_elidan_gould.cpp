#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "search/elidan_gould/elidan_gould.hpp"
#include "unlocked.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

}  // namespace

void bind_elidan_gould(nb::module_& module) {
  module.def("search_elidan_gould", &search_elidan_gould, "task"_a, nb::call_guard<Unlocked>());
}

}  // namespace treebound
