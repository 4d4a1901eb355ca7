#include "text/bif_rows.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <utility>

namespace treebound {
namespace {

constexpr std::size_t kNone = std::string::npos;

bool is_separator(char c) { return c == ' ' || c == ',' || c == '|' || (c >= '\t' && c <= '\r'); }

bool is_in_word(char c) {
  return c > ' ' && c < '\x7f' && c != ',' && c != '|' && c != '(' && c != ')' && c != '{' && c != '}' &&
         c != ';' && c != '"';
}

/// Place of a word, or kNone. Rows mostly come in order, so the likely one is tried first.
std::size_t find(const std::vector<std::string>& words, std::string_view word, std::size_t likely) {
  assert(likely < words.size());
  if (words[likely] == word) return likely;
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? kNone : static_cast<std::size_t>(found - words.begin());
}

}  // namespace

BifRows::BifRows(std::string text) : text_(std::move(text)) {
  std::size_t copied = 0;
  const bool has_mark = text_.find(kMark) != kNone;
  for (std::size_t at = has_mark ? kNone : text_.find_first_of("{\""); at != kNone;
       at = text_.find_first_of("{\"", at + 1)) {
    if (text_[at] == '"') {
      const std::size_t end = text_.find_first_of("\"\n", at + 1);
      if (end != kNone && text_[end] == '"') at = end;
      continue;
    }
    const std::size_t end = take_block(at + 1);
    if (end == kNone) continue;
    rest_.append(text_, copied, at + 1 - copied);
    rest_ += ' ';
    rest_ += kMark;
    rest_ += std::to_string(blocks_.size() - 1);
    rest_ += ' ';
    rest_.append(static_cast<std::size_t>(std::count(&text_[at], &text_[end], '\n')), '\n');
    copied = at = end;
  }
  rest_.append(text_, copied);
}

/// The place of the brace behind the rows; kNone, and nothing is taken, if the block is not plain.
std::size_t BifRows::take_block(std::size_t at) {
  assert(at <= text_.size() && text_[at - 1] == '{');
  Block block{keys_.size(), values_.size(), 0, 0, 0};
  at = skip_separators(at);
  while (at < text_.size() && text_[at] == '(') at = take_row(at + 1, block);
  if (at < text_.size() && text_[at] == '}' && block.num_rows > 0) {
    blocks_.push_back(block);
    return at;
  }
  keys_.resize(block.first_key);
  values_.resize(block.first_value);
  return kNone;
}

/// The place behind a row and the separators after it, or kNone.
std::size_t BifRows::take_row(std::size_t at, Block& block) {
  const std::size_t num_keys = keys_.size(), num_values = values_.size();
  at = skip_separators(at);
  for (std::string_view key = word(at); !key.empty(); key = word(at)) {
    keys_.push_back(key);
    at = skip_separators(at + key.size());
  }
  if (at == text_.size() || text_[at] != ')') return kNone;
  at = skip_separators(at + 1);
  for (std::string_view number = word(at); !number.empty(); number = word(at)) {
    double value = 0;
    const char* end = number.data() + number.size();
    const auto read = std::from_chars(number.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) return kNone;
    values_.push_back(value);
    at = skip_separators(at + number.size());
  }
  if (at == text_.size() || text_[at] != ';') return kNone;
  if (block.num_rows++ == 0) {
    block.num_keys = keys_.size() - num_keys;
    block.num_values = values_.size() - num_values;
  } else if (keys_.size() - num_keys != block.num_keys || values_.size() - num_values != block.num_values) {
    return kNone;
  }
  return skip_separators(at + 1);
}

std::size_t BifRows::skip_separators(std::size_t at) const {
  while (at < text_.size() && is_separator(text_[at])) ++at;
  return at;
}

std::string_view BifRows::word(std::size_t at) const {
  std::size_t end = at;
  while (end < text_.size() && is_in_word(text_[end])) ++end;
  return std::string_view(text_).substr(at, end - at);
}

std::optional<std::vector<double>> BifRows::table(std::size_t index,
                                                  const std::vector<std::vector<std::string>>& states,
                                                  std::size_t num_values) const {
  const Block& block = blocks_.at(index);
  if (block.num_keys != states.size() || block.num_values != num_values || num_values == 0)
    return std::nullopt;
  std::size_t num_joint_states = 1;
  for (const auto& words : states) {
    num_joint_states *= words.size();
    if (words.empty() || num_joint_states > block.num_rows) return std::nullopt;
  }
  if (num_joint_states != block.num_rows) return std::nullopt;

  std::vector<double> table(num_joint_states * num_values);
  std::vector<bool> is_filled(num_joint_states);
  std::vector<std::size_t> likely(states.size());
  for (std::size_t row = 0; row < block.num_rows; ++row) {
    std::size_t joint_state = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      const std::size_t state = find(states[i], keys_[block.first_key + row * block.num_keys + i], likely[i]);
      if (state == kNone) return std::nullopt;
      likely[i] = state;
      joint_state = joint_state * states[i].size() + state;
    }
    if (is_filled[joint_state]) return std::nullopt;
    is_filled[joint_state] = true;
    const auto from = values_.begin() + static_cast<std::ptrdiff_t>(block.first_value + row * num_values);
    std::copy_n(from, num_values, table.begin() + static_cast<std::ptrdiff_t>(joint_state * num_values));
  }
  return table;
}

}  // namespace treebound
