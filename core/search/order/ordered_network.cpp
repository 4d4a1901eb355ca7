#include "search/order/ordered_network.hpp"

#include <algorithm>
#include <numeric>

namespace treebound {

OrderedNetwork::OrderedNetwork(const SearchProblem& problem)
    : problem_(&problem),
      order_(problem.num_variables()),
      places_(problem.num_variables()),
      keys_(problem.num_variables()),
      chosen_(problem.num_variables()),
      children_(problem.num_variables()),
      num_waiting_(problem.num_variables()) {
  std::iota(order_.begin(), order_.end(), 0u);
  load(order_);
}

void OrderedNetwork::load(std::span<const VariableId> order) {
  std::copy(order.begin(), order.end(), order_.begin());
  set_places(0, num_variables());
  for (VariableId v = 0; v < num_variables(); ++v)
    chosen_[v] = first_allowed(problem_->best_entry(v), keys_[v]);
  rebuild();
}

void OrderedNetwork::load(std::span<const VariableId> order, std::span<const EntryId> chosen) {
  std::copy(order.begin(), order.end(), order_.begin());
  std::copy(chosen.begin(), chosen.end(), chosen_.begin());
  set_places(0, num_variables());
  rebuild();
}

/// What follows from the choices.
void OrderedNetwork::rebuild() {
  for (auto& list : children_) list.clear();
  for (VariableId v = 0; v < num_variables(); ++v)
    for (const VariableId p : problem_->parents(chosen_[v])) children_[p].push_back(v);
  score_ = problem_->total_score(chosen_);
  assert(is_valid());
}

void OrderedNetwork::set_places(std::uint32_t first, std::uint32_t end) {
  for (std::uint32_t i = first; i < end; ++i) {
    places_[order_[i]] = i;
    keys_[order_[i]] = key_of_place(i);
  }
}

void OrderedNetwork::move(std::uint32_t first, std::uint32_t size, std::uint32_t target) {
  const auto at = [&](std::uint32_t place) { return order_.begin() + static_cast<std::ptrdiff_t>(place); };
  if (target > first) {
    std::rotate(at(first), at(first + size), at(target + size));
    set_places(first, target + size);
  } else {
    std::rotate(at(target), at(first), at(first + size));
    set_places(target, first + size);
  }
}

void OrderedNetwork::choose(VariableId v, EntryId entry) {
  score_ += problem_->score(entry) - problem_->score(chosen_[v]);
  for (const VariableId p : problem_->parents(chosen_[v])) {
    auto& list = children_[p];
    *std::find(list.begin(), list.end(), v) = list.back();
    list.pop_back();
  }
  for (const VariableId p : problem_->parents(entry)) children_[p].push_back(v);
  chosen_[v] = entry;
}

void OrderedNetwork::reorder(RandomStream& random) {
  ready_.clear();
  next_order_.clear();
  for (VariableId v = 0; v < num_variables(); ++v) {
    num_waiting_[v] = static_cast<std::uint32_t>(problem_->parents(chosen_[v]).size());
    if (num_waiting_[v] == 0) ready_.push_back(v);
  }
  while (!ready_.empty()) {
    std::swap(ready_[random.below(static_cast<std::uint32_t>(ready_.size()))], ready_.back());
    const VariableId v = ready_.back();
    ready_.pop_back();
    next_order_.push_back(v);
    for (const VariableId c : children_[v])
      if (--num_waiting_[c] == 0) ready_.push_back(c);
  }
  order_.swap(next_order_);
  set_places(0, num_variables());
  for (VariableId v = 0; v < num_variables(); ++v) {
    const EntryId entry = first_allowed(problem_->best_entry(v), keys_[v]);
    if (entry != chosen_[v]) choose(v, entry);
  }
  assert(is_valid());
}

bool OrderedNetwork::is_valid() const {
  for (std::uint32_t i = 0; i < num_variables(); ++i) {
    const VariableId v = order_[i];
    if (places_[v] != i || keys_[v] != key_of_place(i)) return false;
    if (chosen_[v] != first_allowed(problem_->best_entry(v), keys_[v])) return false;
    for (const VariableId p : problem_->parents(chosen_[v]))
      if (std::ranges::count(children_[p], v) != 1) return false;
  }
  return true;
}

}  // namespace treebound
