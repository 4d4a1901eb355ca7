#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "search/informative/s2.hpp"
#include "search/informative/s2_plus.hpp"
#include "unlocked.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;
using WithoutGil = nb::call_guard<Unlocked>;

}  // namespace

void bind_informative(nb::module_& module) {
  nb::class_<KTreeStepOptions>(module, "KTreeStepOptions")
      .def(
          "__init__",
          [](KTreeStepOptions* self, bool exact, std::uint32_t samples, bool skip_beaten) {
            new (self) KTreeStepOptions{{exact, samples}, skip_beaten};
          },
          nb::kw_only(), "exact"_a, "samples"_a, "skip_beaten"_a);
  module.def("search_s2", &search_s2, "task"_a, "options"_a, WithoutGil());
  module.def(
      "search_s2_plus",
      [](SearchTask& task, const KTreeStepOptions& options, std::uint32_t max_nodes, bool finish_first) {
        return search_s2_plus(task, options, {max_nodes, finish_first});
      },
      "task"_a, "options"_a, "max_nodes"_a, "finish_first"_a, WithoutGil());
}

}  // namespace treebound
