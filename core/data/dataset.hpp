// Encoded rows, laid out for counting: one bit plane per state for every variable, and a code column for
// those that do not have two states, where the single plane suffices.
//
// Three things make the layout differ from the table it came from; none of them changes a count or a score.
// - The most frequent state of each variable becomes state 0 and has no plane: its counts follow by
// subtraction
//   (the elision of ADtrees, Moore and Lee 1998).
// - Identical rows may be collapsed. A row that occurs w times is then written once for every bit set in w,
// into
//   the segment of that bit; all rows of segment b weigh 2^b, so a weighted count is still a sum of
//   popcounts.
// - Planes are padded to whole blocks; padding belongs to no row and is zero in every plane.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/popcount.hpp"

namespace treebound {

/// The codes of a variable of two states: the bits of its plane.
class PlaneCodes {
 public:
  explicit PlaneCodes(const Word* plane) : plane_(plane) {}
  std::uint32_t operator[](std::size_t position) const {
    return static_cast<std::uint32_t>(plane_[position / 64] >> (position % 64)) & 1u;
  }

 private:
  const Word* plane_;
};

class Dataset {
 public:
  enum class Collapse { when_it_pays, never, always };

  /// Variables with more states than this have no planes; their counts come from the codes.
  static constexpr std::size_t kMaxPlaneStates = 32;

  /// `codes` holds one column of `num_rows` codes after another, each below its cardinality.
  template <typename Code>
  Dataset(const Code* codes, std::size_t num_rows, std::vector<std::uint32_t> cardinalities,
          Collapse collapse = Collapse::when_it_pays);
  /// Rows that are stored elsewhere: only their number and the cardinalities are known.
  Dataset(std::size_t num_rows, std::vector<std::uint32_t> cardinalities);

  std::size_t num_variables() const { return cardinalities_.size(); }
  std::size_t num_rows() const { return num_rows_; }
  /// Rows as laid out, padding not counted: fewer than num_rows where rows were collapsed.
  std::size_t num_positions() const { return num_positions_; }
  bool is_collapsed() const { return !shifts_.empty(); }
  std::uint32_t cardinality(VariableId v) const { return cardinalities_[v]; }
  std::span<const std::uint32_t> cardinalities() const { return cardinalities_; }

  std::size_t num_words() const { return num_words_; }
  /// Parts of a plane that are counted by themselves: one, unless rows were collapsed.
  std::size_t num_segments() const { return segments_.size(); }
  bool has_planes(VariableId v) const { return cardinalities_[v] <= kMaxPlaneStates; }
  /// Planes of states 1, 2, ... of v, num_words apart.
  const Word* planes(VariableId v) const { return planes_.data() + plane_offsets_[v]; }
  /// Every position that is a row.
  const Word* all_rows() const { return all_rows_.data(); }
  /// Rows per state, state 0 first.
  std::span<const std::uint32_t> marginal(VariableId v) const {
    return {marginals_.data() + state_offsets_[v], cardinalities_[v]};
  }
  /// The code that a state of v had in the table: the most frequent one changed places with state 0.
  std::uint32_t code(VariableId v, std::uint32_t state) const {
    return state == 0 ? modal_codes_[v] : state == modal_codes_[v] ? 0 : state;
  }
  /// Where the states of v begin when the states of all variables are numbered through.
  std::size_t state_offset(VariableId v) const { return state_offsets_[v]; }
  std::size_t num_states() const { return marginals_.size(); }
  /// States but one per variable, on average.
  double mean_planes() const {
    return static_cast<double>(num_states()) / static_cast<double>(num_variables()) - 1;
  }

  /// Calls use(codes) with an object in which codes[position] are the codes of v.
  template <typename Use>
  decltype(auto) with_codes(VariableId v, Use&& use) const {
    if (cardinalities_[v] == 2) return use(PlaneCodes(planes(v)));
    return is_wide_ ? use(wide_.data() + code_offsets_[v]) : use(narrow_.data() + code_offsets_[v]);
  }
  std::uint32_t weight(std::uint32_t position) const {
    return shifts_.empty() ? 1u : std::uint32_t{1} << shifts_[position];
  }

  /// out[i] = weight of the rows in both `mask` and the i-th plane.
  void count_intersections(const Word* planes, std::size_t num_planes, const Word* mask,
                           std::uint32_t* out) const;

  /// Calls use(first word, number of words, shift) for parts of a plane of at most `max_words`, whose rows
  /// weigh 2^shift.
  template <typename Use>
  void for_each_stretch(std::size_t max_words, Use&& use) const {
    for (const Segment& s : segments_) {
      for (std::size_t done = 0; done < s.num_words; done += max_words)
        use(s.first_word + done, std::min(max_words, s.num_words - done), s.shift);
    }
  }

  struct Size {
    std::uint32_t positions;
    std::uint32_t rows;
  };
  /// Writes the intersection of two planes and returns its size.
  Size intersect(const Word* left, const Word* right, Word* result) const;

 private:
  struct Segment {
    std::size_t first_word;
    std::size_t num_words;
    unsigned shift;
  };

  /// Decides the position of every row; returns the source row of each position, -1 for padding.
  template <typename Code>
  std::vector<std::int64_t> lay_out(const Code* codes, Collapse collapse);
  /// Numbers planes, codes and states, and makes room for them.
  void make_room();
  template <typename Code>
  void fill(const Code* codes, const std::vector<std::int64_t>& sources);
  /// Renames the states of a variable, the most frequent one to 0, and writes its planes and codes.
  template <typename Code>
  void write(VariableId v, const std::vector<Code>& laid_out, std::uint32_t modal);

  std::size_t num_rows_;
  std::size_t num_positions_ = 0;
  std::size_t num_words_ = 0;
  std::vector<std::uint32_t> cardinalities_;
  std::vector<Segment> segments_;
  std::vector<std::uint8_t> shifts_;
  bool is_wide_ = false;              // whether a cardinality does not fit in a byte
  std::vector<std::uint8_t> narrow_;  // codes, unless is_wide_
  std::vector<State> wide_;           // codes otherwise
  std::vector<std::size_t> code_offsets_;
  std::vector<std::size_t> plane_offsets_;
  std::vector<Word> planes_;
  std::vector<Word> all_rows_;
  std::vector<std::size_t> state_offsets_;
  std::vector<std::uint32_t> marginals_;
  std::vector<std::uint32_t> modal_codes_;
};

}  // namespace treebound
