#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "search/regrow/arc_order.hpp"
#include "search/regrow/elimination_tree.hpp"
#include "search/regrow/undo_log.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;
using Members = std::vector<VariableId>;

/// The parts of Regrow, each with an undo log of its own: for tests, and to play with.
template <typename Part>
struct Logged {
  template <typename... Options>
  explicit Logged(std::uint32_t num_variables, Options&&... options)
      : part(num_variables, std::forward<Options>(options)..., log) {}
  Logged(const Logged&) = delete;
  Logged& operator=(const Logged&) = delete;

  UndoLog log;
  Part part;
};

using Tree = Logged<EliminationTree>;
using Arcs = Logged<ArcOrder>;

template <typename Value>
std::vector<Value> to_vector(std::span<const Value> values) {
  return {values.begin(), values.end()};
}

template <typename Part>
nb::class_<Part> bind_logged(nb::module_& module, const char* name) {
  return nb::class_<Part>(module, name)
      .def("mark", [](const Part& self) { return self.log.mark(); })
      .def("roll_back", [](Part& self, std::size_t mark) { self.log.roll_back(mark); }, "mark"_a);
}

}  // namespace

void bind_regrow(nb::module_& module) {
  bind_logged<Tree>(module, "EliminationTree")
      .def(
          "__init__",
          [](Tree* self, std::uint32_t num_variables, std::uint32_t max_treewidth, double max_states,
             const ArrayIn<std::uint32_t>& cardinalities) {
            new (self) Tree(num_variables, BagBound{max_treewidth, max_states}, as_span(cardinalities));
          },
          "num_variables"_a, "max_treewidth"_a, "max_states"_a, "cardinalities"_a)
      .def(
          "build",
          [](Tree& self, const Members& order, const std::vector<Members>& families) {
            self.part.build(order, [&](VariableId v) { return std::span(families[v]); });
          },
          "order"_a, "families"_a)
      .def(
          "holds", [](const Tree& self, const Members& family) { return self.part.holds(family); },
          "family"_a)
      .def(
          "cover", [](Tree& self, const Members& family) { return self.part.cover(family); }, "family"_a)
      .def(
          "add", [](Tree& self, VariableId owner, const Members& family) { self.part.add(owner, family); },
          "owner"_a, "family"_a)
      .def(
          "remove", [](Tree& self, VariableId owner) { self.part.remove(owner); }, "owner"_a)
      .def(
          "blocking_families",
          [](Tree& self, const Members& family) { return to_vector(self.part.blocking_families(family)); },
          "family"_a)
      .def(
          "separator", [](const Tree& self, VariableId u) { return to_vector(self.part.separator(u)); },
          "u"_a)
      .def(
          "parent", [](const Tree& self, VariableId u) { return self.part.parent(u); }, "u"_a)
      .def("elimination_order", [](const Tree& self) { return self.part.elimination_order(); });

  bind_logged<Arcs>(module, "ArcOrder")
      .def(nb::init<std::uint32_t>(), "num_variables"_a)
      .def(
          "add", [](Arcs& self, VariableId child, const Members& parents) { self.part.add(child, parents); },
          "child"_a, "parents"_a)
      .def(
          "remove",
          [](Arcs& self, VariableId child, const Members& parents) { self.part.remove(child, parents); },
          "child"_a, "parents"_a)
      .def(
          "mark_from", [](Arcs& self, VariableId v) { self.part.mark_from(v); }, "v"_a)
      .def(
          "is_descendant", [](Arcs& self, VariableId u) { return self.part.is_descendant(u); }, "u"_a)
      .def(
          "has_parents", [](const Arcs& self, VariableId v) { return self.part.has_parents(v); }, "v"_a)
      .def(
          "children", [](const Arcs& self, VariableId v) { return to_vector(self.part.children(v)); }, "v"_a)
      .def_prop_ro("positions", [](const Arcs& self) { return to_vector(self.part.positions()); });
}

}  // namespace treebound
