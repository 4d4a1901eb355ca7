// The rows `(states of the parents) probabilities;` that fill a braced block of a BIF file, read without a
// token for each word: they make up nearly all of a large file.
//
// Only plain blocks are taken: rows of one shape, words without quotes, ASCII, numbers that end where their
// word does. Everything else stays in the rest of the text, for the full reader in Python, which also reports
// what is wrong.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace treebound {

class BifRows {
 public:
  /// Stands, with the number of the block, where a block was taken out. Text that contains it is not touched.
  static constexpr char kMark = '\0';

  explicit BifRows(std::string text);

  std::size_t num_blocks() const { return blocks_.size(); }

  /// The text without the blocks of rows; every line keeps its number.
  const std::string& rest() const { return rest_; }

  /// The table of a block, one row of `num_values` after another, the last parent running fastest, given the
  /// states of each parent. Nothing unless each joint state has one row of that length.
  std::optional<std::vector<double>> table(std::size_t block,
                                           const std::vector<std::vector<std::string>>& states,
                                           std::size_t num_values) const;

 private:
  struct Block {
    std::size_t first_key;
    std::size_t first_value;
    std::size_t num_rows;
    std::size_t num_keys;    // per row
    std::size_t num_values;  // per row
  };

  std::size_t take_block(std::size_t at);
  std::size_t take_row(std::size_t at, Block& block);
  std::size_t skip_separators(std::size_t at) const;
  std::string_view word(std::size_t at) const;

  std::string text_;
  std::string rest_;
  std::vector<Block> blocks_;
  std::vector<std::string_view> keys_;
  std::vector<double> values_;
};

}  // namespace treebound
