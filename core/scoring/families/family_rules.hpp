// Which families may be scored and chosen: the one gate in front of every parent set, wherever it comes from.
//
// For each child a rule names parents that it must have, parents that it must not have, and how many it may
// have. Forbidden parents are rows of bits that children share: children with the same forbidden parents, as
// those of a tier, have one row together, so ten thousand variables need few rows. The families that are
// allowed lie between two bounds: each holds the *least allowed* set, the required parents, and a set between
// it and an allowed one is allowed too. Cycles and bags are not checked here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"

namespace treebound {

class FamilyRules {
 public:
  static constexpr std::uint32_t kNoRow = 0xFFFFFFFFu;
  static constexpr std::uint32_t kAnyNumber = 0xFFFFFFFFu;

  /// What is forbidden: by child the number of its row, or kNoRow; bit p % 8 of byte p / 8 of a row is set if
  /// p must not be a parent.
  struct Forbidden {
    std::vector<std::uint32_t> row_of;
    std::vector<std::uint8_t> rows;
  };

  /// Everything is allowed.
  FamilyRules() = default;
  /// The required parents of v, ascending, are required[offsets[v]..offsets[v + 1]]. `max_parents` has a
  /// number for each child, and `undecided` a 1 for each that may be required to have further parents later.
  FamilyRules(std::vector<std::int64_t> offsets, std::vector<VariableId> required, Forbidden forbidden,
              std::vector<std::uint32_t> max_parents, std::vector<std::uint8_t> undecided);

  bool allows(VariableId child, std::span<const VariableId> parents) const {
    return is_trivial() || is_allowed(child, parents);
  }
  /// Whether some family that is allowed has this parent.
  bool allows_parent(VariableId child, VariableId parent) const {
    return is_trivial() || (!is_forbidden(child, parent) && has_room_for(child, parent));
  }
  bool is_required(VariableId child, VariableId parent) const;
  /// Whether further parents may be required later, so no set is worse than another for good.
  bool is_undecided(VariableId child) const { return !is_trivial() && undecided_[child] != 0; }
  /// The least allowed set of a child, ascending.
  std::span<const VariableId> required(VariableId child) const {
    if (is_trivial()) return {};
    return std::span(required_).subspan(static_cast<std::size_t>(offsets_[child]),
                                        static_cast<std::size_t>(offsets_[child + 1] - offsets_[child]));
  }
  std::uint32_t max_parents(VariableId child) const {
    return is_trivial() ? kAnyNumber : max_parents_[child];
  }

  bool is_trivial() const { return offsets_.empty(); }
  /// Whether any variable must have parents.
  bool has_required() const { return !required_.empty(); }

 private:
  bool is_allowed(VariableId child, std::span<const VariableId> parents) const;
  bool is_forbidden(VariableId child, VariableId parent) const {
    const std::uint32_t row = forbidden_.row_of[child];
    return row != kNoRow && (forbidden_.rows[row * row_bytes_ + parent / 8] >> parent % 8 & 1) != 0;
  }
  bool has_room_for(VariableId child, VariableId parent) const {
    return required(child).size() < max_parents_[child] || is_required(child, parent);
  }

  std::vector<std::int64_t> offsets_;  // empty: everything is allowed
  std::vector<VariableId> required_;
  Forbidden forbidden_;
  std::size_t row_bytes_ = 0;
  std::vector<std::uint32_t> max_parents_;
  std::vector<std::uint8_t> undecided_;
};

}  // namespace treebound
