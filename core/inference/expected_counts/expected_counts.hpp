// Expected counts of all families given the known cells of rows with missing values: the E-step of EM
// (Lauritzen 1995), exact.
//
// Families that a row knows as a whole are counted once, when the rows come in, and need neither a pass nor a
// logarithm per row afterwards. What is missing is found and planned once too (see missing_parts.hpp); each
// count() then calibrates every distinct part once, in lanes of several rows where there are several. Partial
// sums are made and added up in an order that depends on the rows alone, so the counts are the same to the
// last bit for any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/run.hpp"
#include "inference/expected_counts/missing_parts.hpp"
#include "inference/expected_counts/part_plan.hpp"
#include "inference/rows.hpp"

namespace treebound {

struct ChunkSums;
struct PassWorkspace;

class ExpectedCounts {
 public:
  /// Borrows all arguments but the order. Throws Stopped if the run is stopped, as does count().
  ExpectedCounts(const FamiliesView& families, std::span<const VariableId> order, RowsView rows,
                 std::span<const double> weights, Run& run);

  /// Writes the expected counts under these tables, both laid out like the tables of a network, and returns
  /// the logarithm of the probability of all known cells. A row of probability zero makes it minus infinity,
  /// and adds nothing to the counts of its missing cells.
  double count(std::span<const double> tables, Run& run, std::span<double> counts);

  static constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);
  /// The first row that the last count() found impossible.
  std::size_t impossible_row() const { return impossible_row_; }

  std::size_t num_parts() const { return parts_.parts.size(); }
  /// Distinct calibrations of a pass, and how many of them are whole rows.
  std::size_t num_passes() const;
  std::size_t num_whole_rows() const { return parts_.whole_rows.size(); }

 private:
  /// Neighbouring rows of a part, or whole rows, that one worker takes at a time.
  struct Batch {
    std::size_t part;  // kWhole for whole rows
    std::size_t first, last;
  };
  static constexpr std::size_t kWhole = static_cast<std::size_t>(-1);

  void count_known(Run& run);
  void make_chunks();
  const PartPlan& plan_of(std::size_t part) const {
    return part == kWhole ? whole_ : parts_.parts[part].plan;
  }
  std::span<const WeightedRow> rows_of(std::size_t part) const {
    return part == kWhole ? std::span<const WeightedRow>(parts_.whole_rows) : parts_.parts[part].rows;
  }
  double log_of_known(std::span<const double> tables);
  std::vector<double> whole_potentials(const double* tables) const;
  template <typename Pass, std::size_t kNum>
  void calibrate(std::size_t part, const double* tables, const std::array<std::size_t, kNum>& lanes,
                 Pass& pass) const;
  void count_batch(const Batch& batch, const double* tables, PassWorkspace& work, ChunkSums& sums) const;
  template <typename Pass>
  void count_lanes(const Batch& batch, std::span<const WeightedRow> rows, const double* tables, Pass& pass,
                   PassWorkspace& work, ChunkSums& sums) const;
  void count_wide(std::size_t part, WeightedRow row, const double* tables, PassWorkspace& work,
                  ChunkSums& sums) const;
  void note_impossible(std::size_t row) { impossible_row_ = std::min(impossible_row_, row); }

  FamiliesView families_;
  EliminationBags bags_;
  RowsView rows_;
  std::span<const double> weights_;
  MissingParts parts_;
  PartPlan whole_;
  std::vector<double> potentials_;  // of the bags of whole rows, under the tables of the last count()
  std::vector<double> known_;       // counts of families that rows know as a whole
  std::vector<Batch> batches_;
  std::vector<std::size_t> chunks_;  // where each begins among the batches, and where the last one ends
  std::size_t impossible_row_ = kNoRow;
};

}  // namespace treebound
