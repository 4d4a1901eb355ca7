// A hash table from parent sets to their numbers, for sets that are stored elsewhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"

namespace treebound {

/// The hash of a set is the sum of the hashes of its members, so that of a subset follows by subtraction.
inline std::uint64_t member_hash(VariableId v) {
  std::uint64_t h = (v + 1) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

inline std::uint64_t set_hash(std::span<const VariableId> members) {
  std::uint64_t sum = 0;
  for (const VariableId v : members) sum += member_hash(v);
  return sum;
}

class SetIndex {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  /// The number stored under `hash` for which is_equal(number) holds, or kNone.
  template <typename IsEqual>
  std::uint32_t find(std::uint64_t hash, IsEqual&& is_equal) const {
    if (slots_.empty()) return kNone;
    for (std::size_t i = hash & mask();; i = (i + 1) & mask()) {
      if (slots_[i].number == kNone) return kNone;
      if (slots_[i].hash == hash && is_equal(slots_[i].number)) return slots_[i].number;
    }
  }

  void insert(std::uint64_t hash, std::uint32_t number) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    place({hash, number});
    ++size_;
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t number = kNone;
  };
  std::size_t mask() const { return slots_.size() - 1; }
  void place(Slot slot) {
    std::size_t i = slot.hash & mask();
    while (slots_[i].number != kNone) i = (i + 1) & mask();
    slots_[i] = slot;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number != kNone) place(slot);
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace treebound
