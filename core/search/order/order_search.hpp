// The search over orders: networks without a bound on the treewidth, for thousands of variables.
//
// Several chains (order_chain.hpp) work side by side. A step begins a chain or anneals it for a while. The
// number of chains does not depend on the number of threads, and neither does the outcome.
#pragma once

#include <cstdint>

#include "search/anytime.hpp"

namespace treebound {

struct OrderSearchOptions {
  std::uint32_t num_chains;
  std::uint32_t max_window;  // at most kMaxWindow
};

Statistics search_order(SearchTask& task, const OrderSearchOptions& options);

}  // namespace treebound
