// Networks that share a structure, side by side: the components of a mixture.
//
// Each cell of a table is a run of numbers, one lane for each component, so the same family is read for all
// components at once. The logarithm of the probability of a complete row is a sum of one such run per family;
// where most rows have the same cells, the sum over these is made once, and each row adds its differences.
// Lanes are taken a few dozen at a time: their share of all tables then stays in the second-level cache while
// a block of rows passes.
#pragma once

#include <cstddef>
#include <span>

#include "base/run.hpp"
#include "inference/rows.hpp"
#include "network/families_view.hpp"

namespace treebound {

/// The logarithm of cell c of the tables is log_tables[c * num_lanes() + lane] in a component whose weight
/// has the logarithm log_weights[lane].
struct MixtureView : FamiliesView {
  std::span<const double> log_tables;
  std::span<const double> log_weights;

  std::size_t num_lanes() const { return log_weights.size(); }
};

/// Logarithm of the probability of each complete row in the mixture; minus infinity if it is impossible.
void mixture_log_likelihood_rows(const MixtureView& mixture, RowsView rows, Run& run, std::span<double> out);

/// The mean over components, weighted by their posterior given the row, of the logarithm of each cell's
/// probability given the parents' cells: out[v * rows.num_rows + r]. NaN in impossible rows.
void mixture_family_logs(const MixtureView& mixture, RowsView rows, Run& run, std::span<double> out);

}  // namespace treebound
