#include "bindings.hpp"

namespace treebound {

void bind_text(nanobind::module_&) {}

}  // namespace treebound
