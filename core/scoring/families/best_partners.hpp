// The best partners of every variable, among pairs that come in one after another in any sequence.
//
// A list takes half as many again as it may keep, and is then reduced to the best: later pairs below the
// smallest gain left are not even taken. Gains are floats and ties are broken by numbers, so the result does
// not depend on the sequence.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "scoring/local_score.hpp"

namespace treebound {

class BestPartners {
 public:
  struct Partner {
    Term term;  // T of the pair
    VariableId variable;
    float gain;
  };
  /// What a variable takes per partner that it keeps, at the most.
  static constexpr std::size_t kBytesPerPartner = 3 * sizeof(Partner) / 2;

  BestPartners() = default;
  BestPartners(std::size_t num_variables, std::size_t max_partners);

  bool is_empty() const { return lists_.empty(); }

  /// Takes the pair for v, if it is among its best so far. By any thread.
  void add(VariableId v, const Partner& partner) {
    assert(v < lists_.size() && partner.variable != v);
    List& list = lists_[v];
    // It only grows, so an old value rejects nothing wrongly.
    if (partner.gain < list.least_gain.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(locks_[v % kNumLocks]);
    list.partners.push_back(partner);
    if (list.partners.size() == max_partners_ + max_partners_ / 2) cut(list);
  }
  /// Cuts all lists and sorts them by variable; nothing can be added after.
  void finish();

  std::span<const Partner> of(VariableId v) const { return lists_[v].partners; }
  /// The partner of v with that number, or null.
  const Partner* find(VariableId v, VariableId variable) const;

 private:
  static constexpr std::size_t kNumLocks = 1024;
  struct List {
    std::atomic<float> least_gain{-std::numeric_limits<float>::infinity()};
    std::vector<Partner> partners;
  };
  void cut(List& list) const;

  std::size_t max_partners_ = 0;
  std::vector<List> lists_;
  std::vector<std::mutex> locks_;
};

}  // namespace treebound
