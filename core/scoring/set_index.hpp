// A hash table from parent sets to their numbers, for sets that are stored elsewhere.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"

namespace treebound {

/// The hash of a set is the sum of the hashes of its members, so of a subset follows by subtraction.
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

/// A slot keeps half of the hash, which finds its place and distinguishes nearly all others; there are as
/// many indexes as variables, so room counts.
class SetIndex {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  /// The number stored under `hash` for which is_equal(number) holds, or kNone.
  template <typename IsEqual>
  std::uint32_t find(std::uint64_t hash, IsEqual&& is_equal) const {
    if (slots_.empty()) return kNone;
    const std::uint32_t tag = tag_of(hash);
    for (std::size_t i = tag & mask();; i = (i + 1) & mask()) {
      if (slots_[i].number == kNone) return kNone;
      if (slots_[i].tag == tag && is_equal(slots_[i].number)) return slots_[i].number;
    }
  }

  void insert(std::uint64_t hash, std::uint32_t number) {
    assert(number != kNone);
    if (3 * (size_ + 1) > 2 * slots_.size()) grow();
    place({tag_of(hash), number});
    ++size_;
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t number = kNone;
  };
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  std::size_t mask() const { return slots_.size() - 1; }
  void place(Slot slot) {
    std::size_t i = slot.tag & mask();
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
