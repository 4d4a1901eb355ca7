// The best DAG over a few members, exactly: dynamic programming over subsets (Silander and Myllymäki 2006).
//
// Some order of the members is topological, and the member placed next takes its best parent set among those
// placed before it. So the best score of a subset is that of the subset without its last member, plus what
// this one scores on top of it: n 2^(n-1) steps. The caller decides what the members are, which sets they
// have, and what else an order must obey.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace treebound {

/// Members of a subset, as bits.
using SubsetMask = std::uint32_t;

/// A parent set inside the members, and its number where it came from.
template <typename Id>
struct SubsetChoice {
  SubsetMask parents;
  Id id;
};

/// The first of the choices, best first, whose parents are all placed; the last one has none.
template <typename Id>
const SubsetChoice<Id>& first_inside(const std::vector<SubsetChoice<Id>>& choices, SubsetMask placed) {
  assert(!choices.empty() && choices.back().parents == 0);
  const SubsetChoice<Id>* choice = choices.data();
  while ((choice->parents & ~placed) != 0) ++choice;
  return *choice;
}

class SubsetProgram {
 public:
  /// What `score` returns for a member that may not be placed next.
  static constexpr double kForbidden = -std::numeric_limits<double>::infinity();

  /// The best order of 0..num_members-1, where score(i, placed) is what member i adds right after `placed`.
  /// At least one order must be allowed. Valid until the next call.
  template <typename Score>
  std::span<const std::uint8_t> best_order(std::size_t num_members, Score score) {
    assert(num_members < 32);
    const SubsetMask all = (SubsetMask{1} << num_members) - 1;
    best_.assign(std::size_t{all} + 1, kForbidden);
    last_.resize(std::size_t{all} + 1);
    best_[0] = 0;
    for (SubsetMask placed = 0; placed < all; ++placed) {
      if (best_[placed] == kForbidden) continue;
      for (std::uint32_t i = 0; i < num_members; ++i) {
        const SubsetMask next = placed | SubsetMask{1} << i;
        if (next == placed) continue;
        const double total = best_[placed] + score(i, placed);
        if (total <= best_[next]) continue;
        best_[next] = total;
        last_[next] = static_cast<std::uint8_t>(i);
      }
    }
    assert(best_[all] != kForbidden);
    order_.clear();
    for (SubsetMask placed = all; placed != 0; placed &= ~(SubsetMask{1} << order_.back()))
      order_.push_back(last_[placed]);
    std::reverse(order_.begin(), order_.end());
    return order_;
  }

 private:
  std::vector<double> best_;        // by subset
  std::vector<std::uint8_t> last_;  // by subset: its last member
  std::vector<std::uint8_t> order_;
};

}  // namespace treebound
