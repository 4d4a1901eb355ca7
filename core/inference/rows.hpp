// Questions asked of many rows at once. `codes` holds one column of `num_rows` codes per variable, below zero
// where a cell is not known. Each row costs what its gaps cost (see elimination_run.hpp); blocks of rows are
// handed to threads, and no answer depends on which thread gave it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "inference/model.hpp"

namespace treebound {

struct RowsView {
  const std::int32_t* codes;
  std::size_t num_rows;

  const std::int32_t* column(VariableId v) const { return codes + v * num_rows; }
  RowView row(std::size_t r) const { return {codes + r, num_rows}; }
};

/// Logarithm of the probability of the known cells of each row.
void log_likelihood_rows(const Model& model, RowsView rows, std::size_t num_threads, std::span<double> out);

/// Distribution of the target in each row, whose own cell is not looked at: one run of its states per row.
/// Not a number where the known cells contradict each other.
void posterior_rows(const Model& model, VariableId target, RowsView rows, std::size_t num_threads,
                    std::span<double> out);

/// The most probable joint completion of each row, laid out like the codes, with the logarithm of its
/// probability (together with the known cells).
void most_probable_rows(const Model& model, RowsView rows, std::size_t num_threads, std::int32_t* out,
                        std::span<double> log_probabilities);

/// One completion of each row drawn given its known cells; row r draws from stream r. Cells stay below zero
/// where the known ones contradict each other.
void sample_rows_given(const Model& model, RowsView rows, std::uint64_t seed, std::size_t num_threads,
                       std::int32_t* out);

}  // namespace treebound
