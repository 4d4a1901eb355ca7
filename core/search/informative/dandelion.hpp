// k-trees drawn uniformly, by Dandelion codes (Caminiti, Fusco and Petreschi 2010, "Bijective linear time
// coding and decoding for k-trees"; used for S2 by Nie, Mauá, de Campos and Ji 2014).
//
// A code is a set Q of k variables and n-k-2 pairs; each pair is (0, -) or (parent in 1..n-k, label in
// 0..k-1). There are C(n,k) (k(n-k)+1)^(n-k-2) codes and as many k-trees, one for each code, so a uniform
// code gives a uniform k-tree. Decoding:
//   1. The variables are numbered anew, Q with the last k numbers, n-k+1..n.
//   2. The pairs, with (0, -) for two more numbers that follow from the code, say for each number 1..n-k what
//      stands above it. This need not be a tree; each cycle is opened at its largest number and hung below x,
//      the number of the smallest variable outside Q. The outcome is the characteristic tree.
//   3. A number below the root 0 joins Q; one below p joins S(p) and p, without the member of S(p) that the
//      label names (they are counted by their numbers).
// All of it takes time linear in the size n k of the k-tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "search/ktree/growing_ktree.hpp"

namespace treebound {

/// For n > k + 1; smaller k-trees have one clique and need no code.
struct DandelionCode {
  struct Pair {
    std::uint32_t parent;  // 0 is the root
    std::uint32_t label;   // of no meaning below the root
  };
  std::vector<VariableId> q;  // ascending
  std::vector<Pair> pairs;
};

/// Keeps its memory between k-trees.
class DandelionSampler {
 public:
  DandelionSampler(std::uint32_t num_variables, std::uint32_t width);

  /// Makes `tree` the k-tree of the code.
  void decode(const DandelionCode& code, GrowingKTree& tree);
  /// Makes `tree` a k-tree, all of them equally likely.
  void draw(RandomStream& random, GrowingKTree& tree);

 private:
  using Number = std::uint32_t;

  void draw_code(RandomStream& random);
  void renumber(std::span<const VariableId> q);
  void read_pairs(const DandelionCode& code);
  void open_cycles();
  void list_below();
  void grow(GrowingKTree& tree);
  std::size_t place_of_label(const GrowingKTree& tree, VariableId v, std::uint32_t label);

  std::uint32_t num_variables_, width_;
  Number last_;  // n-k, the largest number outside Q
  DandelionCode code_;
  std::vector<VariableId> shuffled_;
  std::vector<Number> number_of_;        // by variable
  std::vector<VariableId> variable_of_;  // by number
  std::vector<DandelionCode::Pair> above_;
  Number x_ = 0;
  std::vector<std::uint8_t> state_;
  std::vector<std::uint32_t> below_offsets_;
  std::vector<Number> below_, queue_, numbers_;
};

}  // namespace treebound
