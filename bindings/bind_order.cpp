#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "search/order/order_search.hpp"
#include "search/order/window_slide.hpp"
#include "unlocked.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

}  // namespace

void bind_order(nb::module_& module) {
  module.def(
      "search_order",
      [](SearchTask& task, std::uint32_t chains, std::uint32_t max_window) {
        return search_order(task, {chains, max_window});
      },
      "task"_a, "chains"_a, "max_window"_a, nb::call_guard<Unlocked>());
  module.attr("MAX_WINDOW") = kMaxWindow;
}

}  // namespace treebound
