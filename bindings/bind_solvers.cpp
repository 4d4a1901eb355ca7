// The solvers whose search loop is in the core, each with its options: search_<solver>(task, ...).
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "search/elidan_gould/elidan_gould.hpp"
#include "search/forest/chow_liu.hpp"
#include "search/hcet/hc_et.hpp"
#include "search/informative/s2.hpp"
#include "search/informative/s2_plus.hpp"
#include "search/ktree/k_astar.hpp"
#include "search/ktree/k_greedy.hpp"
#include "search/ktree/k_max.hpp"
#include "search/order/order_search.hpp"
#include "search/order/window_slide.hpp"
#include "search/regrow/regrow.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

void bind_options(nb::module_& module) {
  nb::enum_<CliquePolicy>(module, "CliquePolicy")
      .value("RANDOM", CliquePolicy::kRandom)
      .value("NEWEST", CliquePolicy::kNewest)
      .value("PARTNERS", CliquePolicy::kPartners);
  nb::enum_<OrderSampling>(module, "OrderSampling")
      .value("UNIFORM", OrderSampling::kUniform)
      .value("PARENTS_FIRST", OrderSampling::kParentsFirst)
      .value("PERTURBED", OrderSampling::kPerturbed);
  nb::class_<KGreedyOptions>(module, "KGreedyOptions")
      .def(
          "__init__",
          [](KGreedyOptions* self, CliquePolicy policy, OrderSampling sampling,
             const ArrayIn<VariableId>& given) {
            new (self) KGreedyOptions{policy, {sampling, to_vector(given)}};
          },
          "policy"_a, "sampling"_a, "given"_a);
  nb::class_<KAStarOptions>(module, "KAStarOptions")
      .def(
          "__init__",
          [](KAStarOptions* self, CliquePolicy policy, OrderSampling sampling,
             const ArrayIn<VariableId>& given, bool printed, std::uint64_t max_nodes, std::uint64_t max_open,
             std::uint64_t max_bytes, bool skip_beaten) {
            new (self) KAStarOptions{
                policy, {sampling, to_vector(given)}, printed, max_nodes, max_open, max_bytes, skip_beaten};
          },
          "policy"_a, "sampling"_a, "given"_a, nb::kw_only(), "printed"_a, "max_nodes"_a, "max_open"_a,
          "max_bytes"_a, "skip_beaten"_a);
  nb::class_<KMaxOptions>(module, "KMaxOptions")
      .def(
          "__init__",
          [](KMaxOptions* self, CliquePolicy policy, bool vary_limit, bool refine,
             const ArrayIn<VariableId>& given) {
            new (self) KMaxOptions{policy, vary_limit, refine, to_vector(given)};
          },
          "policy"_a, "vary_limit"_a, "refine"_a, "given"_a);
  nb::class_<RegrowOptions>(module, "RegrowOptions")
      .def(
          "__init__",
          [](RegrowOptions* self, std::uint32_t islands, bool hill_climb) {
            new (self) RegrowOptions{islands, hill_climb};
          },
          "islands"_a, "hill_climb"_a);
  nb::class_<KTreeStepOptions>(module, "KTreeStepOptions")
      .def(
          "__init__",
          [](KTreeStepOptions* self, bool exact, std::uint32_t samples, bool skip_beaten) {
            new (self) KTreeStepOptions{{exact, samples}, skip_beaten};
          },
          nb::kw_only(), "exact"_a, "samples"_a, "skip_beaten"_a);
}

}  // namespace

void bind_solvers(nb::module_& module) {
  bind_options(module);
  module.attr("MAX_WINDOW") = kMaxWindow;
  module.def("search_k_greedy", &search_k_greedy, "task"_a, "options"_a, WithoutGil());
  module.def("search_k_astar", &search_k_astar, "task"_a, "options"_a, WithoutGil());
  module.def("search_k_max", &search_k_max, "task"_a, "options"_a, WithoutGil());
  module.def("search_regrow", &search_regrow, "task"_a, "options"_a, WithoutGil());
  module.def("search_hc_et", &search_hc_et, "task"_a, "restarts"_a, WithoutGil());
  module.def("search_chow_liu", &search_chow_liu, "task"_a, WithoutGil());
  module.def("search_elidan_gould", &search_elidan_gould, "task"_a, WithoutGil());
  module.def(
      "search_order",
      [](SearchTask& task, std::uint32_t chains, std::uint32_t max_window) {
        return search_order(task, {chains, max_window});
      },
      "task"_a, "chains"_a, "max_window"_a, WithoutGil());
  module.def("search_s2", &search_s2, "task"_a, "options"_a, WithoutGil());
  module.def(
      "search_s2_plus",
      [](SearchTask& task, const KTreeStepOptions& options, std::uint32_t max_nodes, bool finish_first) {
        return search_s2_plus(task, options, {max_nodes, finish_first});
      },
      "task"_a, "options"_a, "max_nodes"_a, "finish_first"_a, WithoutGil());
}

}  // namespace treebound
