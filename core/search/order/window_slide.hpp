// The move of WINASOBS: a window of neighbours in the order slides to another place (Scanagatta, Corani,
// Zaffalon 2017, "Improved local search in Bayesian networks structure learning").
//
// All places are evaluated in one pass to either side. Only two kinds of things happen on the way, and the
// pass jumps from one to the next instead of swapping neighbours:
// - to later places, a child of a member is passed and must choose without it, or the last parent of a better
//   set of a member is passed and the member takes this set;
// - to earlier places, a variable is passed that has a better set with a member, or a parent of a member is
//   passed and the member must choose without it.
// The gain that is still possible on a side is bounded, so a pass ends as soon as none is left: mostly after
// a few events.
//
// The authors take the best place. Here a place is drawn with probability proportional to exp(gain /
// temperature), which at temperature zero is the best place: simulated annealing by heat-bath moves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "search/order/child_groups.hpp"
#include "search/order/ordered_network.hpp"

namespace treebound {

class WindowSlide {
 public:
  WindowSlide(OrderedNetwork& network, const ChildGroups& groups) : network_(network), groups_(groups) {}

  /// Slides the window of `size` variables at place `first`, at most kMaxWindow. Returns whether it moved.
  bool slide(std::uint32_t first, std::uint32_t size, double temperature, RandomStream& random);

 private:
  static constexpr std::int32_t kNowhere = -1;
  struct Change {
    VariableId variable;
    EntryId entry;
  };
  using Changes = std::vector<Change>;
  /// When the place is passed, a member can take a better set, or a child must do without the window.
  struct LaterEvent {
    std::int32_t place;
    VariableId variable;
    EntryId entry;  // the better set, or what the child has
    bool is_loss;
  };
  /// When the place is passed, its variable can take a set of the group of a member.
  struct EarlierEvent {
    std::int32_t place;
    VariableId member;
    const ChildGroups::Group* group;
  };
  /// Where the window goes, if anywhere.
  struct Drawn {
    bool is_there = false;
    double gain = 0;
    std::uint32_t target = 0;
    const Changes* changes = nullptr;
    std::size_t num_changes = 0;
  };

  void slide_later(RandomStream& random);
  void slide_earlier(RandomStream& random);
  double collect_later();
  double collect_earlier();
  double pass_later(const LaterEvent& event);
  double pass_parents(std::int32_t place);
  double pass_child(const EarlierEvent& event, VariableId child, EntryId& taken) const;
  bool is_child_of_earlier_member(VariableId child, std::uint32_t member) const;
  std::int32_t last_place(EntryId entry, std::uint32_t member) const;
  std::int32_t last_parent() const;
  void set_keys(OrderKey first_key);
  void consider(double gain, std::uint32_t target, const Changes& changes, RandomStream& random);
  void begin();
  void apply();

  VariableId member(std::uint32_t i) const { return network_.order()[first_ + i]; }
  /// Below size_ for the members of the window.
  std::uint32_t member_index(VariableId v) const { return network_.place(v) - first_; }
  std::int32_t place(VariableId v) const { return static_cast<std::int32_t>(network_.place(v)); }
  double score(EntryId entry) const { return network_.problem().score(entry); }

  OrderedNetwork& network_;
  const ChildGroups& groups_;
  std::uint32_t first_ = 0, size_ = 0;
  double temperature_ = 0;
  double least_ = 0;                      // smaller gains are of no use
  std::array<EntryId, kMaxWindow> own_;   // what the members have at the place that is looked at
  std::vector<LaterEvent> later_events_;  // heaps
  std::vector<EarlierEvent> earlier_events_;
  Changes later_, earlier_;  // in the sequence in which the pass meets them
  double sum_of_weights_ = 0;
  Drawn drawn_;
};

}  // namespace treebound
