// Queries about many rows at once. `codes` holds one column of `num_rows` codes per variable, below zero
// where a cell is missing. Each row costs what its gaps cost (see elimination_run.hpp); blocks of rows are
// divided among the threads of a run, and no result depends on the thread. A run that is stopped leaves the
// results that were not reached as they were, or throws Stopped from the row in progress.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/run.hpp"
#include "inference/model.hpp"

namespace treebound {

struct RowsView {
  const std::int32_t* codes;
  std::size_t num_rows;

  const std::int32_t* column(VariableId v) const { return codes + v * num_rows; }
  RowView row(std::size_t r) const { return {codes + r, num_rows}; }
};

/// Logarithm of the probability of the known cells of each row; minus infinity if they are impossible.
void log_likelihood_rows(const Model& model, RowsView rows, Run& run, std::span<double> out);

/// Distribution of the target in each row; its own cell is ignored. One run of its states per row, NaN where
/// the other known cells are impossible.
void posterior_rows(const Model& model, VariableId target, RowsView rows, Run& run, std::span<double> out);

/// The most probable joint completion of each row, laid out like the codes. Impossible rows stay as they are;
/// returns in `is_possible` which are not.
void most_probable_rows(const Model& model, RowsView rows, Run& run, std::int32_t* out,
                        std::span<std::uint8_t> is_possible);

/// The same with a completion drawn given the known cells; row r draws from stream r.
void sample_rows_given(const Model& model, RowsView rows, std::uint64_t seed, Run& run, std::int32_t* out,
                       std::span<std::uint8_t> is_possible);

}  // namespace treebound
