#include <nanobind/stl/tuple.h>

#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"
#include "scoring/cache/cache_rules.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {

void bind_cache(nb::module_& module) {
  nb::enum_<CacheFault>(module, "CacheFault")
      .value("none", CacheFault::none)
      .value("set_offsets", CacheFault::set_offsets)
      .value("parent_offsets", CacheFault::parent_offsets)
      .value("score_not_finite", CacheFault::score_not_finite)
      .value("parent_out_of_range", CacheFault::parent_out_of_range)
      .value("parent_of_itself", CacheFault::parent_of_itself)
      .value("parents_not_ascending", CacheFault::parents_not_ascending)
      .value("not_best_first", CacheFault::not_best_first)
      .value("listed_twice", CacheFault::listed_twice);

  module.def(
      "find_cache_fault",
      [](ArrayIn<std::int64_t> set_offsets, ArrayIn<double> scores, ArrayIn<std::int64_t> parent_offsets,
         ArrayIn<VariableId> parents) {
        Unlocked release;
        const CacheVerdict verdict =
            find_fault({as_span(set_offsets), as_span(scores), as_span(parent_offsets), as_span(parents)});
        return std::tuple(verdict.fault, verdict.variable, verdict.set);
      },
      "set_offsets"_a, "scores"_a, "parent_offsets"_a, "parents"_a,
      "The first rule of a cache that these arrays break, the variable and the set.");
}

}  // namespace treebound
