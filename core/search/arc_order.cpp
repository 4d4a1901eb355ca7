#include "search/arc_order.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/asserts.hpp"

namespace treebound {
namespace {

void take_out(std::vector<VariableId>& list, VariableId v) {
  const auto place = std::find(list.begin(), list.end(), v);
  assert(place != list.end());
  *place = list.back();
  list.pop_back();
}

}  // namespace

ArcOrder::ArcOrder(std::uint32_t num_variables, UndoLog& log)
    : log_(&log),
      positions_(num_variables),
      children_(num_variables),
      parents_(num_variables),
      stamps_(num_variables, 0),
      is_descendant_(num_variables + 1, 0) {
  std::iota(positions_.begin(), positions_.end(), 0);
}

void ArcOrder::add(VariableId child, std::span<const VariableId> parents) {
  for (const VariableId p : parents) {
    assert(p != child && std::ranges::count(parents_[child], p) == 0);
    if (positions_[p] > positions_[child]) move_before(p, child);
    assert(positions_[p] < positions_[child]);
    children_[p].push_back(child);
    parents_[child].push_back(p);
  }
  TREEBOUND_ASSERT_VALID(*this);
}

void ArcOrder::remove(VariableId child, std::span<const VariableId> parents) {
  for (const VariableId p : parents) {
    take_out(children_[p], child);
    take_out(parents_[child], p);
  }
}

/// Marks the descendants up to a position. Variables after it lead to nothing before it, and are visited when
/// a later position is needed.
void ArcOrder::mark_descendants(std::int32_t last) {
  reached_.clear();
  const auto reach = [&](VariableId v) {
    if (stamps_[v] == stamp_) return;
    if (positions_[v] > last) {
      beyond_.push_back(v);
    } else {
      stamps_[v] = stamp_;
      reached_.push_back(v);
    }
  };
  if (is_marked_) {
    waiting_.swap(beyond_);
    beyond_.clear();
    for (const VariableId v : waiting_) reach(v);
  } else {
    ++stamp_;
    is_marked_ = true;
    beyond_.clear();
    reach(origin_);
  }
  for (std::size_t i = 0; i < reached_.size(); ++i)
    for (const VariableId c : children_[reached_[i]]) reach(c);
  marked_up_to_ = last;
}

const std::uint8_t* ArcOrder::all_descendants(VariableId v) {
  for (const VariableId u : descendants_) is_descendant_[u] = 0;
  descendants_.assign(1, v);
  is_descendant_[v] = 1;
  for (std::size_t i = 0; i < descendants_.size(); ++i) {
    for (const VariableId c : children_[descendants_[i]]) {
      if (is_descendant_[c] != 0) continue;
      is_descendant_[c] = 1;
      descendants_.push_back(c);
    }
  }
  return is_descendant_.data();
}

bool ArcOrder::leads_to(VariableId v, VariableId u) {
  if (positions_[u] < positions_[v]) return false;
  ++stamp_;
  is_marked_ = false;
  reached_.assign(1, v);
  for (std::size_t i = 0; i < reached_.size(); ++i) {
    for (const VariableId c : children_[reached_[i]]) {
      if (c == u) return true;
      if (stamps_[c] == stamp_ || positions_[c] > positions_[u]) continue;
      stamps_[c] = stamp_;
      reached_.push_back(c);
    }
  }
  return false;
}

/// Between the two positions, what leads to the parent comes first, then what the child leads to.
void ArcOrder::move_before(VariableId parent, VariableId child) {
  const std::int32_t first = positions_[child], last = positions_[parent];
  const auto collect = [&](VariableId from, auto& found, const auto& neighbours, auto is_inside) {
    ++stamp_;
    found.assign(1, from);
    stamps_[from] = stamp_;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const VariableId v : neighbours[found[i]]) {
        if (stamps_[v] == stamp_ || !is_inside(positions_[v])) continue;
        stamps_[v] = stamp_;
        found.push_back(v);
      }
    }
    std::sort(found.begin(), found.end(),
              [&](VariableId a, VariableId b) { return positions_[a] < positions_[b]; });
  };
  is_marked_ = false;
  collect(child, reached_, children_, [&](std::int32_t position) { return position < last; });
  collect(parent, earlier_, parents_, [&](std::int32_t position) { return position > first; });
  assert(std::ranges::count(reached_, parent) == 0);  // else the arc would close a cycle
  slots_.clear();
  for (const VariableId v : earlier_) slots_.push_back(positions_[v]);
  for (const VariableId v : reached_) slots_.push_back(positions_[v]);
  std::sort(slots_.begin(), slots_.end());
  std::size_t next = 0;
  for (const VariableId v : earlier_) log_->set(positions_[v], slots_[next++]);
  for (const VariableId v : reached_) log_->set(positions_[v], slots_[next++]);
}

bool ArcOrder::is_valid() const {
  std::vector<std::int32_t> sorted(positions_.begin(), positions_.end());
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != static_cast<std::int32_t>(i)) return false;
  std::size_t num_arcs = 0, num_back = 0;
  for (VariableId v = 0; v < positions_.size(); ++v) {
    num_arcs += parents_[v].size();
    num_back += children_[v].size();
    for (const VariableId p : parents_[v])
      if (positions_[p] >= positions_[v] || std::ranges::count(children_[p], v) != 1) return false;
  }
  return num_arcs == num_back;
}

}  // namespace treebound
