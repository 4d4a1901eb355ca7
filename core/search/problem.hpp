// The parent-set cache as the solvers read it: only what can be chosen under the bound, in arrays ordered by
// how often the inner loop touches them.
//
// A set of more than k parents never fits; a set worse than the empty one is never the best that fits, since
// the empty one always does. Both are left out, so each list ends with the empty set. What remains are
// *entries*, numbered 0..num_entries-1, those of a variable next to each other and best first. The scan for
// the first entry that fits reads only `heads`, two words per entry: most entries fail on their first two
// parents.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "scoring/parent_set_cache.hpp"

namespace treebound {

using EntryId = std::uint32_t;

class SearchProblem {
 public:
  /// The first two parents of an entry. Where there is none stands the pseudo-variable num_variables(), which
  /// counts as always inserted; with kMany at the first there are more than two.
  struct Head {
    VariableId first;
    VariableId second;
  };
  static constexpr std::uint32_t kMany = 0x80000000u;
  /// Heads may be read in blocks of so many: behind the last entry are as many that are no entries.
  static constexpr std::uint32_t kBlock = 4;

  /// Every variable must have an empty set. A bound above n-1 is no bound and is lowered to n-1.
  SearchProblem(const CacheView& cache, std::uint32_t max_treewidth);

  std::uint32_t num_variables() const { return num_variables_; }
  std::uint32_t width() const { return width_; }
  std::uint32_t num_entries() const { return static_cast<std::uint32_t>(scores_.size()); }

  EntryId best_entry(VariableId v) const { return entry_offsets_[v]; }
  EntryId empty_entry(VariableId v) const { return entry_offsets_[v + 1] - 1; }

  const Head* heads() const { return heads_.data(); }
  /// Up to two parents are read from their head: who asks for them has just scanned it.
  std::span<const VariableId> parents(EntryId entry) const {
    const Head& head = heads_[entry];
    if ((head.first & kMany) != 0) return family(entry).subspan(1);
    return {&head.first,
            (head.first != num_variables_ ? 1u : 0u) + (head.second != num_variables_ ? 1u : 0u)};
  }
  /// The variable first, then its parents.
  std::span<const VariableId> family(EntryId entry) const {
    return {members_.data() + member_offsets_[entry], member_offsets_[entry + 1] - member_offsets_[entry]};
  }
  double score(EntryId entry) const { return scores_[entry]; }

  /// What no structure can exceed.
  double sum_of_best() const { return sum_of_best_; }

  /// (best - score) / (best - empty): 0 for the best entry of the variable, 1 for its empty set.
  float relative_loss(EntryId entry) const { return losses_[entry]; }

  /// Sum over variables in index order, so that equal structures have equal scores to the last bit.
  double total_score(std::span<const EntryId> chosen) const;

 private:
  void add_variable(const CacheView& cache, VariableId v);

  std::uint32_t num_variables_;
  std::uint32_t width_;
  double sum_of_best_ = 0;
  std::vector<EntryId> entry_offsets_{0};
  std::vector<Head> heads_;
  std::vector<std::uint32_t> member_offsets_{0};
  std::vector<VariableId> members_;  // of families
  std::vector<double> scores_;
  std::vector<float> losses_;
};

}  // namespace treebound
