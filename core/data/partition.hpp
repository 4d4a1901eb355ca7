// The rows split by the joint state of a few variables: the work that parent sets with a common prefix share.
//
// A cell holds the rows of one joint state: as a bit plane while it has many, as a list of positions once it
// has few. Counting a further variable then costs a pass over the plane per state, or a look-up per position,
// whichever is less: with few states and many rows this is the popcount path, with many states it becomes the
// partition path of classical scorers, and in between every cell takes the cheaper one.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "data/dataset.hpp"

namespace treebound {

class Partition {
 public:
  struct Cell {
    std::uint32_t num_rows;       // weighted
    std::uint32_t num_positions;  // of the layout
    std::uint32_t group;          // cells of one group differ only in the state of the first variable
    std::uint32_t origin;         // the cell of the coarser partition that this one is part of
    std::uint32_t state;          // of the variable that split it off
    std::uint32_t storage;        // number of its plane, or index of its first position
    bool is_dense;
  };

  explicit Partition(const Dataset& data);

  /// All rows in one cell.
  void gather();

  /// What a split does with the groups: the states of the first variable stay together, those of all others
  /// part.
  enum class Groups { keep, part };

  /// Splits `coarse` by the states of v from `first_state` on; first_state = 1 skips the rows in v's most
  /// frequent state, for callers that find them by subtraction. Empty cells are dropped; cells stay sorted by
  /// group.
  void split(const Partition& coarse, VariableId v, std::uint32_t first_state, Groups groups);

  std::span<const Cell> cells() const { return cells_; }
  const Dataset& data() const { return *data_; }

  /// Whether the cells are sorted by group and the storage is that of the cells: slow, for asserts.
  bool is_valid() const;

  /// Fills one row of `stride` counts per cell: table[cell * stride + state of v], where `slot(cell)` is its
  /// row.
  template <typename Slot>
  void count(VariableId v, std::uint32_t* table, Slot&& slot) const;

  /// Counts the states of v among the rows of a single cell; `counts` must be zero before.
  void count_cell(const Cell& cell, VariableId v, std::uint32_t* counts) const;

  std::span<const std::uint32_t> positions(const Cell& cell) const {
    assert(!cell.is_dense && cell.storage + cell.num_positions <= positions_.size());
    return {positions_.data() + cell.storage, cell.num_positions};
  }

 private:
  const Word* plane(const Cell& cell) const {
    assert(cell.is_dense && cell.storage < dense_cells_.size());
    return planes_.data() + cell.storage * data_->num_words();
  }
  void split_dense(const Partition& coarse, const Cell& cell, VariableId v, std::uint32_t first_state,
                   Cell* parts);
  void split_listed(const Cell& cell, std::span<const std::uint32_t> positions, VariableId v,
                    std::uint32_t first_state, Cell* parts);
  void split_by_codes(std::span<const std::uint32_t> positions, VariableId v, std::uint32_t first_state,
                      Cell* parts);
  /// The same for variables of two states, whose codes are bits: no step waits for a counter in memory.
  void split_by_bits(const Cell& cell, std::span<const std::uint32_t> positions, VariableId v,
                     std::uint32_t first_state, Cell* parts);
  Dataset::Size count_ones(std::span<const std::uint32_t> positions, VariableId v) const;
  /// Where the next plane is written, behind those in use.
  Word* next_plane();
  /// Makes a cell of the next plane, or of its positions if they are few.
  void adopt_next_plane(Dataset::Size size, Cell& part);

  const Dataset* data_;
  std::uint32_t max_sparse_positions_;
  std::vector<Cell> cells_;
  std::uint32_t num_groups_ = 0;
  std::vector<Word> planes_;                // may have room for more than are in use
  std::vector<std::uint32_t> dense_cells_;  // index in cells_ of each plane
  std::vector<std::uint32_t> positions_;
  std::vector<Cell> parts_;
  mutable std::vector<std::uint32_t> bits_;
};

template <typename Slot>
void Partition::count(VariableId v, std::uint32_t* table, Slot&& slot) const {
  const std::uint32_t num_states = data_->cardinality(v);
  if (!data_->has_planes(v)) {
    for (std::size_t c = 0; c < cells_.size(); ++c) count_cell(cells_[c], v, table + slot(c) * num_states);
    return;
  }
  const std::size_t num_dense = dense_cells_.size();
  bits_.resize(num_dense);
  for (const std::uint32_t c : dense_cells_) table[slot(c) * num_states] = cells_[c].num_rows;
  for (std::uint32_t state = 1; state < num_states && num_dense > 0; ++state) {
    data_->count_intersections(planes_.data(), num_dense, data_->planes(v) + (state - 1) * data_->num_words(),
                               bits_.data());
    for (std::size_t i = 0; i < num_dense; ++i) {
      std::uint32_t* counts = table + slot(dense_cells_[i]) * num_states;
      counts[state] = bits_[i];
      counts[0] -= bits_[i];
    }
  }
  if (num_dense == cells_.size()) return;
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    if (!cells_[c].is_dense) count_cell(cells_[c], v, table + slot(c) * num_states);
  }
}

}  // namespace treebound
