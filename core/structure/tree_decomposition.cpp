#include "structure/tree_decomposition.hpp"

#include <algorithm>
#include <cassert>

#include "structure/elimination.hpp"

namespace treebound {
namespace {

constexpr VariableId kNobody = std::numeric_limits<VariableId>::max();

/// One bag per vertex, before any are merged.
class UnmergedBags {
 public:
  UnmergedBags(const GraphView& graph, std::span<const VariableId> order)
      : rank_(order.size()), later_(eliminate(graph, order)), stand_in_(order.size()) {
    for (std::uint32_t i = 0; i < order.size(); ++i) rank_[order[i]] = i;
    std::vector<VariableId> inside(order.size(), kNobody);
    for (const VariableId v : order) {
      stand_in_[v] = inside[v] == kNobody ? v : stand_in_[inside[v]];
      const VariableId next = above(v);
      // All of the bag of `next` is in this one exactly if this one has just one neighbour more.
      if (next != kNobody && inside[next] == kNobody && later(v).size() == later(next).size() + 1)
        inside[next] = v;
    }
  }

  std::vector<VariableId> later_by_rank(VariableId v) const {
    std::vector<VariableId> sorted(later(v).begin(), later(v).end());
    std::ranges::sort(sorted, {}, [&](VariableId u) { return rank_[u]; });
    return sorted;
  }
  /// The later neighbour that leaves first.
  VariableId above(VariableId v) const {
    const auto around = later(v);
    const auto first = std::ranges::min_element(around, {}, [&](VariableId u) { return rank_[u]; });
    return first == around.end() ? kNobody : *first;
  }
  /// The vertex whose bag is kept and holds that of v.
  VariableId stand_in(VariableId v) const { return stand_in_[v]; }

 private:
  std::span<const VariableId> later(VariableId v) const { return later_.view().neighbours_of(v); }

  std::vector<std::uint32_t> rank_;
  Graph later_;
  std::vector<VariableId> stand_in_;
};

}  // namespace

TreeDecomposition decompose(const GraphView& graph, std::span<const VariableId> order) {
  const UnmergedBags unmerged(graph, order);
  TreeDecomposition made;
  auto& [bags, separators, parents, homes] = made;
  homes.resize(order.size());
  for (const VariableId v : order) {
    const VariableId kept = unmerged.stand_in(v);
    homes[v] = kept == v ? static_cast<BagId>(bags.size()) : homes[kept];
    if (kept != v) continue;
    bags.push_back(unmerged.later_by_rank(v));
    bags.back().insert(bags.back().begin(), v);
  }
  parents.assign(bags.size(), kNoBag);
  separators.resize(bags.size());
  for (const VariableId v : order) {
    const VariableId above = unmerged.above(v);
    if (above == kNobody || homes[above] == homes[v]) continue;
    assert(parents[homes[v]] == kNoBag);
    parents[homes[v]] = homes[above];
    separators[homes[v]] = unmerged.later_by_rank(v);
  }
  return made;
}

}  // namespace treebound
