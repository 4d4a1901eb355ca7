// Parts of the core for tests and benchmarks, each on its own. A separate module, so wheels do not contain
// it.
#include "testing/testing.hpp"

NB_MODULE(_core_testing, module) {
  module.doc() = "Parts of the compiled core, for tests and benchmarks. Not in the wheels.";
  nanobind::module_::import_("treebound._core");  // which knows the types that the parts take
  treebound::bind_structure_parts(module);
  treebound::bind_counting_parts(module);
  treebound::bind_regrow_parts(module);
  treebound::bind_order_parts(module);
  treebound::bind_forest_parts(module);
  treebound::bind_elidan_gould_parts(module);
  treebound::bind_informative_parts(module);
}
