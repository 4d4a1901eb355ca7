#include "scoring/counting/joint_counts.hpp"

#include <algorithm>
#include <cassert>

namespace treebound {

void JointCounts::set(const Partition& coarse, VariableId b) {
  rows_.split(coarse, b, 1, Partition::Groups::part);
  num_coarse_cells_ = coarse.cells().size();
  num_states_ = rows_.data().cardinality(b);
  slots_.clear();
  for (const Partition::Cell& cell : rows_.cells()) slots_.push_back(cell.origin * num_states_ + cell.state);
}

void JointCounts::count(VariableId c, const std::uint32_t* margins, std::vector<std::uint32_t>& table) const {
  assert(num_states_ > 0);  // set() came before
  const std::uint32_t width = rows_.data().cardinality(c);
  table.assign(num_coarse_cells_ * num_states_ * width, 0);
  rows_.count(c, table.data(), [&](std::size_t cell) { return slots_[cell]; });
  for (std::size_t cell = 0; cell < num_coarse_cells_; ++cell) {
    std::uint32_t* first = table.data() + cell * num_states_ * width;
    for (std::uint32_t t = 0; t < width; ++t) first[t] = margins[cell * width + t];
    if (num_states_ == 2 && width == 2) {
      first[0] -= first[2];
      first[1] -= first[3];
      continue;
    }
    for (std::uint32_t state = 1; state < num_states_; ++state) {
      for (std::uint32_t t = 0; t < width; ++t) first[t] -= first[state * width + t];
    }
  }
}

}  // namespace treebound
