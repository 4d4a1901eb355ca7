// An order of all variables and the network that it decodes to: every variable has the best parent set among
// the variables before it (order-based search, Teyssier and Koller 2005).
//
// Each variable has a *key*, eight times its place. Keys between those of two neighbours are for the members
// of a window that is tried at another place (window_slide.hpp): to test a set, keys are compared and nothing
// else.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "search/problem.hpp"

namespace treebound {

using OrderKey = std::int32_t;
inline constexpr OrderKey kKeysPerPlace = 8;
/// Members of a window have keys of their own between two places.
inline constexpr std::uint32_t kMaxWindow = kKeysPerPlace - 2;

class OrderedNetwork {
 public:
  explicit OrderedNetwork(const SearchProblem& problem);

  /// Takes an order and chooses all parents anew.
  void load(std::span<const VariableId> order);
  /// Takes an order with the choices that it decodes to.
  void load(std::span<const VariableId> order, std::span<const EntryId> chosen);

  const SearchProblem& problem() const { return *problem_; }
  std::uint32_t num_variables() const { return problem_->num_variables(); }
  const std::vector<VariableId>& order() const { return order_; }
  const std::vector<EntryId>& all_chosen() const { return chosen_; }
  EntryId chosen(VariableId v) const { return chosen_[v]; }
  std::uint32_t place(VariableId v) const { return places_[v]; }
  std::span<const VariableId> children(VariableId v) const { return children_[v]; }
  /// Sum of the changes since the last load, not rounded anew.
  double score() const { return score_; }

  /// Whether all parents of the entry have keys below the limit.
  bool is_allowed(EntryId entry, OrderKey limit) const {
    for (const VariableId p : problem_->parents(entry))
      if (keys_[p] >= limit) return false;
    return true;
  }
  /// The first entry from this one on whose parents have keys below the limit; the last one has none.
  EntryId first_allowed(EntryId entry, OrderKey limit) const {
    while (!is_allowed(entry, limit)) ++entry;
    return entry;
  }

  OrderKey key(VariableId v) const { return keys_[v]; }
  /// For a window that is tried elsewhere; restore_keys() must follow.
  void set_key(VariableId v, OrderKey key) { keys_[v] = key; }
  void restore_keys(std::uint32_t first, std::uint32_t size) {
    for (std::uint32_t i = first; i < first + size; ++i) keys_[order_[i]] = key_of_place(i);
  }

  /// Moves the window of `size` variables from place `first` to place `target`. The choices
  /// that change with it must follow.
  void move(std::uint32_t first, std::uint32_t size, std::uint32_t target);
  void choose(VariableId v, EntryId entry);

  /// Draws another order of the same arcs, at random, and lets all variables choose again: none can lose,
  /// and those that have got further variables before them may gain.
  void reorder(RandomStream& random);

  /// Whether every variable has the best set among those before it: slow, for asserts.
  bool is_valid() const;

 private:
  static OrderKey key_of_place(std::uint32_t place) { return static_cast<OrderKey>(place) * kKeysPerPlace; }
  void set_places(std::uint32_t first, std::uint32_t end);
  void rebuild();

  const SearchProblem* problem_;
  std::vector<VariableId> order_;
  std::vector<std::uint32_t> places_;
  std::vector<OrderKey> keys_;
  std::vector<EntryId> chosen_;
  std::vector<std::vector<VariableId>> children_;
  double score_ = 0;
  std::vector<VariableId> next_order_, ready_;
  std::vector<std::uint32_t> num_waiting_;
};

}  // namespace treebound
