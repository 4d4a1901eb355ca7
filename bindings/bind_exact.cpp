#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "search/exact/cluster_cuts.hpp"
#include "search/exact/order_dp.hpp"
#include "search/exact/tree_dp.hpp"
#include "unlocked.hpp"

namespace treebound {

namespace nb = nanobind;
using namespace nb::literals;

void bind_exact(nb::module_& module) {
  nb::class_<ClusterCuts>(module, "ClusterCuts", "Cluster inequalities that solutions violate.")
      .def(nb::init<const SearchProblem&>(), nb::keep_alive<1, 2>(), "problem"_a)
      .def(
          "violated",
          [](ClusterCuts& self, const ArrayIn<double>& values, double tolerance) {
            return self.violated(as_span(values), tolerance);
          },
          "values"_a, "tolerance"_a)
      .def(
          "cycles",
          [](const ClusterCuts& self, const ArrayIn<EntryId>& chosen) {
            return self.cycles(as_span(chosen));
          },
          "chosen"_a)
      .def(
          "entries",
          [](const ClusterCuts& self, const Cluster& cluster, bool with_parent_inside) {
            return self.entries(cluster, with_parent_inside);
          },
          "cluster"_a, "with_parent_inside"_a);
  module.def(
      "round_to_acyclic",
      [](const SearchProblem& problem, const ArrayIn<double>& values) {
        return to_numpy(round_to_acyclic(problem, as_span(values)));
      },
      "problem"_a, "values"_a);
  module.attr("MOST_VARIABLES_IN_ORDER") = kMostVariablesInOrder;
  module.def("best_dag", &best_dag, "problem"_a, WithoutGil(), "The entries of a best DAG of any treewidth.");
  module.def("best_dag_looks", &best_dag_looks, "problem"_a);
  module.def("tree_dp_operations", &tree_dp_operations, "num_variables"_a, "max_treewidth"_a);
  module.def("tree_dp_bytes", &tree_dp_bytes, "num_variables"_a, "max_treewidth"_a);
  module.def("search_tree_dp", &search_tree_dp, "task"_a, WithoutGil());
}

}  // namespace treebound
