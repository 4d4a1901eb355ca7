#include "search/ktree/root_clique.hpp"

#include <algorithm>
#include <bit>

#include "search/ktree/growing_ktree.hpp"

namespace treebound {
namespace {
constexpr std::uint8_t kOutside = 0xFF;
}

RootSolver::RootSolver(const SearchProblem& problem)
    : problem_(problem),
      slots_(problem.num_variables() + 1, kOutside),
      candidates_(kMaxExactRoot),
      picked_(kMaxExactRoot) {}

void RootSolver::solve(std::span<VariableId> root, std::span<EntryId> chosen) {
  if (root.size() > kMaxExactRoot) return take_in_order(root, chosen);
  std::sort(root.begin(), root.end());
  collect(root);
  first_.clear();
  last_.clear();
  peel();
  if (open_ != 0) solve_core();

  std::vector<VariableId> members(root.begin(), root.end());
  first_.insert(first_.end(), last_.rbegin(), last_.rend());
  for (std::size_t i = 0; i < root.size(); ++i) {
    root[i] = members[first_[i]];
    chosen[root[i]] = picked_[first_[i]];
  }
}

void RootSolver::collect(std::span<const VariableId> root) {
  for (std::size_t slot = 0; slot < root.size(); ++slot) slots_[root[slot]] = static_cast<std::uint8_t>(slot);
  const SearchProblem::Head* heads = problem_.heads();
  for (std::size_t slot = 0; slot < root.size(); ++slot) {
    auto& list = candidates_[slot];
    list.clear();
    const EntryId empty = problem_.last_entry(root[slot]);
    for (EntryId entry = problem_.best_entry(root[slot]); entry < empty; ++entry) {
      if (slots_[heads[entry].first & ~SearchProblem::kMany] == kOutside) continue;
      Mask parents = 0;
      bool is_inside = true;
      for (const VariableId u : problem_.parents(entry)) {
        is_inside = slots_[u] != kOutside;
        if (!is_inside) break;
        parents |= Mask{1} << slots_[u];
      }
      if (is_inside) list.push_back({parents, entry});
    }
    list.push_back({0, empty});
  }
  for (const VariableId v : root) slots_[v] = kOutside;
  open_ = (Mask{1} << root.size()) - 1;
}

void RootSolver::drop_peeled(Mask peeled) {
  open_ &= ~peeled;
  for (Mask rest = open_; rest != 0; rest &= rest - 1) {
    auto& list = candidates_[static_cast<std::size_t>(std::countr_zero(rest))];
    std::size_t kept = 0;
    do {
      list[kept].parents &= ~peeled;
    } while (list[kept++].parents != 0);
    list.resize(kept);
  }
}

void RootSolver::peel() {
  for (bool is_changed = true; is_changed && open_ != 0;) {
    is_changed = false;
    Mask used = 0;
    for (Mask rest = open_; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<std::uint32_t>(std::countr_zero(rest));
      const auto& list = candidates_[slot];
      if (list[0].parents != 0) {
        for (const Candidate& candidate : list) used |= candidate.parents;
        continue;
      }
      picked_[slot] = list[0].id;
      first_.push_back(slot);
      drop_peeled(Mask{1} << slot);
      is_changed = true;
    }
    if (is_changed) continue;
    for (Mask rest = open_ & ~used; rest != 0; rest &= rest - 1) {
      const auto slot = static_cast<std::uint32_t>(std::countr_zero(rest));
      picked_[slot] = candidates_[slot][0].id;
      last_.push_back(slot);
      open_ &= ~(Mask{1} << slot);
      is_changed = true;
    }
  }
}

void RootSolver::solve_core() {
  std::vector<std::uint32_t> core;
  for (Mask rest = open_; rest != 0; rest &= rest - 1)
    core.push_back(static_cast<std::uint32_t>(std::countr_zero(rest)));
  for (const std::uint32_t slot : core)
    for (Candidate& candidate : candidates_[slot]) {
      Mask packed = 0;
      for (std::size_t i = 0; i < core.size(); ++i) packed |= (candidate.parents >> core[i] & 1u) << i;
      candidate.parents = packed;
    }

  const auto order = program_.best_order(core.size(), [&](std::uint32_t i, Mask placed) {
    return problem_.score(first_inside(candidates_[core[i]], placed).id);
  });
  Mask placed = 0;
  for (const std::uint8_t i : order) {
    picked_[core[i]] = first_inside(candidates_[core[i]], placed).id;
    first_.push_back(core[i]);
    placed |= Mask{1} << i;
  }
}

void RootSolver::take_in_order(std::span<const VariableId> root, std::span<EntryId> chosen) {
  for (const VariableId v : root) {
    EntryId entry = problem_.best_entry(v);
    const auto is_before = [&](VariableId u) { return slots_[u] != kOutside; };
    while (!std::ranges::all_of(problem_.parents(entry), is_before)) ++entry;
    chosen[v] = entry;
    slots_[v] = 0;
  }
  for (const VariableId v : root) slots_[v] = kOutside;
}

}  // namespace treebound
