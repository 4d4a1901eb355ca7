#include <nanobind/stl/vector.h>

#include "search/order/asobs.hpp"
#include "search/order/window_slide.hpp"
#include "testing/testing.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// An order with everything that sliding windows need.
struct SlidingOrder {
  explicit SlidingOrder(const SearchProblem& problem)
      : groups(problem), network(problem), windows(network, groups) {}
  SlidingOrder(const SlidingOrder&) = delete;
  SlidingOrder& operator=(const SlidingOrder&) = delete;

  std::vector<std::vector<VariableId>> parents() const {
    std::vector<std::vector<VariableId>> result;
    for (const EntryId entry : network.all_chosen()) {
      const auto chosen = network.problem().parents(entry);
      result.emplace_back(chosen.begin(), chosen.end());
    }
    return result;
  }

  ChildGroups groups;
  OrderedNetwork network;
  WindowSlide windows;
};

}  // namespace

void bind_order_parts(nb::module_& module) {
  nb::class_<SlidingOrder>(module, "SlidingOrder")
      .def(nb::init<const SearchProblem&>(), "problem"_a, nb::keep_alive<1, 2>())
      .def(
          "load", [](SlidingOrder& self, const std::vector<VariableId>& order) { self.network.load(order); },
          "order"_a)
      .def(
          "slide",
          [](SlidingOrder& self, std::uint32_t first, std::uint32_t size, double temperature,
             std::uint64_t seed) {
            RandomStream random(seed, 0);
            return self.windows.slide(first, size, temperature, random);
          },
          "first"_a, "size"_a, "temperature"_a, "seed"_a)
      .def(
          "reorder",
          [](SlidingOrder& self, std::uint64_t seed) {
            RandomStream random(seed, 0);
            self.network.reorder(random);
          },
          "seed"_a)
      .def_prop_ro("order", [](const SlidingOrder& self) { return self.network.order(); })
      .def_prop_ro("parents", &SlidingOrder::parents)
      .def_prop_ro("score", [](const SlidingOrder& self) { return self.network.score(); });
  module.def(
      "asobs_order",
      [](const SearchProblem& problem, const std::vector<VariableId>& turns) {
        return asobs_order(problem, turns, Run());
      },
      "problem"_a, "turns"_a, "A topological order of what ASOBS selects.");
}

}  // namespace treebound
