// What the separators of an order must hold, when the variables are eliminated from the last to the first.
//
// Variables are named by their places in the order. If a separator holds a set, the one of its latest member
// must hold the rest of it, and so on: a member of S(v) - m, with m the latest, lies in S(m), or in the
// separator of a member in between, from which it comes down to S(m). So demands are passed on at once, long
// before the places on the way are decided. Demands on the root clique, where all may be joined, are dropped.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace treebound {

class SeparatorDemands {
 public:
  using Place = std::uint32_t;
  struct Change {
    Place place;
    std::uint32_t size;   // before
    std::uint32_t first;  // of the members before, in saved_
  };

  SeparatorDemands(std::uint32_t num_places, std::uint32_t width)
      : width_(width),
        sizes_(num_places),
        members_(std::size_t{num_places} * width),
        open_((num_places + 63) / 64) {}

  void clear() {
    std::ranges::fill(sizes_, 0);
    std::ranges::fill(open_, 0);
    changes_.clear();
    saved_.clear();
  }

  /// What the separator of a place must hold, the latest first.
  std::span<const Place> of(Place place) const { return {members_.data() + offset(place), sizes_[place]}; }
  bool is_free(std::span<const Place> separator) const {
    return separator.size() < 2 || separator[0] <= width_;
  }

  /// Adds members, the latest first, to the demands on a place, and all that follows. False if a separator
  /// would have more than k members: then the demands are to be rolled back.
  bool add(Place place, std::span<const Place> members) {
    pending_.assign(members.begin(), members.end());
    for (;;) {
      if (!unite(of(place), pending_)) return false;
      if (union_.size() == sizes_[place]) return true;
      set(place);
      if (is_free(union_)) return true;
      place = union_[0];
      pending_.assign(union_.begin() + 1, union_.end());
    }
  }
  /// What follows from a separator: its latest member must hold the rest.
  bool pass_on(std::span<const Place> separator) {
    return is_free(separator) || add(separator[0], separator.subspan(1));
  }

  /// Writes the union, the latest first; false if it has more than k members.
  bool unite(std::span<const Place> a, std::span<const Place> b) {
    union_.clear();
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
      if (union_.size() == width_) return false;
      if (j == b.size() || (i < a.size() && a[i] > b[j])) {
        union_.push_back(a[i++]);
      } else {
        if (i < a.size() && a[i] == b[j]) ++i;
        union_.push_back(b[j++]);
      }
    }
    return true;
  }
  std::span<const Place> united() const { return union_; }

  std::size_t mark() const { return changes_.size(); }
  std::span<const Change> changes_since(std::size_t mark) const { return std::span(changes_).subspan(mark); }
  void roll_back(std::size_t mark) {
    while (changes_.size() > mark) {
      const auto [place, size, first] = changes_.back();
      std::copy_n(saved_.begin() + first, size, members_.begin() + offset(place));
      resize(place, size);
      saved_.resize(first);
      changes_.pop_back();
    }
  }

  static constexpr Place kNone = 0xFFFFFFFFu;
  /// The latest place up to this one that has demands, or kNone.
  Place latest_open(Place place) const {
    std::size_t word = place / 64;
    std::uint64_t bits = open_[word] & (~std::uint64_t{0} >> (63 - place % 64));
    while (bits == 0) {
      if (word == 0) return kNone;
      bits = open_[--word];
    }
    return static_cast<Place>(word * 64 + 63 - static_cast<Place>(std::countl_zero(bits)));
  }

 private:
  std::ptrdiff_t offset(Place place) const {
    return static_cast<std::ptrdiff_t>(std::size_t{place} * width_);
  }
  void set(Place place) {
    changes_.push_back({place, sizes_[place], static_cast<std::uint32_t>(saved_.size())});
    const auto before = of(place);
    saved_.insert(saved_.end(), before.begin(), before.end());
    std::ranges::copy(union_, members_.begin() + offset(place));
    resize(place, static_cast<std::uint32_t>(union_.size()));
  }
  void resize(Place place, std::uint32_t size) {
    sizes_[place] = size;
    const std::uint64_t bit = std::uint64_t{1} << place % 64;
    open_[place / 64] = size > 0 ? open_[place / 64] | bit : open_[place / 64] & ~bit;
  }

  std::uint32_t width_;
  std::vector<std::uint32_t> sizes_;
  std::vector<Place> members_;
  std::vector<std::uint64_t> open_;
  std::vector<Change> changes_;
  std::vector<Place> saved_, union_, pending_;
};

}  // namespace treebound
