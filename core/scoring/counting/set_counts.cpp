#include "scoring/counting/set_counts.hpp"

#include <algorithm>
#include <cassert>
#include <map>

namespace treebound {
namespace {

// Margins of one node that are kept: what fits comfortably in a second-level cache.
constexpr std::size_t kMaxMarginCells = std::size_t{1} << 18;

/// Adds up counts over one variable, each state of which has `inner` cells next to each other.
std::vector<std::int64_t> without(std::span<const std::int64_t> counts, std::size_t num_states,
                                  std::size_t inner) {
  std::vector<std::int64_t> sums(counts.size() / num_states, 0);
  for (std::size_t cell = 0; cell < counts.size(); ++cell)
    sums[cell / (num_states * inner) * inner + cell % inner] += counts[cell];
  return sums;
}

/// Calls use(set, member, counts, number of states) for every set, with member = size, and for the others of
/// each member.
template <typename Use>
void for_each_table(std::span<const std::uint32_t> cardinalities, std::size_t size,
                    std::span<const VariableId> sets, std::span<const std::int64_t> counts, Use&& use) {
  std::size_t first = 0;
  for (std::size_t set = 0; set * size < sets.size(); ++set) {
    const auto members = sets.subspan(set * size, size);
    std::size_t num_cells = 1;
    for (const VariableId v : members) num_cells *= cardinalities[v];
    const auto table = counts.subspan(first, num_cells);
    first += num_cells;
    use(set, size, table, static_cast<double>(num_cells));
    std::size_t inner = num_cells;
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t num_states = cardinalities[members[i]];
      inner /= num_states;
      const auto others = without(table, num_states, inner);
      use(set, i, std::span<const std::int64_t>(others), static_cast<double>(others.size()));
    }
  }
}

/// Terms of counts by size of the state space, each computed once.
class KnownTerms {
 public:
  void want(double num_states, std::span<const std::int64_t> counts) {
    auto& wanted = known_[num_states].counts;
    for (const std::int64_t n : counts) {
      if (n > 0) wanted.push_back(static_cast<std::uint64_t>(n));
    }
    if (wanted.size() > 2 * known_[num_states].num_distinct + kFewest) make_distinct(known_[num_states]);
  }
  void compute(const LocalScore& score) {
    for (auto& [num_states, known] : known_) {
      make_distinct(known);
      known.terms = score.terms(num_states, known.counts);
    }
  }
  /// Sum of the terms; a count of zero has none.
  Term sum(double num_states, std::span<const std::int64_t> counts) const {
    const Known& known = known_.at(num_states);
    Term total = 0;
    for (const std::int64_t n : counts) {
      if (n == 0) continue;
      const auto place = std::ranges::lower_bound(known.counts, static_cast<std::uint64_t>(n));
      total += known.terms[static_cast<std::size_t>(place - known.counts.begin())];
    }
    return total;
  }

 private:
  static constexpr std::size_t kFewest = 1 << 16;
  struct Known {
    std::vector<std::uint64_t> counts;
    std::size_t num_distinct = 0;
    std::vector<Term> terms;
  };
  static void make_distinct(Known& known) {
    std::ranges::sort(known.counts);
    const auto rest = std::ranges::unique(known.counts);
    known.counts.erase(rest.begin(), rest.end());
    known.num_distinct = known.counts.size();
  }
  std::map<double, Known> known_;
};

}  // namespace

SetCounter::SetCounter(const Dataset& data) : data_(&data), joint_(data) {
  path_.push_back(std::make_unique<Node>(data));
  path_[0]->rows.gather();
  path_[0]->joint_states = {0};
}

void SetCounter::count_one(VariableId v, std::int64_t* counts) const {
  const auto marginal = data_->marginal(v);
  for (std::uint32_t s = 0; s < marginal.size(); ++s) counts[data_->code(v, s)] = marginal[s];
}

void SetCounter::walk_to(std::span<const VariableId> set, std::size_t length) {
  std::size_t common = 0;
  while (common < std::min(length, path_length_) && path_[common + 1]->variable == set[common]) ++common;
  for (std::size_t depth = common + 1; depth <= length; ++depth) {
    if (path_.size() <= depth) path_.push_back(std::make_unique<Node>(*data_));
    Node& node = *path_[depth];
    const Node& coarse = *path_[depth - 1];
    node.variable = set[depth - 1];
    node.rows.split(coarse.rows, node.variable, 0, Partition::Groups::part);
    node.joint_states.clear();
    for (const Partition::Cell& cell : node.rows.cells())
      node.joint_states.push_back(coarse.joint_states[cell.origin] * data_->cardinality(node.variable) +
                                  data_->code(node.variable, cell.state));
    node.margins.clear();
    if (joint_depth_ > depth) joint_depth_ = 0;
  }
  // Nodes beyond are of another path now, or will be before they are looked at.
  if (common < length) path_length_ = length;
}

const std::uint32_t* SetCounter::margins(Node& node, VariableId v) {
  const std::size_t num_cells = node.rows.cells().size();
  node.margins.resize(data_->num_variables());
  const bool is_kept = num_cells * data_->num_states() <= kMaxMarginCells;
  std::vector<std::uint32_t>& counts = is_kept ? node.margins[v] : margins_;
  if (!is_kept || counts.empty()) {
    counts.assign(num_cells * data_->cardinality(v), 0);
    node.rows.count(v, counts.data(), [](std::size_t cell) { return cell; });
  }
  return counts.data();
}

void SetCounter::count(std::span<const VariableId> set, std::int64_t* counts) {
  assert(!set.empty() && is_variable_set(set, data_->num_variables()));
  if (set.size() == 1) return count_one(set[0], counts);
  const std::size_t depth = set.size() - 2;
  const VariableId b = set[depth], c = set[depth + 1];
  const std::size_t states_b = data_->cardinality(b), states_c = data_->cardinality(c);
  walk_to(set, depth);
  Node& node = *path_[depth];
  const std::size_t num_cells = node.rows.cells().size();
  if (joint_depth_ != depth + 1 || joint_variable_ != b) {
    joint_.set(node.rows, b);
    joint_depth_ = depth + 1;
    joint_variable_ = b;
  }
  joint_.count(c, margins(node, c), table_);
  std::size_t num_states = states_b * states_c;
  for (std::size_t i = 0; i < depth; ++i) num_states *= data_->cardinality(set[i]);
  std::fill_n(counts, num_states, 0);
  const std::uint32_t* from = table_.data();
  for (std::size_t cell = 0; cell < num_cells; ++cell) {
    for (std::uint32_t s = 0; s < states_b; ++s) {
      std::int64_t* to = counts + (node.joint_states[cell] * states_b + data_->code(b, s)) * states_c;
      for (std::uint32_t t = 0; t < states_c; ++t) to[data_->code(c, t)] = *from++;
    }
  }
}

SetTerms set_terms(const LocalScore& score, std::span<const std::uint32_t> cardinalities, std::size_t size,
                   std::span<const VariableId> sets, std::span<const std::int64_t> counts) {
  assert(size > 0 && sets.size() % size == 0);
  KnownTerms known;
  for_each_table(cardinalities, size, sets, counts,
                 [&](auto, auto, std::span<const std::int64_t> table, double num_states) {
                   known.want(num_states, table);
                 });
  known.compute(score);
  SetTerms terms;
  for_each_table(cardinalities, size, sets, counts,
                 [&](auto, std::size_t member, std::span<const std::int64_t> table, double num_states) {
                   const Term sum = known.sum(num_states, table);
                   if (member == size) {
                     terms.joint.push_back(sum);
                     return;
                   }
                   terms.others.push_back(sum);
                   const auto num_occurring = std::ranges::count_if(table, [](auto n) { return n > 0; });
                   terms.num_configurations.push_back(static_cast<std::uint32_t>(num_occurring));
                 });
  return terms;
}

}  // namespace treebound
