// Insertion orders for k-G and k-A* (paper, section 3): how the space of orders is sampled.
//   uniform        every order equally likely. When orders that differ only in their first k+1 places count
//                  as one (paper, "Pruning orders") and there are few, they are visited without repetition.
//   parents_first  a random walk that places, before a variable, the parents of one of its best sets: only
//                  cycles among favourites force a variable to take less.
//   perturbed      the best order so far with a few variables moved, each to a place behind the parents of
//                  one of its better sets or to a random place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "search/problem.hpp"

namespace treebound {

enum class OrderSampling : std::uint8_t { kUniform, kParentsFirst, kPerturbed };

/// Orders perturbed from the same best one before the next is taken; the same for any number of threads.
constexpr std::uint64_t kStepsPerRound = 16;

/// The orders of a small problem, one for each class of equivalent ones, in a scrambled sequence.
class OrderClasses {
 public:
  /// Counts up to kMaxCount; a larger space is not enumerable and has count() 0.
  OrderClasses(std::uint32_t num_variables, std::uint32_t width, std::uint64_t seed);
  static constexpr std::uint64_t kMaxCount = 1u << 22;

  std::uint64_t count() const { return count_; }
  void write(std::uint64_t step, std::span<VariableId> order) const;

 private:
  std::uint32_t width_;
  std::uint64_t count_ = 1;
  std::uint64_t stride_ = 1;
  std::uint64_t start_ = 0;
};

void sample_uniform(std::span<VariableId> order, RandomStream& random);

class ParentsFirst {
 public:
  explicit ParentsFirst(const SearchProblem& problem) : problem_(problem) {}
  void sample(std::span<VariableId> order, RandomStream& random);

 private:
  const SearchProblem& problem_;
  std::vector<VariableId> starts_;
  std::vector<std::pair<VariableId, EntryId>> path_;
  std::vector<std::uint8_t> is_reached_;
};

/// Writes a neighbour of `best` into `order`.
class Perturbed {
 public:
  explicit Perturbed(const SearchProblem& problem) : problem_(problem) {}
  void sample(std::span<const VariableId> best, std::span<VariableId> order, RandomStream& random);

 private:
  const SearchProblem& problem_;
  std::vector<std::uint32_t> places_;
};

}  // namespace treebound
