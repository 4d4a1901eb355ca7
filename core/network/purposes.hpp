// One seed may make a network and sample from it: each use splits the seed under its own number, so that the
// noise in the rows is not the noise in the tables.
#pragma once

#include <cstdint>

namespace treebound {

enum class RandomPurpose : std::uint64_t { structure = 1, tables = 2, rows = 3, completions = 4 };

}  // namespace treebound
