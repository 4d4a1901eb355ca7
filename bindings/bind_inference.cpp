#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bindings.hpp"
#include "family_arrays.hpp"
#include "inference/clique_tree.hpp"
#include "inference/junction_tree.hpp"
#include "inference/rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {
namespace {

/// Keeps the arrays of a network alive.
struct Network {
  FamilyArrays families;
  ArrayIn<VariableId> topological_order;
  ArrayIn<double> tables;

  NetworkView view() const { return {families.view(), as_span(topological_order), as_span(tables)}; }
};

struct Tree {
  CliqueTree cliques;
  TreeSize size;
};

template <typename Build>
Tree build_tree(const Network& network, Build build) {
  const Unlocked unlocked;
  const NetworkView view = network.view();
  CliqueTree cliques = build(view);
  const TreeSize size = size_of(cliques, view.cardinalities);
  return {std::move(cliques), size};
}

std::tuple<double, double> as_tuple(const EliminationRun::Size& size) { return {size.total, size.largest}; }

}  // namespace

void bind_inference(nb::module_& module) {
  nb::class_<Network>(module, "InferenceNetwork")
      .def(
          "__init__",
          [](Network* self, ArrayIn<std::uint32_t> cardinalities, ArrayIn<VariableId> topological_order,
             ArrayIn<std::int64_t> parent_offsets, ArrayIn<VariableId> parents,
             ArrayIn<std::int64_t> table_offsets, ArrayIn<double> tables) {
            new (self)
                Network{{cardinalities, parent_offsets, parents, table_offsets}, topological_order, tables};
          },
          "cardinalities"_a, "topological_order"_a, "parent_offsets"_a, "parents"_a, "table_offsets"_a,
          "tables"_a);

  nb::class_<Tree>(module, "CliqueTree")
      .def_static(
          "from_order",
          [](const Network& network, const ArrayIn<VariableId>& order) {
            return build_tree(network, [&](const NetworkView& view) {
              return build_clique_tree(scopes_of(view), as_span(order));
            });
          },
          "network"_a, "order"_a)
      .def_static(
          "smallest",
          [](const Network& network) {
            return build_tree(network, [](const NetworkView& view) {
              return build_smallest_clique_tree(scopes_of(view), view.cardinalities);
            });
          },
          "network"_a)
      .def_prop_ro("num_cliques", [](const Tree& tree) { return tree.cliques.num_cliques(); })
      .def("order", [](const Tree& tree) { return to_numpy(std::vector<VariableId>(tree.cliques.order)); })
      .def_prop_ro("width", [](const Tree& tree) { return tree.size.width; })
      .def_prop_ro("all_cliques", [](const Tree& tree) { return tree.size.all_cliques; })
      .def_prop_ro("all_separators", [](const Tree& tree) { return tree.size.all_separators; });

  nb::class_<JunctionTree>(module, "JunctionTree")
      .def(
          "__init__",
          [](JunctionTree* self, const Network& network, const Tree& tree, double few_cells) {
            const Unlocked unlocked;
            new (self) JunctionTree(network.view(), tree.cliques, few_cells);
          },
          "network"_a, "tree"_a, "few_cells"_a)
      .def(
          "set_findings",
          [](JunctionTree& self, const ArrayIn<std::int32_t>& codes,
             const ArrayIn<VariableId>& soft_variables, const ArrayIn<std::int64_t>& soft_offsets,
             const ArrayIn<double>& soft_weights) {
            const SoftFindings soft{as_span(soft_variables), as_span(soft_offsets), as_span(soft_weights)};
            const Unlocked unlocked;
            self.set_findings(as_span(codes), soft);
          },
          "codes"_a, "soft_variables"_a, "soft_offsets"_a, "soft_weights"_a)
      .def("log_probability", &JunctionTree::log_probability, "run"_a, WithoutGil())
      .def(
          "marginals",
          [](JunctionTree& self, const Run& run) {
            return to_numpy(without_gil([&] {
              const auto found = self.marginals(run);
              return std::vector<double>(found.begin(), found.end());
            }));
          },
          "run"_a)
      .def(
          "marginal",
          [](JunctionTree& self, VariableId v, const Run& run) {
            return filled<double>(self.model().num_cells({&v, 1}),
                                  [&](std::span<double> out) { self.marginal(v, out, run); });
          },
          "variable"_a, "run"_a)
      .def(
          "joint_size",
          [](JunctionTree& self, const ArrayIn<VariableId>& variables) {
            return as_tuple(self.joint_size(as_span(variables)));
          },
          "variables"_a, WithoutGil())
      .def(
          "joint",
          [](JunctionTree& self, const ArrayIn<VariableId>& variables, const Run& run) {
            return filled<double>(self.model().num_cells(as_span(variables)),
                                  [&](std::span<double> out) { self.joint(as_span(variables), out, run); });
          },
          "variables"_a, "run"_a)
      .def(
          "most_probable_size",
          [](JunctionTree& self, const ArrayIn<VariableId>& variables) {
            return as_tuple(self.most_probable_size(as_span(variables)));
          },
          "variables"_a, WithoutGil())
      .def(
          "most_probable",
          [](JunctionTree& self, const ArrayIn<VariableId>& variables, const Run& run) {
            std::vector<std::int32_t> states(self.model().num_variables());
            const double log_probability =
                without_gil([&] { return self.most_probable(as_span(variables), states, run); });
            return std::tuple(to_numpy(std::move(states)), log_probability);
          },
          "variables"_a, "run"_a)
      .def(
          "sample",
          [](JunctionTree& self, std::uint64_t seed, Run& run, MatrixInOut<std::int32_t> codes) {
            const Unlocked unlocked;
            self.sample(seed, codes.shape(1), run, codes.data());
          },
          "seed"_a, "run"_a, "codes"_a.noconvert())
      .def(
          "log_likelihood_rows",
          [](const JunctionTree& self, const RowArrays& rows, Run& run) {
            return filled<double>(rows.shape(1), [&](std::span<double> out) {
              log_likelihood_rows(self.model(), view_of(rows), run, out);
            });
          },
          "rows"_a, "run"_a)
      .def(
          "posterior_rows",
          [](const JunctionTree& self, VariableId target, const RowArrays& rows, Run& run) {
            const std::size_t size = rows.shape(1) * self.model().num_cells({&target, 1});
            return filled<double>(size, [&](std::span<double> out) {
              posterior_rows(self.model(), target, view_of(rows), run, out);
            });
          },
          "target"_a, "rows"_a, "run"_a)
      .def(
          "most_probable_rows",
          [](const JunctionTree& self, const RowArrays& rows, Run& run, MatrixInOut<std::int32_t> completed) {
            return filled<std::uint8_t>(rows.shape(1), [&](std::span<std::uint8_t> is_possible) {
              most_probable_rows(self.model(), view_of(rows), run, completed.data(), is_possible);
            });
          },
          "rows"_a, "run"_a, "completed"_a.noconvert())
      .def(
          "sample_rows_given",
          [](const JunctionTree& self, const RowArrays& rows, std::uint64_t seed, Run& run,
             MatrixInOut<std::int32_t> completed) {
            return filled<std::uint8_t>(rows.shape(1), [&](std::span<std::uint8_t> is_possible) {
              sample_rows_given(self.model(), view_of(rows), seed, run, completed.data(), is_possible);
            });
          },
          "rows"_a, "seed"_a, "run"_a, "completed"_a.noconvert());
}

}  // namespace treebound
