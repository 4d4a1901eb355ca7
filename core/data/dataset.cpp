#include "data/dataset.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace treebound {
namespace {

constexpr std::size_t kBlockRows = kBlockWords * 64;

// Collapsing makes the planes shorter but splits them into segments, each with its own pass; by
// benchmarks/paths.py it pays off from about this share of the words downwards.
constexpr double kCollapseBelow = 0.7;
// Columns after which collapsing is first checked for whether it may pay, then again whenever they have
// doubled.
constexpr std::size_t kFirstLook = 64;

std::size_t padded_words(std::size_t rows) { return (rows + kBlockRows - 1) / kBlockRows * kBlockWords; }

std::uint64_t mix(std::uint64_t h) {  // the finaliser of splitmix64
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

template <typename Code>
bool same_row(const Code* codes, std::size_t num_rows, std::size_t num_variables, std::size_t a,
              std::size_t b) {
  for (std::size_t v = 0; v < num_variables; ++v) {
    if (codes[v * num_rows + a] != codes[v * num_rows + b]) return false;
  }
  return true;
}

using Groups = std::vector<std::pair<std::size_t, std::uint32_t>>;

bool pays(std::size_t num_words, std::size_t num_rows) {
  return static_cast<double>(num_words) < kCollapseBelow * static_cast<double>(padded_words(num_rows));
}

/// Whether collapsing may pay, given hashes of some of the columns. Groups of equal rows only split further
/// when more columns are looked at, and no split takes less room: a + b has at most the bits of a and of b.
bool may_pay(std::vector<std::uint64_t> hashes) {
  const std::size_t num_rows = hashes.size();
  std::sort(hashes.begin(), hashes.end());
  std::size_t num_positions = 0;
  for (std::size_t begin = 0, end = 0; begin < num_rows; begin = end) {
    while (end < num_rows && hashes[end] == hashes[begin]) ++end;
    num_positions += static_cast<std::size_t>(std::popcount(end - begin));
  }
  return pays(num_positions / 64, num_rows);
}

/// Groups equal rows: the first row of each group, with the size of the group. None if collapsing cannot pay
/// and only_if_it_pays.
template <typename Code>
Groups distinct_rows(const Code* codes, std::size_t num_rows, std::size_t num_variables,
                     bool only_if_it_pays) {
  std::vector<std::uint64_t> hashes(num_rows, 0);
  std::size_t next_look = kFirstLook;
  for (std::size_t v = 0; v < num_variables; ++v) {
    for (std::size_t r = 0; r < num_rows; ++r) hashes[r] = mix(hashes[r] + codes[v * num_rows + r] + v);
    if (!only_if_it_pays || v + 1 != next_look) continue;
    if (!may_pay(hashes)) return {};
    next_look *= 2;
  }
  std::vector<std::size_t> order(num_rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::pair(hashes[a], a) < std::pair(hashes[b], b); });
  Groups groups;
  for (std::size_t i = 0; i < num_rows; ++i) {
    // A clash of hashes only splits a group in two, which costs a little room and changes no count.
    const bool same = i > 0 && hashes[order[i]] == hashes[order[i - 1]] &&
                      same_row(codes, num_rows, num_variables, order[i], groups.back().first);
    if (same) {
      ++groups.back().second;
    } else {
      groups.emplace_back(order[i], 1);
    }
  }
  std::sort(groups.begin(), groups.end());
  return groups;
}

/// Sixty-four codes of 0 and 1 as bits, the first in the lowest.
template <typename Code>
Word packed(const Code* codes) {
  Word bits = 0;
  if constexpr (sizeof(Code) == 1 && std::endian::native == std::endian::little) {
    // The product moves the low bit of byte i to bit 56 + i; no two bits meet on the way.
    for (std::size_t byte = 0; byte < 8; ++byte) {
      Word eight;
      std::memcpy(&eight, codes + 8 * byte, sizeof(eight));
      bits |= (eight * 0x0102040810204080u >> 56) << (8 * byte);
    }
  } else {
    for (std::size_t i = 0; i < 64; ++i) bits |= Word{codes[i]} << i;
  }
  return bits;
}

}  // namespace

template <typename Code>
Dataset::Dataset(const Code* codes, std::size_t num_rows, std::vector<std::uint32_t> cardinalities,
                 Collapse collapse)
    : num_rows_(num_rows), cardinalities_(std::move(cardinalities)) {
  fill(codes, lay_out(codes, collapse));
}

Dataset::Dataset(std::size_t num_rows, std::vector<std::uint32_t> cardinalities)
    : num_rows_(num_rows), cardinalities_(std::move(cardinalities)) {
  make_room();
}

template <typename Code>
std::vector<std::int64_t> Dataset::lay_out(const Code* codes, Collapse collapse) {
  std::vector<std::vector<std::int64_t>> by_shift(1);
  if (collapse != Collapse::never) {
    const auto groups = distinct_rows(codes, num_rows_, num_variables(), collapse == Collapse::when_it_pays);
    for (const auto& [row, weight] : groups) {
      for (unsigned shift = 0; weight >> shift; ++shift) {
        if (by_shift.size() <= shift) by_shift.resize(shift + 1);
        if (weight >> shift & 1u) by_shift[shift].push_back(static_cast<std::int64_t>(row));
      }
    }
    std::size_t words = 0;
    for (const auto& rows : by_shift) words += padded_words(rows.size());
    if (by_shift.size() == 1 || (collapse == Collapse::when_it_pays && !pays(words, num_rows_)))
      by_shift.assign(1, {});
  }
  if (by_shift.size() == 1) {
    by_shift[0].resize(num_rows_);
    std::iota(by_shift[0].begin(), by_shift[0].end(), std::int64_t{0});
  }

  std::vector<std::int64_t> sources;
  for (unsigned shift = 0; shift < by_shift.size(); ++shift) {
    const auto& rows = by_shift[shift];
    if (rows.empty()) continue;
    segments_.push_back({sources.size() / 64, padded_words(rows.size()), shift});
    num_positions_ += rows.size();
    sources.insert(sources.end(), rows.begin(), rows.end());
    sources.resize((segments_.back().first_word + segments_.back().num_words) * 64, -1);
    if (by_shift.size() > 1) shifts_.resize(sources.size(), static_cast<std::uint8_t>(shift));
  }
  num_words_ = sources.size() / 64;
  return sources;
}

void Dataset::make_room() {
  const std::size_t n = num_variables();
  state_offsets_.resize(n + 1, 0);
  plane_offsets_.resize(n + 1, 0);
  code_offsets_.resize(n + 1, 0);
  for (VariableId v = 0; v < n; ++v) {
    state_offsets_[v + 1] = state_offsets_[v] + cardinalities_[v];
    plane_offsets_[v + 1] = plane_offsets_[v] + (has_planes(v) ? (cardinalities_[v] - 1) * num_words_ : 0);
    code_offsets_[v + 1] = code_offsets_[v] + (cardinalities_[v] == 2 ? 0 : num_words_ * 64);
  }
  marginals_.assign(state_offsets_[n], 0);
  modal_codes_.assign(n, 0);
  planes_.assign(plane_offsets_[n], 0);
  all_rows_.assign(num_words_, 0);
  is_wide_ = std::ranges::any_of(cardinalities_, [](std::uint32_t r) { return r > 256; });
  (is_wide_ ? wide_.resize(code_offsets_[n]) : narrow_.resize(code_offsets_[n]));
}

template <typename Code>
void Dataset::fill(const Code* codes, const std::vector<std::int64_t>& sources) {
  make_room();
  for (std::size_t p = 0; p < sources.size(); ++p) {
    if (sources[p] >= 0) all_rows_[p / 64] |= Word{1} << (p % 64);
  }
  std::vector<Code> laid_out(sources.size());
  for (VariableId v = 0; v < num_variables(); ++v) {
    const Code* column = codes + std::size_t{v} * num_rows_;
    std::uint32_t* marginal = marginals_.data() + state_offsets_[v];
    if (cardinalities_[v] == 2) {
      marginal[1] = std::accumulate(column, column + num_rows_, 0u);
      marginal[0] = static_cast<std::uint32_t>(num_rows_) - marginal[1];
    } else {
      for (std::size_t r = 0; r < num_rows_; ++r) ++marginal[column[r]];
    }
    const auto modal =
        static_cast<std::uint32_t>(std::max_element(marginal, marginal + cardinalities_[v]) - marginal);
    std::swap(marginal[0], marginal[modal]);
    modal_codes_[v] = modal;
    // The most frequent state has no plane, so it may stand for padding.
    if (is_collapsed()) {
      for (std::size_t p = 0; p < sources.size(); ++p)
        laid_out[p] = sources[p] < 0 ? static_cast<Code>(modal) : column[sources[p]];
    } else {
      std::copy_n(column, num_rows_, laid_out.begin());
      std::fill(laid_out.begin() + static_cast<std::ptrdiff_t>(num_rows_), laid_out.end(),
                static_cast<Code>(modal));
    }
    write(v, laid_out, modal);
  }
}

template <typename Code>
void Dataset::write(VariableId v, const std::vector<Code>& laid_out, std::uint32_t modal) {
  Word* planes = planes_.data() + plane_offsets_[v];
  if (cardinalities_[v] == 2) {
    const Word flip = modal == 1 ? ~Word{0} : 0;
    for (std::size_t w = 0; w < num_words_; ++w) planes[w] = packed(laid_out.data() + 64 * w) ^ flip;
    return;
  }
  std::vector<State> rename(cardinalities_[v]);
  std::iota(rename.begin(), rename.end(), State{0});
  std::swap(rename[0], rename[modal]);
  for (std::size_t p = 0; p < laid_out.size(); ++p) {
    const State state = rename[laid_out[p]];
    if (is_wide_) {
      wide_[code_offsets_[v] + p] = state;
    } else {
      narrow_[code_offsets_[v] + p] = static_cast<std::uint8_t>(state);
    }
    if (state > 0 && has_planes(v)) planes[(state - 1u) * num_words_ + p / 64] |= Word{1} << (p % 64);
  }
}

void Dataset::count_intersections(const Word* planes, std::size_t num_planes, const Word* mask,
                                  std::uint32_t* out) const {
  const auto count = popcount_kernels().count_intersections;
  if (!is_collapsed()) return count(planes, num_planes, num_words_, mask, num_words_, out);
  std::fill_n(out, num_planes, 0u);
  for (const Segment& s : segments_) {
    for (std::size_t i = 0; i < num_planes; ++i) {
      std::uint32_t bits = 0;
      count(planes + i * num_words_ + s.first_word, 1, 0, mask + s.first_word, s.num_words, &bits);
      out[i] += bits << s.shift;
    }
  }
}

Dataset::Size Dataset::intersect(const Word* left, const Word* right, Word* result) const {
  const auto meet = popcount_kernels().intersect;
  Size size{0, 0};
  for (const Segment& s : segments_) {
    const std::uint32_t bits =
        meet(left + s.first_word, right + s.first_word, result + s.first_word, s.num_words);
    size.positions += bits;
    size.rows += bits << s.shift;
  }
  return size;
}

template Dataset::Dataset(const std::uint8_t*, std::size_t, std::vector<std::uint32_t>, Collapse);
template Dataset::Dataset(const std::uint16_t*, std::size_t, std::vector<std::uint32_t>, Collapse);

}  // namespace treebound
