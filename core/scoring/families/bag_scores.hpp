// Scores of all families inside a small set of variables, from one count of its joint states.
//
// Inside m variables lie m 2^(m-1) families. The score of each is made of the sums T of two subsets
// (local_score.hpp), and the counts of every subset follow from those of the whole set by adding up: one pass
// over the rows serves them all. Sets that were counted lately are remembered.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "data/dataset.hpp"
#include "scoring/counting/set_counts.hpp"
#include "scoring/local_score.hpp"

namespace treebound {

class BagScores {
 public:
  /// Members of a set, as bits in the order in which they were given.
  using Mask = std::uint32_t;
  static constexpr std::size_t kMaxMembers = 8;
  /// Joint states of a set; with more the counts of most are zero or one, and adding them up takes long.
  static constexpr double kMaxCells = 1024;

  BagScores(const Dataset& data, const LocalScore& score);

  /// Whether a set is small enough.
  bool is_countable(std::span<const VariableId> members) const;

  /// Counts a set of ascending variables.
  void count(std::span<const VariableId> members);

  /// Score of the family of a member with some of the others as its parents, in the set counted last.
  double score(std::size_t child, Mask parents) const {
    assert(child < members_.size() && (parents >> members_.size()) == 0 && (parents >> child & 1) == 0);
    const Term joint = terms_[parents | Mask{1} << child];
    return score_->to_double(joint - terms_[parents]) -
           score_->penalty(data_->cardinality(members_[child]), states_[parents]);
  }

 private:
  static constexpr std::size_t kNumSubsets = std::size_t{1} << kMaxMembers;
  static constexpr std::size_t kNumRemembered = 1024;

  struct Remembered {
    std::vector<VariableId> members;
    std::array<Term, kNumSubsets> terms;
  };

  void sum_subsets(Mask subset, std::size_t first_to_drop, std::size_t depth);

  const Dataset* data_;
  std::unique_ptr<LocalScore> score_;
  SetCounter counter_;
  std::vector<Remembered> remembered_;  // by the last bits of the hash of the set
  std::span<const VariableId> members_;
  Term* terms_ = nullptr;                         // by subset
  std::array<double, kNumSubsets> states_;        // by subset
  std::array<std::size_t, kMaxMembers> strides_;  // of each member in a table that has all behind it
  std::vector<std::int64_t> counts_;
  std::array<std::vector<std::uint32_t>, kMaxMembers + 1> tables_;  // by number of members left out
};

}  // namespace treebound
