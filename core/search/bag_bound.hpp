// How large a bag, a variable with its neighbours when it is eliminated, may be.
#pragma once

#include <cmath>
#include <cstdint>

namespace treebound {

struct BagBound {
  std::uint32_t max_treewidth;  // a bag has one variable more
  double max_cells = HUGE_VAL;  // joint states of a bag; infinity: no bound
};

}  // namespace treebound
