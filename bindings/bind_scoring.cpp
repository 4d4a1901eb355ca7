#include "bindings.hpp"

namespace treebound {

void bind_scoring(nanobind::module_&) {}

}  // namespace treebound
