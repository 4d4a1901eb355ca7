#include "text/csv.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <functional>
#include <iterator>
#include <utility>

namespace treebound {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHighs = 0x8080808080808080;

template <typename T>
void store(std::uint8_t* target, const std::uint32_t* codes, std::size_t stride, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const T code = static_cast<T>(codes[i * stride]);
    std::memcpy(target + i * sizeof(T), &code, sizeof(T));
  }
}

template <typename T>
std::vector<std::uint32_t> fetch(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint32_t> codes(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    T code;
    std::memcpy(&code, bytes.data() + i * sizeof(T), sizeof(T));
    codes[i] = code;
  }
  return codes;
}

std::uint64_t mark_zero_bytes(std::uint64_t word) { return (word - kOnes) & ~word & kHighs; }

/// The first eight labels of a column, where they are short, each as one word: most cells are found here, by
/// eight comparisons in one cache line and without a branch that random data would mispredict.
class alignas(64) ShortLabels {
 public:
  static constexpr std::size_t kSize = 8;

  ShortLabels() { std::fill(keys_, keys_ + kSize, ~std::uint64_t{0}); }

  /// A label of at most seven bytes, given in the low bytes of a word: what follows it is cleared, and
  /// its length put in the top byte.
  static std::uint64_t key_of(std::uint64_t word, std::uint64_t length) {
    return (word & ((std::uint64_t{1} << (8 * length)) - 1)) | length << 56;
  }

  /// The code of a label, or kSize if it is not here.
  std::uint32_t find(std::uint64_t key) const {
    unsigned found = 1U << kSize;
    for (std::size_t code = 0; code < kSize; ++code) found |= unsigned{keys_[code] == key} << code;
    return static_cast<std::uint32_t>(std::countr_zero(found));
  }

  void add(std::uint64_t key, std::uint32_t code) {
    if (code < kSize) keys_[code] = key;
  }

 private:
  std::uint64_t keys_[kSize];
};

/// Maps (column, label) to the code of the label: open addressing, one table for all columns.
class LabelIndex {
 public:
  explicit LabelIndex(std::vector<std::vector<std::string>>& labels) : labels_(labels), slots_(1024) {}

  std::uint32_t code_of(std::uint32_t column, std::string_view label) {
    const std::size_t hash = std::hash<std::string_view>{}(label) ^ (column * 0x9e3779b97f4a7c15);
    std::size_t at = hash & (slots_.size() - 1);
    for (; slots_[at].code != kFree; at = (at + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[at];
      if (slot.hash == hash && slot.column == column && labels_[column][slot.code] == label) return slot.code;
    }
    const auto code = static_cast<std::uint32_t>(labels_[column].size());
    labels_[column].emplace_back(label);
    slots_[at] = {hash, column, code};
    if (++size_ * 2 > slots_.size()) grow();
    return code;
  }

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;
  struct Slot {
    std::size_t hash = 0;
    std::uint32_t column = 0;
    std::uint32_t code = kFree;
  };

  void grow() {
    std::vector<Slot> larger(slots_.size() * 2);
    for (const Slot& slot : slots_) {
      if (slot.code == kFree) continue;
      std::size_t at = slot.hash & (larger.size() - 1);
      while (larger[at].code != kFree) at = (at + 1) & (larger.size() - 1);
      larger[at] = slot;
    }
    slots_ = std::move(larger);
  }

  std::vector<std::vector<std::string>>& labels_;
  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

/// Walks over the text cell by cell and keeps count of the lines.
class Cells {
 public:
  Cells(std::string_view text, char delimiter, std::optional<char> quote)
      : at_(text.data()),
        end_(at_ + text.size()),
        delimiter_(delimiter),
        delimiters_(kOnes * static_cast<std::uint8_t>(delimiter)),
        quote_(quote) {
    if (text.starts_with("\xef\xbb\xbf")) at_ += 3;
  }

  bool at_end() const { return at_ == end_; }
  bool at_blank_line() const { return *at_ == '\n' || *at_ == '\r'; }
  std::size_t line() const { return line_; }
  CsvFault fault() const { return fault_; }

  void skip_line_end() {
    if (*at_ == '\r' && at_ + 1 != end_ && at_[1] == '\n') ++at_;
    ++at_;
    ++line_;
  }

  /// The key of a short cell without quotes; none if the cell has any other form. Reads nothing yet: `skip`
  /// steps over the cell.
  std::optional<std::uint64_t> short_key() const {
    if (end_ - at_ < 8 || *at_ == quote_) return std::nullopt;
    std::uint64_t word;
    std::memcpy(&word, at_, 8);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    // The lowest mark is exact, also when the marks of several bytes are joined.
    const std::uint64_t ends = mark_zero_bytes(word ^ delimiters_) | mark_zero_bytes(word ^ kOnes * '\n') |
                               mark_zero_bytes(word ^ kOnes * '\r');
    if (ends == 0) return std::nullopt;
    return ShortLabels::key_of(word, static_cast<std::uint64_t>(std::countr_zero(ends) / 8));
  }

  std::string_view skip(std::uint64_t key) {
    const std::string_view cell(at_, key >> 56);
    at_ += cell.size();
    return cell;
  }

  /// The text of a cell; the view holds until the next call.
  std::string_view any() {
    if (at_ != end_ && *at_ == quote_) return quoted();
    const char* start = at_;
    while (at_ != end_ && !ends_cell(*at_)) ++at_;
    return {start, static_cast<std::size_t>(at_ - start)};
  }

  /// After a cell: steps over the delimiter, or over the line end; returns whether the row is over.
  bool ends_row() {
    if (at_ == end_) return true;
    if (*at_ == delimiter_) {
      ++at_;
      return false;
    }
    skip_line_end();
    return true;
  }

 private:
  bool ends_cell(char c) const { return c == delimiter_ || c == '\n' || c == '\r'; }

  std::string_view quoted() {
    const std::size_t first_line = line_;
    unescaped_.clear();
    ++at_;
    while (at_ != end_) {
      if (*at_ == quote_) {
        ++at_;
        if (at_ == end_ || ends_cell(*at_)) return unescaped_;
        if (*at_ != quote_) {
          fault_ = CsvFault::text_after_quote;
          return {};
        }
      } else if (*at_ == '\n' || (*at_ == '\r' && (at_ + 1 == end_ || at_[1] != '\n'))) {
        ++line_;
      }
      unescaped_.push_back(*at_++);
    }
    line_ = first_line;
    fault_ = CsvFault::unterminated_quote;
    return {};
  }

  const char* at_;
  const char* end_;
  char delimiter_;
  std::uint64_t delimiters_;  // eight copies
  std::optional<char> quote_;
  std::size_t line_ = 1;
  CsvFault fault_ = CsvFault::none;
  std::string unescaped_;
};

class Reader {
 public:
  Reader(std::string_view text, char delimiter, std::optional<char> quote)
      : cells_(text, delimiter, quote), index_(table_.labels) {}

  CsvTable read() && {
    read_names();
    while (table_.fault == CsvFault::none && !cells_.at_end()) {
      if (table_.names.size() > 1 && cells_.at_blank_line()) {
        cells_.skip_line_end();
      } else {
        read_row();
      }
    }
    flush();
    return std::move(table_);
  }

 private:
  // Rows are gathered in a block that stays in the cache and then spread over the columns, since a write to
  // another column for every cell would miss it.
  static constexpr std::size_t kBlockCells = std::size_t{1} << 18;

  void read_names() {
    while (!cells_.at_end() && cells_.at_blank_line()) cells_.skip_line_end();
    if (cells_.at_end()) return;
    do {
      table_.names.emplace_back(cells_.any());
      if (cells_.fault() != CsvFault::none) return stop(cells_.fault(), table_.names.size());
      if (table_.names.size() > kMaxCsvColumns) {
        return stop(CsvFault::too_many_columns, table_.names.size());
      }
    } while (!cells_.ends_row());
    const std::size_t num_columns = table_.names.size();
    table_.codes.resize(num_columns);
    table_.labels.resize(num_columns);
    short_labels_.resize(num_columns);
    block_rows_ = std::clamp<std::size_t>(kBlockCells / num_columns, 1, 1024);
    block_.resize(block_rows_ * num_columns);
  }

  void read_row() {
    const std::size_t line = cells_.line();
    const std::size_t num_columns = table_.names.size();
    std::uint32_t* row = block_.data() + rows_in_block_ * num_columns;
    std::size_t num_cells = 0;
    do {
      if (num_cells < num_columns) {
        row[num_cells] = read_code(static_cast<std::uint32_t>(num_cells));
      } else {
        cells_.any();
      }
      ++num_cells;
      if (cells_.fault() != CsvFault::none) return stop(cells_.fault(), num_cells);
    } while (!cells_.ends_row());
    if (num_cells != num_columns) {
      if (table_.num_ragged++ < kMaxRaggedListed) table_.ragged.push_back({line, num_cells});
      return;
    }
    note_line(line);
    if (++rows_in_block_ == block_rows_) flush();
  }

  void note_line(std::size_t line) {
    const bool goes_on =
        table_.num_rows > 0 &&
        table_.line_runs.back().first_line + (table_.num_rows - table_.line_runs.back().first_row) == line;
    if (!goes_on) table_.line_runs.push_back({table_.num_rows, line});
    ++table_.num_rows;
  }

  std::uint32_t read_code(std::uint32_t column) {
    if (const auto key = cells_.short_key()) {
      const std::string_view label = cells_.skip(*key);
      const std::uint32_t known = short_labels_[column].find(*key);
      if (known < ShortLabels::kSize) return known;
      const std::uint32_t code = index_.code_of(column, label);
      short_labels_[column].add(*key, code);
      return code;
    }
    const std::string_view label = cells_.any();
    return cells_.fault() == CsvFault::none ? index_.code_of(column, label) : 0;
  }

  void flush() {
    const std::size_t num_columns = table_.names.size();
    for (std::size_t c = 0; c < table_.codes.size(); ++c) {
      table_.codes[c].append(block_.data() + c, num_columns, rows_in_block_);
    }
    rows_in_block_ = 0;
  }

  void stop(CsvFault fault, std::size_t cell) {
    table_.fault = fault;
    table_.fault_line = cells_.line();
    table_.fault_cell = cell;
  }

  CsvTable table_;
  Cells cells_;
  LabelIndex index_;
  std::vector<ShortLabels> short_labels_;
  std::vector<std::uint32_t> block_;
  std::size_t block_rows_ = 0;
  std::size_t rows_in_block_ = 0;
};

}  // namespace

void CodeColumn::append(const std::uint32_t* codes, std::size_t stride, std::size_t count) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, codes[i * stride]);
  const std::size_t needed = largest > 0xffff ? 4 : largest > 0xff ? 2 : 1;
  if (needed > width_) widen(needed);
  const std::size_t size = bytes_.size();
  bytes_.resize(size + count * width_);
  if (width_ == 1) store<std::uint8_t>(bytes_.data() + size, codes, stride, count);
  if (width_ == 2) store<std::uint16_t>(bytes_.data() + size, codes, stride, count);
  if (width_ == 4) store<std::uint32_t>(bytes_.data() + size, codes, stride, count);
}

void CodeColumn::widen(std::size_t width) {
  const auto codes = width_ == 1 ? fetch<std::uint8_t>(bytes_) : fetch<std::uint16_t>(bytes_);
  width_ = width;
  bytes_.clear();
  append(codes.data(), 1, codes.size());
}

std::size_t CsvTable::line(std::size_t row) const {
  assert(row < num_rows);
  const auto after = std::ranges::upper_bound(line_runs, row, {}, &LineRun::first_row);
  const LineRun& run = *std::prev(after);
  return run.first_line + (row - run.first_row);
}

CsvTable read_csv(std::string_view text, char delimiter, std::optional<char> quote) {
  assert(delimiter != quote && delimiter != '\n' && delimiter != '\r');
  return Reader(text, delimiter, quote).read();
}

}  // namespace treebound
