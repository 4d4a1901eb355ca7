#include "search/hcet/arc_network.hpp"

#include <algorithm>
#include <cassert>

#include "base/asserts.hpp"

namespace treebound {

ArcNetwork::ArcNetwork(std::uint32_t num_variables, BagBound bound,
                       std::span<const std::uint32_t> cardinalities)
    : arcs_(num_variables, log_),
      tree_(num_variables, bound, cardinalities, log_),
      families_(num_variables),
      stamps_(num_variables, 0) {
  for (VariableId v = 0; v < num_variables; ++v) families_[v] = {v};
}

void ArcNetwork::load(const Families& families, std::span<const VariableId> elimination_order) {
  for (VariableId v = 0; v < families_.size(); ++v) release(v);
  for (VariableId v = 0; v < families_.size(); ++v) {
    const auto parents = families.parents_of(v);
    families_[v].insert(families_[v].end(), parents.begin(), parents.end());
    arcs_.add(v, parents);
  }
  tree_.build(elimination_order, [&](VariableId v) { return std::span<const VariableId>(families_[v]); });
  log_.forget();
  TREEBOUND_ASSERT_VALID(*this);
}

bool ArcNetwork::closes_cycle_reversed(VariableId parent, VariableId child) {
  arcs_.remove(child, std::span(&parent, 1));
  const bool is_path = closes_cycle(child, parent);
  arcs_.add(child, std::span(&parent, 1));
  return is_path;
}

void ArcNetwork::take_out(Family& family, VariableId parent) {
  const auto place = std::find(family.begin() + 1, family.end(), parent);
  assert(place != family.end());
  family.erase(place);
}

/// Exchanges the family of v in the tree; false, and the tree is to be rolled back, if it cannot be covered.
bool ArcNetwork::fits(VariableId v, const Family& family) {
  tree_.remove(v);
  if (family.size() == 1) return true;
  if (!tree_.cover(family)) return false;
  tree_.add(v, family);
  return true;
}

void ArcNetwork::set_family(VariableId v, const Family& family) {
  arcs_.remove(v, parents(v));
  families_[v] = family;
  arcs_.add(v, parents(v));
}

bool ArcNetwork::add(VariableId parent, VariableId child) {
  first_ = families_[child];
  first_.push_back(parent);
  if (!fits(child, first_)) {
    log_.roll_back(0);
    return false;
  }
  families_[child] = first_;
  arcs_.add(child, std::span(&parent, 1));
  log_.forget();
  TREEBOUND_ASSERT_VALID(*this);
  return true;
}

bool ArcNetwork::remove(VariableId parent, VariableId child) {
  first_ = families_[child];
  take_out(first_, parent);
  if (!fits(child, first_)) {
    log_.roll_back(0);
    return false;
  }
  families_[child] = first_;
  arcs_.remove(child, std::span(&parent, 1));
  log_.forget();
  TREEBOUND_ASSERT_VALID(*this);
  return true;
}

bool ArcNetwork::reverse(VariableId parent, VariableId child) {
  first_ = families_[child];
  take_out(first_, parent);
  second_ = families_[parent];
  second_.push_back(child);
  if (!fits(child, first_) || !fits(parent, second_)) {
    log_.roll_back(0);
    return false;
  }
  set_family(child, first_);
  set_family(parent, second_);
  log_.forget();
  TREEBOUND_ASSERT_VALID(*this);
  return true;
}

void ArcNetwork::release(VariableId v) {
  arcs_.remove(v, parents(v));
  tree_.remove(v);
  families_[v].resize(1);
  log_.forget();
}

std::span<const VariableId> ArcNetwork::ancestors(VariableId v) {
  ++stamp_;
  found_.assign(1, v);
  stamps_[v] = stamp_;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    for (const VariableId p : parents(found_[i])) {
      if (stamps_[p] == stamp_) continue;
      stamps_[p] = stamp_;
      found_.push_back(p);
    }
  }
  return found_;
}

bool ArcNetwork::is_valid() const {
  for (VariableId v = 0; v < families_.size(); ++v) {
    if (families_[v][0] != v || arcs_.has_parents(v) != (families_[v].size() > 1)) return false;
    if (families_[v].size() > 1 && !tree_.holds(families_[v])) return false;
    for (const VariableId p : parents(v))
      if (std::ranges::count(arcs_.children(p), v) != 1) return false;
  }
  return arcs_.is_valid() && tree_.is_valid();
}

}  // namespace treebound
