// The compiled core as seen from Python: one bind_<part> per file.
#include <nanobind/nanobind.h>

#include "bindings.hpp"

NB_MODULE(_core, module) {
  module.doc() = "Compiled core of treebound: integers and doubles only. Names and labels live in Python.";
  treebound::bind_run(module);
  treebound::bind_csv(module);
  treebound::bind_jkl(module);
  treebound::bind_bif_rows(module);
  treebound::bind_cache(module);
  treebound::bind_data(module);
  treebound::bind_scoring(module);
  treebound::bind_signals(module);
  treebound::bind_structure(module);
  treebound::bind_search(module);
  treebound::bind_solvers(module);
  treebound::bind_within_ktree(module);
  treebound::bind_exact(module);
  treebound::bind_network(module);
  treebound::bind_inference(module);
  treebound::bind_expected_counts(module);
  treebound::bind_mixture(module);
  treebound::bind_density(module);
}
