#include "text/csv.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
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

/// Up to eight one-byte labels of a column with their codes. A word compared with eight copies of a byte
/// finds the label without a branch on the data, which for random binary columns would be mispredicted every
/// other cell.
class ByteLabels {
 public:
  std::optional<std::uint32_t> find(std::uint8_t byte) const {
    const std::uint64_t difference = bytes_ ^ (kOnes * byte);
    const std::uint64_t zero_bytes = (difference - kOnes) & ~difference & kHighs;
    if (zero_bytes == 0) return std::nullopt;
    // Only the lowest mark is exact; free slots hold a line feed, which is never a bare cell.
    const int slot = std::countr_zero(zero_bytes) & ~7;
    return static_cast<std::uint32_t>((codes_ >> slot) & 0xff);
  }

  void add(std::uint8_t byte, std::uint32_t code) {
    if (size_ == 8 || code > 0xff) return;
    const int slot = 8 * size_++;
    bytes_ = (bytes_ & ~(std::uint64_t{0xff} << slot)) | (std::uint64_t{byte} << slot);
    codes_ |= std::uint64_t{code} << slot;
  }

 private:
  std::uint64_t bytes_ = kOnes * '\n';
  std::uint64_t codes_ = 0;
  std::int32_t size_ = 0;
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
      : at_(text.data()), end_(at_ + text.size()), delimiter_(delimiter), quote_(quote) {
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

  /// The byte of a bare one-byte cell, or nothing if the cell is of any other form and is still to be read.
  std::optional<std::uint8_t> one_byte() {
    if (end_ - at_ < 2 || !ends_cell(at_[1]) || ends_cell(*at_) || *at_ == quote_) return std::nullopt;
    return static_cast<std::uint8_t>(*at_++);
  }

  /// The text of a cell; the view holds until the next call.
  std::string_view any() {
    if (at_ != end_ && *at_ == quote_) return quoted();
    const char* start = at_;
    while (at_ != end_ && !ends_cell(*at_)) ++at_;
    return {start, static_cast<std::size_t>(at_ - start)};
  }

  /// After a cell: steps over the delimiter, or over the line end and says that the row is over.
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
    byte_labels_.resize(num_columns);
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
    table_.row_lines.push_back(line);
    if (++rows_in_block_ == block_rows_) flush();
  }

  std::uint32_t read_code(std::uint32_t column) {
    if (const auto byte = cells_.one_byte()) {
      if (const auto code = byte_labels_[column].find(*byte)) return *code;
      const char label = static_cast<char>(*byte);
      const std::uint32_t code = index_.code_of(column, {&label, 1});
      byte_labels_[column].add(*byte, code);
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
  std::vector<ByteLabels> byte_labels_;
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
  const std::size_t count = bytes_.size() / width_;
  std::vector<std::uint32_t> codes(count, 0);
  for (std::size_t i = 0; i < count; ++i) std::memcpy(&codes[i], bytes_.data() + i * width_, width_);
  width_ = width;
  bytes_.clear();
  append(codes.data(), 1, count);
}

CsvTable read_csv(std::string_view text, char delimiter, std::optional<char> quote) {
  return Reader(text, delimiter, quote).read();
}

}  // namespace treebound
