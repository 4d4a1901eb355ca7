#include "scoring/families/family_scorer.hpp"

#include <algorithm>
#include <cassert>

namespace treebound {
namespace {

// Tables above this size are summed cell by cell as they are counted instead of being laid out whole.
constexpr std::size_t kMaxTableCells = 4096;
// Margins of one node: what fits comfortably in a second-level cache.
constexpr std::size_t kMaxMarginCells = std::size_t{1} << 18;

/// Adds the terms of one group of cells: counts[child state][parent state]. Sizes above zero in the template
/// take the place of the arguments.
template <std::size_t kCells, std::size_t kWidth>
[[gnu::always_inline]] inline void sum_group(const std::uint32_t* counts, std::size_t num_cells,
                                             std::size_t width, LocalScore::Tables tables,
                                             FamilyTerms& sums) {
  if constexpr (kCells > 0) num_cells = kCells;
  if constexpr (kWidth > 0) width = kWidth;
  for (std::size_t state = 0; state < width; ++state) {
    std::uint32_t over_child = 0;
    for (std::size_t cell = 0; cell < num_cells; ++cell) {
      const std::uint32_t n = counts[cell * width + state];
      sums.joint += tables.joint[n];
      over_child += n;
    }
    sums.parents += tables.parents[over_child];
    sums.num_configurations += over_child != 0;
  }
}

}  // namespace

FamilyScorer::FamilyScorer(const Dataset& data, const LocalScore& score)
    : data_(&data), score_(score.clone()), whole_(data), joint_(data) {
  whole_.gather();
  path_.push_back(std::make_unique<Node>(data));
}

void FamilyScorer::begin(VariableId child) {
  assert(child < data_->num_variables());
  child_ = child;
  path_[0]->rows.split(whole_, child, 0, Partition::Groups::keep);
  enter(0);
}

void FamilyScorer::enter(std::size_t depth) {
  path_length_ = depth;
  path_[depth]->is_counted.assign(data_->num_variables(), 0);
  if (joint_depth_ > depth) joint_depth_ = 0;
}

double FamilyScorer::parent_states(std::span<const VariableId> parents) const {
  double product = 1;
  for (const VariableId p : parents) product *= data_->cardinality(p);
  return product;
}

double FamilyScorer::score(std::span<const VariableId> parents) {
  return score_->score(terms(parents), data_->cardinality(child_), parent_states(parents));
}

void FamilyScorer::walk_to(std::span<const VariableId> parents, std::size_t length) {
  std::size_t common = 0;
  while (common < std::min(length, path_length_) && path_[common + 1]->parent == parents[common]) ++common;
  for (std::size_t depth = common + 1; depth <= length; ++depth) {
    if (path_.size() <= depth) path_.push_back(std::make_unique<Node>(*data_));
    path_[depth]->parent = parents[depth - 1];
    path_[depth]->rows.split(path_[depth - 1]->rows, parents[depth - 1], 0, Partition::Groups::part);
    enter(depth);
  }
}

FamilyTerms FamilyScorer::terms(std::span<const VariableId> parents) {
  assert(std::ranges::all_of(parents, [&](auto p) { return p < data_->num_variables() && p != child_; }));
  const double num_parent_states = parent_states(parents);
  const auto tables = score_->tables(num_parent_states * data_->cardinality(child_), num_parent_states);
  if (parents.empty()) {
    const auto marginal = data_->marginal(child_);
    Term joint = 0;
    for (const std::uint32_t n : marginal) joint += tables.joint[n];
    return {joint, tables.parents[data_->num_rows()], 1};
  }
  const VariableId c = parents.back();
  if (parents.size() == 1) {
    Node& root = *path_[0];
    return keeps_margins(root) ? sum_table(root, margins(root, c), data_->cardinality(c), tables)
                               : sum_directly(root, c, tables);
  }
  const std::size_t depth = parents.size() - 2;
  const VariableId b = parents[depth];
  walk_to(parents, depth);
  Node& node = *path_[depth];
  const std::size_t table_cells = node.rows.cells().size() * data_->cardinality(b) * data_->cardinality(c);
  if (table_cells <= kMaxTableCells && keeps_margins(node))
    return sum_by_subtraction(node, depth, b, c, tables);
  walk_to(parents, depth + 1);
  return sum_directly(*path_[depth + 1], c, tables);
}

bool FamilyScorer::keeps_margins(const Node& node) const {
  return node.rows.cells().size() * data_->num_states() <= kMaxMarginCells;
}

const std::uint32_t* FamilyScorer::margins(Node& node, VariableId v) {
  const std::size_t num_cells = node.rows.cells().size();
  node.margins.resize(num_cells * data_->num_states());
  std::uint32_t* counts = node.margins.data() + num_cells * data_->state_offset(v);
  if (!node.is_counted[v]) {
    std::fill_n(counts, num_cells * data_->cardinality(v), 0u);
    node.rows.count(v, counts, [](std::size_t cell) { return cell; });
    node.is_counted[v] = 1;
  }
  return counts;
}

FamilyTerms FamilyScorer::sum_by_subtraction(Node& node, std::size_t depth, VariableId b, VariableId c,
                                             LocalScore::Tables tables) {
  if (joint_depth_ != depth + 1 || joint_parent_ != b) {
    joint_.set(node.rows, b);
    joint_depth_ = depth + 1;
    joint_parent_ = b;
  }
  joint_.count(c, margins(node, c), table_);
  return sum_table(node, table_.data(), std::size_t{data_->cardinality(b)} * data_->cardinality(c), tables);
}

FamilyTerms FamilyScorer::sum_table(const Node& node, const std::uint32_t* table, std::size_t width,
                                    LocalScore::Tables tables) const {
  FamilyTerms sums{0, 0, 0};
  const auto cells = node.rows.cells();
  for (std::size_t begin = 0, end = 0; begin < cells.size(); begin = end) {
    while (end < cells.size() && cells[end].group == cells[begin].group) ++end;
    const std::uint32_t* group = table + begin * width;
    // Two binary parents under a binary child: the shortest loops, worth unrolling.
    if (width == 4 && end - begin == 2) {
      sum_group<2, 4>(group, 2, 4, tables, sums);
    } else {
      sum_group<0, 0>(group, end - begin, width, tables, sums);
    }
  }
  return sums;
}

FamilyTerms FamilyScorer::sum_directly(const Node& node, VariableId c, LocalScore::Tables tables) {
  FamilyTerms sums{0, 0, 0};
  const std::uint32_t width = data_->cardinality(c);
  const auto cells = node.rows.cells();
  cell_counts_.assign(width, 0);
  group_counts_.assign(width, 0);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Partition::Cell& cell = cells[i];
    node.rows.count_cell(cell, c, cell_counts_.data());
    const auto take = [&](std::uint32_t state) {
      sums.joint += tables.joint[cell_counts_[state]];
      group_counts_[state] += cell_counts_[state];
      cell_counts_[state] = 0;
    };
    // A cell with fewer rows than c has states is cheaper to visit by its rows: a state met again adds
    // nothing.
    if (!cell.is_dense && cell.num_positions < width) {
      data_->with_codes(c, [&](const auto& codes) {
        for (const std::uint32_t p : node.rows.positions(cell)) take(codes[p]);
      });
    } else {
      for (std::uint32_t state = 0; state < width; ++state) take(state);
    }
    if (i + 1 < cells.size() && cells[i + 1].group == cell.group) continue;
    for (std::uint32_t& n : group_counts_) {
      sums.parents += tables.parents[n];
      sums.num_configurations += n != 0;
      n = 0;
    }
  }
  return sums;
}

}  // namespace treebound
