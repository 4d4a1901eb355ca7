#include "scoring/cache/jkl_text.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <unordered_map>
#include <utility>

namespace treebound {

namespace {

constexpr std::size_t longest_number = 64;  // characters; no printed double needs as many

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view next_word(std::string_view& rest) {
  const char* last = rest.data() + rest.size();
  const char* begin = std::find_if_not(rest.data(), last, is_blank);
  const char* end = std::find_if(begin, last, is_blank);
  rest = {end, last};
  return {begin, end};
}

std::string shortened(std::string_view text) {
  constexpr std::size_t limit = 60;
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text.size() <= limit ? std::string(text) : std::string(text.substr(0, limit)) + "...";
}

/// Walks over the lines that carry something, counting all of them.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool next() {
    while (take_line()) {
      const auto first = std::ranges::find_if_not(line_, is_blank);
      if (first == line_.end()) continue;
      if (*first != '#') return true;
      if (comments_) comments_->emplace_back(first + 1, line_.end());
    }
    return false;
  }

  std::string_view line() const { return line_; }
  std::int64_t number() const { return number_; }
  void keep_comments_in(std::vector<std::string>* comments) { comments_ = comments; }

 private:
  bool take_line() {
    if (rest_.empty()) return false;
    const void* newline = std::memchr(rest_.data(), '\n', rest_.size());
    const auto length =
        newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - rest_.data()) : rest_.size();
    line_ = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    ++number_;
    return true;
  }

  std::string_view rest_;
  std::string_view line_;
  std::int64_t number_ = 0;
  std::vector<std::string>* comments_ = nullptr;
};

std::optional<std::int64_t> as_count(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return std::in_range<std::int64_t>(value) ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

JklFault read_score(std::string_view word, double& score) {
  std::array<char, longest_number> digits;
  if (word.empty() || word.size() > digits.size()) return JklFault::bad_score;
  std::ranges::replace_copy(word, digits.begin(), ',', '.');
  const char* last = digits.data() + word.size();
  auto [end, error] = std::from_chars(digits.data(), last, score);
  if (end != last || error == std::errc::invalid_argument) return JklFault::bad_score;
  if (error == std::errc::result_out_of_range) {
    // Too large, or only too small: a score of 1e-400 is zero. In so few characters the exponent decides.
    const bool is_small = word.find("e-") != word.npos || word.find("E-") != word.npos;
    if (!is_small) return JklFault::score_not_finite;
    score = 0;
  }
  return std::isfinite(score) ? JklFault::none : JklFault::score_not_finite;
}

/// Finds the number of a name. Most files use 0, 1, 2, ... in order, which needs no table.
class NameTable {
 public:
  explicit NameTable(std::span<const std::string> names) : size_(names.size()) {
    for (std::size_t i = 0; i < size_ && numbered_; ++i) numbered_ = names[i] == std::to_string(i);
    if (numbered_) return;
    for (std::size_t i = 0; i < size_; ++i) numbers_.emplace(names[i], static_cast<VariableId>(i));
  }

  std::optional<VariableId> find(std::string_view word) const {
    if (!numbered_) {
      const auto found = numbers_.find(word);
      return found == numbers_.end() ? std::nullopt : std::optional(found->second);
    }
    const auto number = as_count(word);
    const bool plain = word.size() == 1 || !word.starts_with('0');
    if (!number || !plain || static_cast<std::size_t>(*number) >= size_) return std::nullopt;
    return static_cast<VariableId>(*number);
  }

 private:
  std::size_t size_;
  bool numbered_ = true;
  std::unordered_map<std::string_view, VariableId> numbers_;
};

/// Reads in two passes, since a parent may be named before its own block comes: first the headers, then the
/// sets. Counts in the file are believed only as far as lines are there.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  JklContent read() {
    JklProblem in_headers = read_headers();
    complete_ = in_headers.fault == JklFault::none;
    JklProblem in_sets = read_sets();
    const bool sets_first = in_sets.fault != JklFault::none && (complete_ || in_sets.line <= in_headers.line);
    content_.problem = sets_first ? std::move(in_sets) : std::move(in_headers);
    if (content_.problem.fault == JklFault::none) sort_best_first(content_.cache);
    return std::move(content_);
  }

 private:
  JklProblem problem(JklFault fault, const Lines& lines, std::string_view text, std::int64_t expected = 0,
                     std::int64_t found = 0) const {
    return {fault, lines.number(), expected, found, shortened(text)};
  }

  JklProblem read_headers() {
    Lines lines(text_);
    lines.keep_comments_in(&content_.comments);
    if (!lines.next()) return problem(JklFault::no_count, lines, "");
    std::string_view rest = lines.line();
    const auto num_variables = as_count(next_word(rest));
    if (!num_variables || !next_word(rest).empty()) return problem(JklFault::bad_count, lines, lines.line());
    if (*num_variables == 0) return problem(JklFault::no_variables, lines, lines.line());

    std::unordered_map<std::string_view, std::int64_t> seen;
    for (std::int64_t variable = 0; variable < *num_variables; ++variable) {
      if (!lines.next()) return problem(JklFault::too_few_blocks, lines, "", *num_variables, variable);
      lines.keep_comments_in(nullptr);
      rest = lines.line();
      const auto name = next_word(rest);
      const auto word = next_word(rest);
      if (word.empty() || !next_word(rest).empty()) return problem(JklFault::bad_header, lines, lines.line());
      const auto num_sets = as_count(word);
      if (!num_sets) return problem(JklFault::bad_set_count, lines, word);
      const auto [first, is_new] = seen.emplace(name, lines.number());
      if (!is_new) return problem(JklFault::repeated_name, lines, name, first->second);
      content_.names.emplace_back(name);
      counts_.push_back(*num_sets);
      for (std::int64_t set = 0; set < *num_sets; ++set) {
        if (!lines.next()) return problem(JklFault::too_few_sets, lines, name, *num_sets, set);
      }
    }
    if (lines.next()) return problem(JklFault::text_after_the_end, lines, lines.line(), *num_variables);
    return {};
  }

  JklProblem read_sets() {
    const NameTable table(content_.names);
    Lines lines(text_);
    lines.next();
    for (std::size_t variable = 0; variable < counts_.size(); ++variable) {
      lines.next();
      const Lines block = lines;
      for (std::int64_t set = 0; set < counts_[variable] && lines.next(); ++set) {
        JklProblem found = read_set(lines, table, variable);
        if (found.fault != JklFault::none) return found;
      }
      JklProblem found = find_repeated(block);
      if (found.fault != JklFault::none) return found;
      content_.cache.set_offsets.push_back(static_cast<std::int64_t>(content_.cache.scores.size()));
    }
    return {};
  }

  JklProblem read_set(const Lines& lines, const NameTable& table, std::size_t variable) {
    ParentSetCache& cache = content_.cache;
    std::string_view rest = lines.line();
    const auto word = next_word(rest);
    double score = 0;
    if (const JklFault fault = read_score(word, score); fault != JklFault::none)
      return problem(fault, lines, word);
    const auto size_word = next_word(rest);
    const auto size = as_count(size_word);
    if (!size) return problem(JklFault::bad_size, lines, lines.line());

    const std::size_t first = cache.parents.size();
    std::int64_t found = 0;
    for (auto name = next_word(rest); !name.empty(); name = next_word(rest), ++found) {
      const auto parent = table.find(name);
      if (parent == variable) return problem(JklFault::parent_of_itself, lines, name);
      if (parent) {
        cache.parents.push_back(*parent);
      } else if (complete_) {  // else its block may be among those that were not reached
        return problem(JklFault::unknown_parent, lines, name);
      }
    }
    if (found != *size) return problem(JklFault::wrong_size, lines, lines.line(), *size, found);
    const auto members = std::span(cache.parents).subspan(first);
    std::ranges::sort(members);
    if (const auto twin = std::ranges::adjacent_find(members); twin != members.end()) {
      return problem(JklFault::repeated_parent, lines, content_.names[*twin]);
    }
    cache.scores.push_back(score);
    cache.parent_offsets.push_back(static_cast<std::int64_t>(cache.parents.size()));
    return {};
  }

  /// `block` stands at the header, so the lines can be counted again, which only a fault needs.
  JklProblem find_repeated(Lines block) const {
    if (!complete_) return {};
    const auto first = static_cast<std::size_t>(content_.cache.set_offsets.back());
    const auto twins = find_repeated_set(view(content_.cache), first, content_.cache.num_sets());
    if (!twins) return {};
    std::int64_t line_of_first = 0;
    for (std::size_t set = first; set <= twins->second; ++set) {
      block.next();
      if (set == twins->first) line_of_first = block.number();
    }
    return problem(JklFault::repeated_set, block, block.line(), line_of_first);
  }

  std::string_view text_;
  JklContent content_;
  std::vector<std::int64_t> counts_;
  bool complete_ = false;  // all headers are known
};

template <typename Number>
void append(std::string& text, Number number) {
  std::array<char, longest_number> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  text.append(digits.data(), end);
}

}  // namespace

JklContent parse_jkl(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return Reader(text).read();
}

std::string format_jkl(const CacheView& cache, std::span<const std::string> names, std::size_t first,
                       std::size_t last) {
  assert(first <= last && last <= cache.num_variables() && names.size() == cache.num_variables());
  std::string text;
  for (std::size_t variable = first; variable < last; ++variable) {
    text += names[variable];
    text += ' ';
    append(text, cache.set_offsets[variable + 1] - cache.set_offsets[variable]);
    text += '\n';
    for (auto set = cache.set_offsets[variable]; set < cache.set_offsets[variable + 1]; ++set) {
      const auto parents = cache.parents_of(static_cast<std::size_t>(set));
      append(text, cache.scores[static_cast<std::size_t>(set)]);
      text += ' ';
      append(text, parents.size());
      for (const VariableId parent : parents) {
        text += ' ';
        text += names[parent];
      }
      text += '\n';
    }
  }
  return text;
}

}  // namespace treebound
