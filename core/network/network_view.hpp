// A Bayesian network as the core sees it: families and their probabilities.
#pragma once

#include <span>

#include "network/families_view.hpp"

namespace treebound {

struct NetworkView : FamiliesView {
  std::span<const VariableId> topological_order;
  std::span<const double> tables;

  const double* table_of(VariableId v) const { return tables.data() + first_cell(v); }
};

}  // namespace treebound
