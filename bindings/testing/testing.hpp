// Parts of the core that only tests and benchmarks call; each lives in testing/bind_<part>.cpp.
#pragma once

#include <nanobind/nanobind.h>

namespace treebound {

void bind_structure_parts(nanobind::module_& module);
void bind_counting_parts(nanobind::module_& module);
void bind_regrow_parts(nanobind::module_& module);
void bind_order_parts(nanobind::module_& module);
void bind_forest_parts(nanobind::module_& module);
void bind_elidan_gould_parts(nanobind::module_& module);
void bind_informative_parts(nanobind::module_& module);

}  // namespace treebound
