#include "search/order/window_slide.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/asserts.hpp"

namespace treebound {
namespace {

// exp(-20) is 2e-9: places that are worse are never drawn.
constexpr double kMaxLossInTemperatures = 20;
// Keeps a sum of weights finite.
constexpr double kMaxGainInTemperatures = 600;
// Smaller gains are rounding.
constexpr double kLeastGain = 1e-9;

constexpr auto kNearestLater = [](const auto& a, const auto& b) { return a.place > b.place; };
constexpr auto kNearestEarlier = [](const auto& a, const auto& b) { return a.place < b.place; };

template <typename Event, typename Compare>
Event pop(std::vector<Event>& heap, Compare compare) {
  std::pop_heap(heap.begin(), heap.end(), compare);
  const Event event = heap.back();
  heap.pop_back();
  return event;
}

}  // namespace

bool WindowSlide::slide(std::uint32_t first, std::uint32_t size, double temperature, RandomStream& random) {
  assert(size >= 1 && size <= kMaxWindow && first + size <= network_.num_variables());
  first_ = first;
  size_ = size;
  temperature_ = temperature;
  least_ = temperature > 0 ? -kMaxLossInTemperatures * temperature : kLeastGain;
  sum_of_weights_ = 1;  // that of staying
  drawn_ = {};
  slide_later(random);
  slide_earlier(random);
  network_.restore_keys(first_, size_);
  if (drawn_.is_there) apply();
  return drawn_.is_there;
}

void WindowSlide::begin() {
  for (std::uint32_t i = 0; i < size_; ++i) own_[i] = network_.chosen(member(i));
}

void WindowSlide::set_keys(OrderKey first_key) {
  for (std::uint32_t i = 0; i < size_; ++i) network_.set_key(member(i), first_key + static_cast<OrderKey>(i));
}

void WindowSlide::slide_later(RandomStream& random) {
  begin();
  later_.clear();
  // Members gain at most `most`, and what children have lost never comes back.
  const double most = collect_later();
  double lost = 0, gained = 0;
  while (!later_events_.empty() && lost + most >= least_) {
    const std::int32_t at = later_events_.front().place;
    set_keys(at * kKeysPerPlace + 1);
    while (!later_events_.empty() && later_events_.front().place == at) {
      const LaterEvent event = pop(later_events_, kNearestLater);
      (event.is_loss ? lost : gained) += pass_later(event);
    }
    consider(lost + gained, static_cast<std::uint32_t>(at) + 1 - size_, later_, random);
  }
}

/// Returns what the members can gain at most.
double WindowSlide::collect_later() {
  const SearchProblem& problem = network_.problem();
  later_events_.clear();
  double most = 0;
  for (std::uint32_t i = 0; i < size_; ++i) {
    const VariableId v = member(i);
    for (const VariableId child : network_.children(v))
      if (member_index(child) >= size_ && !is_child_of_earlier_member(child, i))
        later_events_.push_back({place(child), child, network_.chosen(child), true});
    double best = 0;
    for (EntryId entry = problem.best_entry(v); entry < own_[i]; ++entry) {
      const std::int32_t last = last_place(entry, i);
      if (last == kNowhere) continue;
      later_events_.push_back({last, v, entry, false});
      best = std::max(best, score(entry) - score(own_[i]));
    }
    most += best;
  }
  std::make_heap(later_events_.begin(), later_events_.end(), kNearestLater);
  return most;
}

/// Marks children, so a child of several members is met once.
bool WindowSlide::is_child_of_earlier_member(VariableId child, std::uint32_t member) const {
  return member > 0 && std::ranges::any_of(network_.problem().parents(network_.chosen(child)),
                                           [&](VariableId p) { return member_index(p) < member; });
}

/// The place of the last parent outside the window; nowhere if a member that comes later is a parent.
std::int32_t WindowSlide::last_place(EntryId entry, std::uint32_t member) const {
  std::int32_t last = kNowhere;
  for (const VariableId p : network_.problem().parents(entry)) {
    const std::uint32_t index = member_index(p);
    if (index >= size_)
      last = std::max(last, place(p));
    else if (index > member)
      return kNowhere;
  }
  return last;
}

double WindowSlide::pass_later(const LaterEvent& event) {
  EntryId entry = event.entry;
  double before = score(entry);
  if (event.is_loss) {
    entry = network_.first_allowed(entry + 1, network_.key(event.variable));
  } else {
    EntryId& own = own_[member_index(event.variable)];
    if (entry >= own) return 0;
    before = score(own);
    own = entry;
  }
  later_.push_back({event.variable, entry});
  return score(entry) - before;
}

void WindowSlide::slide_earlier(RandomStream& random) {
  begin();
  earlier_.clear();
  // What those that are still to be passed can gain at most.
  double most = collect_earlier();
  double gain = 0;
  while (gain + most >= least_) {
    const std::int32_t next = earlier_events_.empty() ? kNowhere : earlier_events_.front().place;
    const std::int32_t at = std::max(next, last_parent());
    if (at == kNowhere) return;
    set_keys(at * kKeysPerPlace - kKeysPerPlace + 1);
    gain += pass_parents(at);
    const VariableId child = network_.order()[static_cast<std::size_t>(at)];
    EntryId taken = network_.chosen(child);
    while (!earlier_events_.empty() && earlier_events_.front().place == at) {
      const EarlierEvent event = pop(earlier_events_, kNearestEarlier);
      most -= score(event.group->best) - score(network_.chosen(child));
      gain += pass_child(event, child, taken);
    }
    if (taken != network_.chosen(child)) earlier_.push_back({child, taken});
    consider(gain, static_cast<std::uint32_t>(at), earlier_, random);
  }
}

/// Returns what the variables before the window can gain at most.
double WindowSlide::collect_earlier() {
  earlier_events_.clear();
  double most = 0;
  for (std::uint32_t i = 0; i < size_; ++i) {
    for (const auto& group : groups_.of(member(i))) {
      if (network_.place(group.child) >= first_ || group.best >= network_.chosen(group.child)) continue;
      earlier_events_.push_back({place(group.child), member(i), &group});
      most += score(group.best) - score(network_.chosen(group.child));
    }
  }
  std::make_heap(earlier_events_.begin(), earlier_events_.end(), kNearestEarlier);
  return most;
}

/// The place of the last parent outside the window of any member.
std::int32_t WindowSlide::last_parent() const {
  std::int32_t last = kNowhere;
  for (std::uint32_t i = 0; i < size_; ++i) last = std::max(last, last_place(own_[i], i));
  return last;
}

/// Members with a parent at this place choose without it.
double WindowSlide::pass_parents(std::int32_t at) {
  double gain = 0;
  for (std::uint32_t i = 0; i < size_; ++i) {
    if (last_place(own_[i], i) != at) continue;
    const double before = score(own_[i]);
    own_[i] = network_.first_allowed(own_[i] + 1, network_.key(member(i)));
    earlier_.push_back({member(i), own_[i]});
    gain += score(own_[i]) - before;
  }
  return gain;
}

/// The variable that is passed takes the best set with the member that is better than `taken`.
double WindowSlide::pass_child(const EarlierEvent& event, VariableId child, EntryId& taken) const {
  for (const auto& [_, entry] : groups_.entries(event.member, *event.group)) {
    if (entry >= taken) break;
    if (!network_.is_allowed(entry, network_.key(child))) continue;
    const double before = score(taken);
    taken = entry;
    return score(taken) - before;
  }
  return 0;
}

void WindowSlide::consider(double gain, std::uint32_t target, const Changes& changes, RandomStream& random) {
  if (gain < least_) return;
  if (temperature_ > 0) {
    const double weight = std::exp(std::min(gain / temperature_, kMaxGainInTemperatures));
    sum_of_weights_ += weight;
    if (random.uniform() * sum_of_weights_ >= weight) return;
  } else if (drawn_.is_there && gain <= drawn_.gain) {
    return;
  }
  drawn_ = {true, gain, target, &changes, changes.size()};
}

void WindowSlide::apply() {
  network_.move(first_, size_, drawn_.target);
  for (std::size_t i = 0; i < drawn_.num_changes; ++i)
    network_.choose((*drawn_.changes)[i].variable, (*drawn_.changes)[i].entry);
  TREEBOUND_ASSERT_VALID(network_);
}

}  // namespace treebound
