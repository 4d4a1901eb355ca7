#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "search/arc_order.hpp"
#include "search/elimination/elimination_tree.hpp"
#include "search/regrow/bounded_network.hpp"
#include "search/regrow/family_pool.hpp"
#include "search/regrow/tree_optimum.hpp"
#include "search/undo_log.hpp"
#include "testing/testing.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;
using Members = std::vector<VariableId>;

/// The parts of Regrow, each with an undo log of its own.
template <typename Part>
struct Logged {
  template <typename... Options>
  explicit Logged(std::uint32_t num_variables, Options&&... options)
      : num_variables(num_variables), part(num_variables, std::forward<Options>(options)..., log) {}
  Logged(const Logged&) = delete;
  Logged& operator=(const Logged&) = delete;

  std::uint32_t num_variables;
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

std::vector<std::vector<std::int32_t>> separators(const EliminationTree& tree, std::uint32_t num_variables) {
  std::vector<std::vector<std::int32_t>> result;
  for (VariableId u = 0; u < num_variables; ++u) result.push_back(to_vector(tree.separator(u)));
  return result;
}

std::uint32_t to_number(FamilyId family) { return static_cast<std::uint32_t>(family); }

std::vector<std::uint32_t> to_numbers(std::span<const FamilyId> families) {
  std::vector<std::uint32_t> numbers;
  for (const FamilyId family : families) numbers.push_back(to_number(family));
  return numbers;
}

void bind_pool(nb::module_& module) {
  nb::class_<FamilyPool>(module, "FamilyPool")
      .def(nb::init<const SearchProblem&>(), "problem"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("num_families", &FamilyPool::num_families)
      .def(
          "families", [](const FamilyPool& self, VariableId v) { return to_numbers(self.families(v)); },
          "v"_a)
      .def(
          "members",
          [](const FamilyPool& self, std::uint32_t family) {
            return to_vector(self.members(FamilyId{family}));
          },
          "family"_a)
      .def(
          "score", [](const FamilyPool& self, std::uint32_t family) { return self.score(FamilyId{family}); },
          "family"_a)
      .def(
          "find",
          [](const FamilyPool& self, VariableId v, const Members& parents,
             double score) -> std::optional<std::uint32_t> {
            const FamilyId family = self.find(v, parents, score);
            return family == kNoFamily ? std::nullopt : std::optional(to_number(family));
          },
          "v"_a, "parents"_a, "score"_a)
      .def(
          "add",
          [](FamilyPool& self, VariableId v, const Members& parents, double score) {
            return to_number(self.add(v, parents, score));
          },
          "v"_a, "parents"_a, "score"_a);
}

void bind_bounded_network(nb::module_& module) {
  using Network = BoundedNetwork;
  nb::class_<Network>(module, "BoundedNetwork")
      .def(nb::init<const FamilyPool&>(), nb::keep_alive<1, 2>(), "pool"_a)
      .def_prop_ro("chosen", [](const Network& self) { return to_numbers(self.all_chosen()); })
      .def_prop_ro("gain", &Network::gain)
      .def_prop_ro("positions", [](const Network& self) { return to_vector(self.arcs().positions()); })
      .def_prop_ro("elimination_order", [](const Network& self) { return self.tree().elimination_order(); })
      .def_prop_ro("separators",
                   [](const Network& self) { return separators(self.tree(), self.pool().num_variables()); })
      .def("release", &Network::release, "v"_a)
      .def(
          "place",
          [](Network& self, VariableId v, std::uint32_t family) { return self.place(v, FamilyId{family}); },
          "v"_a, "family"_a)
      .def("place_best", &Network::place_best, "v"_a, "max_tests"_a)
      .def(
          "load",
          [](Network& self, const std::vector<std::uint32_t>& chosen, const Members& elimination_order) {
            std::vector<FamilyId> families;
            for (const std::uint32_t family : chosen) families.push_back(FamilyId{family});
            self.load(families, elimination_order);
          },
          "chosen"_a, "elimination_order"_a)
      .def(
          "holds", [](const Network& self, std::uint32_t family) { return self.holds(FamilyId{family}); },
          "family"_a)
      .def(
          "blocking_families",
          [](Network& self, std::uint32_t family) {
            return to_vector(self.blocking_families(FamilyId{family}));
          },
          "family"_a)
      .def(
          "is_reached",
          [](Network& self, VariableId v, VariableId u) {
            self.mark_from(v);
            return self.is_reached(u);
          },
          "v"_a, "u"_a)
      .def("keep", &Network::keep)
      .def("take_back", &Network::take_back);
}

void bind_tree_optimum(nb::module_& module) {
  nb::class_<FamilyProposals>(module, "FamilyProposals")
      .def(nb::init<FamilyPool&, std::size_t>(), "pool"_a, "max_added"_a, nb::keep_alive<1, 2>());
  nb::class_<TreeOptimum>(module, "TreeOptimum")
      .def(nb::init<const SearchProblem&>(), nb::keep_alive<1, 2>(), "problem"_a)
      .def(
          "improve",
          [](TreeOptimum& self, BoundedNetwork& network, FamilyProposals* proposals, double max_work,
             std::uint64_t seed) {
            RandomStream random(seed, 0);
            return self.improve(network, proposals, max_work, random);
          },
          "network"_a, "proposals"_a.none(), "max_work"_a, "seed"_a)
      .def_prop_ro("work", &TreeOptimum::work)
      .def_prop_ro("changed", [](const TreeOptimum& self) { return to_vector(self.changed()); });
}

}  // namespace

void bind_regrow_parts(nb::module_& module) {
  bind_pool(module);
  bind_bounded_network(module);
  bind_tree_optimum(module);
  bind_logged<Tree>(module, "EliminationTree")
      .def(
          "__init__",
          [](Tree* self, std::uint32_t num_variables, std::uint32_t max_treewidth, double max_cells,
             const ArrayIn<std::uint32_t>& cardinalities) {
            new (self) Tree(num_variables, BagBound{max_treewidth, max_cells}, as_span(cardinalities));
          },
          "num_variables"_a, "max_treewidth"_a, "max_cells"_a, "cardinalities"_a)
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
      .def("separators", [](const Tree& self) { return separators(self.part, self.num_variables); })
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
          "leads_to", [](Arcs& self, VariableId v, VariableId u) { return self.part.leads_to(v, u); }, "v"_a,
          "u"_a)
      .def(
          "has_parents", [](const Arcs& self, VariableId v) { return self.part.has_parents(v); }, "v"_a)
      .def(
          "children", [](const Arcs& self, VariableId v) { return to_vector(self.part.children(v)); }, "v"_a)
      .def_prop_ro("positions", [](const Arcs& self) { return to_vector(self.part.positions()); });
}

}  // namespace treebound
