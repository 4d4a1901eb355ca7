#include "inference/expected_counts/part_plan.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/rows.hpp"

namespace treebound {
namespace {

struct Digit {
  std::uint32_t num_states;
  std::uint32_t stride;
};

/// Appends where each joint state of the digits, the last one running fastest, lies by their strides.
void append_places(std::span<const Digit> digits, std::vector<std::uint32_t>& places) {
  std::vector<std::uint32_t> states(digits.size(), 0);
  std::uint32_t place = 0;
  for (;;) {
    places.push_back(place);
    std::size_t d = digits.size();
    for (;;) {
      if (d-- == 0) return;
      place += digits[d].stride;
      if (++states[d] < digits[d].num_states) break;
      place -= digits[d].stride * states[d];
      states[d] = 0;
    }
  }
}

class Planner {
 public:
  Planner(const EliminationBags& bags, std::span<const VariableId> variables,
          const std::vector<bool>& is_member)
      : bags_(bags), is_member_(is_member) {
    plan_.variables.assign(variables.begin(), variables.end());
  }

  PartPlan plan() && {
    for (const VariableId v : plan_.variables) add_bag(v);
    for (std::uint32_t b = 0; b < plan_.bags.size(); ++b) link(b);
    return std::move(plan_);
  }

 private:
  std::uint32_t cardinality(VariableId v) const { return bags_.families().cardinalities[v]; }

  void add_bag(VariableId v) {
    std::vector<VariableId> members{v};
    std::uint32_t num_separators = 1;
    for (const VariableId u : bags_.later(v)) {
      if (!is_member_[u]) continue;
      members.push_back(u);
      num_separators *= cardinality(u);
    }
    const auto first_factor = static_cast<std::uint32_t>(plan_.factors.size());
    for (const VariableId child : bags_.families_with(v)) {
      if (is_home(v, child)) add_factor(child, members);
    }
    plan_.bags.push_back({cardinality(v), num_separators, PartPlan::kNoParent, plan_.num_cells, 0,
                          first_factor, static_cast<std::uint32_t>(plan_.factors.size())});
    plan_.num_cells += plan_.bags.back().num_cells();
    plan_.most_separators = std::max<std::size_t>(plan_.most_separators, num_separators);
    members_.push_back(std::move(members));
  }

  /// Whether v is the first member of the part that leaves a family.
  bool is_home(VariableId v, VariableId child) const {
    return std::ranges::all_of(
        bags_.members(child), [&](VariableId u) { return !is_member_[u] || bags_.rank(u) >= bags_.rank(v); });
  }

  void add_factor(VariableId child, std::span<const VariableId> members) {
    const auto family = bags_.members(child);
    std::vector<Digit> digits;
    for (const VariableId v : members) digits.push_back({cardinality(v), 0});
    PartPlan::Factor factor{child, plan_.maps.size(), static_cast<std::uint32_t>(plan_.known.size()), 0};
    std::uint32_t stride = 1;
    for (auto v = family.rbegin(); v != family.rend(); ++v) {
      const auto place = std::ranges::find(members, *v);
      assert((place != members.end()) == is_member_[*v]);
      if (place == members.end())
        plan_.known.push_back({*v, stride});
      else
        digits[static_cast<std::size_t>(place - members.begin())].stride = stride;
      stride *= cardinality(*v);
    }
    factor.last_known = static_cast<std::uint32_t>(plan_.known.size());
    append_places(digits, plan_.maps);
    plan_.factors.push_back(factor);
  }

  void link(std::uint32_t b) {
    PartPlan::Bag& bag = plan_.bags[b];
    bag.first_parent_map = plan_.maps.size();
    const std::span<const VariableId> others = std::span(members_[b]).subspan(1);
    if (others.empty()) return;
    const auto by_rank = [&](VariableId u, VariableId v) { return bags_.rank(u) < bags_.rank(v); };
    const auto place = std::ranges::lower_bound(plan_.variables, others.front(), by_rank);
    bag.parent = static_cast<std::uint32_t>(place - plan_.variables.begin());
    assert(bag.parent > b && plan_.variables[bag.parent] == others.front());
    std::vector<Digit> digits;
    std::uint32_t stride = bag.num_separators;
    std::size_t next = 0;
    for (const VariableId v : members_[bag.parent]) {
      const bool is_shared = next < others.size() && others[next] == v;
      if (is_shared) stride /= cardinality(v), ++next;
      digits.push_back({cardinality(v), is_shared ? stride : 0});
    }
    assert(next == others.size());
    append_places(digits, plan_.maps);
  }

  const EliminationBags& bags_;
  const std::vector<bool>& is_member_;
  PartPlan plan_;
  std::vector<std::vector<VariableId>> members_;
};

}  // namespace

EliminationBags::EliminationBags(const FamiliesView& families, std::span<const VariableId> order)
    : families_(families),
      order_(order.begin(), order.end()),
      rank_(order.size()),
      members_(order.size()),
      mentions_(order.size()),
      later_(order.size()) {
  assert(families.is_consistent() && order.size() == families.num_variables());
  for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
  for (VariableId child = 0; child < order_.size(); ++child) {
    const auto parents = families.parents_of(child);
    members_[child].assign(parents.begin(), parents.end());
    members_[child].push_back(child);
    for (const VariableId v : members_[child]) mentions_[v].push_back(child);
    // The member that leaves first meets all others; who leaves next inherits what it has met.
    const auto by_rank = [&](VariableId v) { return rank_[v]; };
    const VariableId first = *std::ranges::min_element(members_[child], {}, by_rank);
    later_[first].insert(later_[first].end(), members_[child].begin(), members_[child].end());
  }
  for (const VariableId v : order_) {
    auto& later = later_[v];
    std::ranges::sort(later, {}, [&](VariableId u) { return rank_[u]; });
    later.erase(std::unique(later.begin(), later.end()), later.end());
    std::erase(later, v);
    if (later.empty()) continue;
    auto& next = later_[later.front()];
    next.insert(next.end(), later.begin(), later.end());
  }
}

PartPlan plan_part(const EliminationBags& bags, std::span<const VariableId> variables,
                   const std::vector<bool>& is_member) {
  return Planner(bags, variables, is_member).plan();
}

double cells_of_part(const EliminationBags& bags, std::span<const VariableId> variables,
                     const std::vector<bool>& is_member) {
  double sum = 0;
  for (const VariableId v : variables) {
    double cells = bags.families().cardinalities[v];
    for (const VariableId u : bags.later(v)) {
      if (is_member[u]) cells *= bags.families().cardinalities[u];
    }
    sum += cells;
  }
  return sum;
}

}  // namespace treebound
