// The .jkl text of scored parent sets (Jaakkola's and Cussens' format), in the dialects of BLIP, BN-SLIM and
// pygobnilp: the number of variables; per variable a line `name count`; then count lines `score size p1 ...
// pk`. Lines that are empty or start with # may stand anywhere. Parents are the names of the blocks, also
// where names are numbers. A fault is a value with its place; Python makes the message.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scoring/cache/cache_rules.hpp"

namespace treebound {

enum class JklFault : std::uint8_t {
  none,
  no_count,            // the file ends before the number of variables
  bad_count,           // the first line is not one number
  no_variables,        // the number of variables is 0
  too_few_blocks,      // `expected` variables announced, `found` there
  bad_header,          // not `name count`
  bad_set_count,       // the count of a header is not a number of sets
  repeated_name,       //
  too_few_sets,        // the file ends; `expected` sets announced, `found` there
  bad_score,           // not a number
  score_not_finite,    //
  bad_size,            // the size of a set is missing or not a number
  wrong_size,          // `expected` parents announced, `found` there
  unknown_parent,      //
  parent_of_itself,    //
  repeated_parent,     //
  repeated_set,        // `expected` is the line of the first
  text_after_the_end,  // more lines than the announced variables
};

struct JklProblem {
  JklFault fault = JklFault::none;
  std::int64_t line = 0;
  std::int64_t expected = 0;
  std::int64_t found = 0;
  std::string text;  // the line or word at fault, shortened
};

struct JklContent {
  JklProblem problem;
  std::vector<std::string> names;
  std::vector<std::string> comments;  // those before the first block, without the #
  ParentSetCache cache;               // sorted; meaningless if there is a problem
};

JklContent parse_jkl(std::string_view text);

/// The blocks of variables `first`..`last`-1, without the line that counts them; scores as the shortest text
/// that reads back the same.
std::string format_jkl(const CacheView& cache, std::span<const std::string> names, std::size_t first,
                       std::size_t last);

}  // namespace treebound
