// One function per part; each lives in bind_<part>.cpp.
#pragma once

#include <nanobind/nanobind.h>

namespace treebound {

void bind_run(nanobind::module_& module);
void bind_csv(nanobind::module_& module);
void bind_jkl(nanobind::module_& module);
void bind_bif_rows(nanobind::module_& module);
void bind_cache(nanobind::module_& module);
void bind_data(nanobind::module_& module);
void bind_scoring(nanobind::module_& module);
void bind_signals(nanobind::module_& module);
void bind_structure(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_solvers(nanobind::module_& module);
void bind_within_ktree(nanobind::module_& module);
void bind_exact(nanobind::module_& module);
void bind_network(nanobind::module_& module);
void bind_inference(nanobind::module_& module);
void bind_expected_counts(nanobind::module_& module);
void bind_mixture(nanobind::module_& module);
void bind_density(nanobind::module_& module);

}  // namespace treebound
