// One function per stage; each lives in bind_<stage>.cpp.
#pragma once

#include <nanobind/nanobind.h>

namespace treebound {

void bind_text(nanobind::module_& module);
void bind_cache(nanobind::module_& module);
void bind_data(nanobind::module_& module);
void bind_scoring(nanobind::module_& module);
void bind_structure(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_network(nanobind::module_& module);

}  // namespace treebound
