// T({X, Y}) of all pairs of variables, tile by tile.
//
// The planes of ten thousand columns and half a million rows are 600 megabytes: passing all of them for each
// variable would wait for the memory. The variables are therefore split into blocks with a few dozen planes
// each. A tile is the pairs of one block with another; stretches of its planes stay in the second-level cache
// while each of the one is counted with each of the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "data/dataset.hpp"
#include "data/partition.hpp"
#include "scoring/counting/joint_counts.hpp"
#include "scoring/local_score.hpp"

namespace treebound {

struct VariableBlock {
  VariableId first, end;
  std::size_t size() const { return end - first; }
};

/// All pairs of a variable of `a` with a smaller one of `b`; the two are the same block, or b comes before a.
struct PairTile {
  VariableBlock a, b;
};

/// The tiles that hold every pair once. Those of the last block of `a` come first.
class PairTiles {
 public:
  explicit PairTiles(const Dataset& data);

  std::size_t num_blocks() const { return blocks_.size(); }
  /// Number of tiles.
  std::size_t size() const { return num_blocks() * (num_blocks() + 1) / 2; }
  PairTile operator[](std::size_t index) const;
  /// Number of the block that holds v.
  std::size_t block_of(VariableId v) const;

 private:
  std::vector<VariableBlock> blocks_;
};

/// Counts tiles; one per thread.
class PairCounter {
 public:
  PairCounter(const Dataset& data, const LocalScore& score);

  /// Calls use(a, b, term) for every pair of the tile, b < a.
  template <typename Use>
  void count(const PairTile& tile, Use&& use) {
    count_planes(tile);
    for_each_pair(tile, [&](VariableId a, VariableId b) { use(a, b, term(tile, a, b)); });
  }
  /// The same without pairs that cannot gain as an arc, as far as one count shows: most pairs of a
  /// wide table.
  template <typename Use>
  void count_gaining(const PairTile& tile, Use&& use) {
    count_planes(tile);
    for_each_pair(tile, [&](VariableId a, VariableId b) {
      if (may_gain(tile, a, b)) use(a, b, term(tile, a, b));
    });
  }

  /// T({v}).
  Term single(VariableId v);
  /// T of no variable at all.
  Term empty();

 private:
  template <typename Visit>
  void for_each_pair(const PairTile& tile, Visit&& visit) {
    for (VariableId a = tile.a.first; a < tile.a.end; ++a) {
      const VariableId end = std::min(a, tile.b.end);
      for (VariableId b = tile.b.first; b < end; ++b) visit(a, b);
    }
  }

  /// Counts the rows in each plane of the one block and each of the other.
  void count_planes(const PairTile& tile);
  /// Where the counts of a pair begin.
  const std::uint32_t* both(const PairTile& tile, VariableId a, VariableId b) const {
    return both_.data() + (first_plane_[a] - first_plane_[tile.a.first]) * in_stretch_.size() +
           (first_plane_[b] - first_plane_[tile.b.first]);
  }
  bool may_gain(const PairTile& tile, VariableId a, VariableId b) const;
  Term term(const PairTile& tile, VariableId a, VariableId b);
  Term term_of_two_states(std::uint32_t both, VariableId a, VariableId b);
  /// The term of a pair in which one variable has no planes.
  Term term_of_codes(VariableId a, VariableId b);

  const Dataset* data_;
  std::unique_ptr<LocalScore> score_;
  Partition whole_;
  std::vector<std::size_t> first_plane_;  // of each variable, and the number of all
  std::vector<double> spreads_;           // rows in state 1 times those in state 0; of two states
  double cost_;                           // of an arc between two states, 0 if the score has no penalty
  JointCounts joint_;
  VariableId joint_variable_;              // that joint_ is set to; num_variables for none
  std::vector<std::uint32_t> both_;        // [plane of a][plane of b]: rows in both
  std::vector<std::uint32_t> in_stretch_;  // the same in one stretch
  std::vector<std::uint32_t> table_;
};

}  // namespace treebound
