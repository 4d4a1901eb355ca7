#include "bindings.hpp"

namespace treebound {

void bind_data(nanobind::module_&) {}

}  // namespace treebound
