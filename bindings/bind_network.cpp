#include "bindings.hpp"

namespace treebound {

void bind_network(nanobind::module_&) {}

}  // namespace treebound
