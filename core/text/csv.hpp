// Splitting separated text into cells and giving every column its own codes, in one pass over the bytes.
//
// A table of 10,000 columns has tens of millions of cells but few distinct labels, so a cell is turned into a
// small integer as soon as it is seen and no text is kept beyond one copy of each label. The rules are those
// of RFC 4180, with LF, CRLF or CR as line ends. For any bytes the result is a table or a fault; the caller
// decides what the labels mean and how a fault is worded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace treebound {

/// Codes of one column, kept in the narrowest of 1, 2 and 4 bytes that holds them.
class CodeColumn {
 public:
  /// Appends `count` codes, the first at `codes` and each `stride` after the one before.
  void append(const std::uint32_t* codes, std::size_t stride, std::size_t count);
  std::size_t width() const { return width_; }
  const std::uint8_t* bytes() const { return bytes_.data(); }

 private:
  void widen(std::size_t width);

  std::size_t width_ = 1;
  std::vector<std::uint8_t> bytes_;
};

enum class CsvFault : std::uint8_t { none, unterminated_quote, text_after_quote, too_many_columns };

/// A row whose number of cells differs from that of the header.
struct RaggedRow {
  std::size_t line;
  std::size_t num_cells;
};

inline constexpr std::size_t kMaxCsvColumns = std::size_t{1} << 20;
inline constexpr std::size_t kMaxRaggedListed = 5;

/// Rows from `first_row` on stand on lines of their own from `first_line` on. Most tables are one run, so a
/// row of one byte does not take eight bytes to remember its line.
struct LineRun {
  std::size_t first_row;
  std::size_t first_line;
};

struct CsvTable {
  std::vector<std::string> names;                // the first line that is not blank; empty if there is none
  std::vector<CodeColumn> codes;                 // per column: one code per row
  std::vector<std::vector<std::string>> labels;  // per column: label of each code, in order of appearance
  std::size_t num_rows = 0;
  std::vector<LineRun> line_runs;   // where the rows stand
  std::size_t num_ragged = 0;       // rows dropped because they are ragged
  std::vector<RaggedRow> ragged;    // the first of them
  CsvFault fault = CsvFault::none;  // reading stopped here ...
  std::size_t fault_line = 0;       // ... on this line ...
  std::size_t fault_cell = 0;       // ... in this cell of the row, both counted from 1

  /// The line on which a row starts, counted from 1.
  std::size_t line(std::size_t row) const;
};

/// Reads a header and rows. Blank lines are skipped, except that in a table of one column they are empty
/// cells.
CsvTable read_csv(std::string_view text, char delimiter, std::optional<char> quote);

}  // namespace treebound
