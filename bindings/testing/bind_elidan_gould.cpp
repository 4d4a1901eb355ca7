#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "search/elidan_gould/path_packing.hpp"
#include "search/elidan_gould/triangulation.hpp"
#include "testing/testing.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;
using Members = std::vector<VariableId>;

Members to_vector(std::span<const std::uint32_t> members) { return {members.begin(), members.end()}; }

}  // namespace

void bind_elidan_gould_parts(nb::module_& module) {
  nb::class_<Triangulation>(module, "Triangulation")
      .def(
          "__init__", [](Triangulation* self, const Members& parents) { new (self) Triangulation(parents); },
          "parents"_a)
      .def_prop_ro("width", &Triangulation::width)
      .def_prop_ro("bags",
                   [](const Triangulation& self) {
                     std::vector<Members> bags;
                     for (BagId b = 0; b < self.num_bags(); ++b) bags.push_back(to_vector(self.bag(b)));
                     return bags;
                   })
      .def_prop_ro("edges",
                   [](const Triangulation& self) {
                     std::vector<std::pair<BagId, BagId>> edges;
                     for (BagId b = 0; b < self.num_bags(); ++b)
                       for (const BagId c : self.neighbours(b))
                         if (b < c) edges.emplace_back(b, c);
                     return edges;
                   })
      .def_prop_ro("elimination_order", &Triangulation::elimination_order)
      .def(
          "plan",
          [](Triangulation& self, VariableId s, const Members& family, BagId home) {
            const auto& update = self.plan(s, family, home);
            return std::pair(update.width, to_vector(update.grown()));
          },
          "s"_a, "family"_a, "home"_a, "The width of the largest new bag, and the bags that grow.")
      .def(
          "apply",
          [](Triangulation& self, VariableId s, const Members& family) { return self.apply(s, family); },
          "s"_a, "family"_a, "Carries out the last plan; returns a bag with all.");
  module.def(
      "pack_paths",
      [](const std::vector<std::uint32_t>& order, const std::vector<std::uint32_t>& up,
         const std::vector<std::pair<double, std::vector<std::uint32_t>>>& paths) {
        std::vector<WeightedPath> given;
        for (const auto& [weight, vertices] : paths) given.push_back({weight, vertices});
        return pack_paths(order, up, given);
      },
      "order"_a, "up"_a, "paths"_a);
}

}  // namespace treebound
