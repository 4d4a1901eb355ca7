#include "search/ktree/order_sampler.hpp"

#include <algorithm>
#include <numeric>

namespace treebound {

OrderClasses::OrderClasses(std::uint32_t num_variables, std::uint32_t width, std::uint64_t seed)
    : width_(width) {
  for (std::uint64_t choices = num_variables; choices > width + 1; --choices) {
    count_ *= choices;
    if (count_ > kMaxCount) {
      count_ = 0;
      return;
    }
  }
  RandomStream random(seed, ~std::uint64_t{0});
  start_ = random.next() % count_;
  do {
    stride_ = 1 + random.next() % count_;
  } while (std::gcd(stride_, count_) != 1);
}

// The last variable is one of n, the one before it one of the n-1 others, ...; the first k+1 are what is
// left.
void OrderClasses::write(std::uint64_t step, std::span<VariableId> order) const {
  std::iota(order.begin(), order.end(), VariableId{0});
  std::uint64_t rank = (start_ + step % count_ * stride_) % count_;
  for (std::size_t place = order.size(); place-- > width_ + 1;) {
    std::swap(order[place], order[rank % (place + 1)]);
    rank /= place + 1;
  }
}

void sample_uniform(std::span<VariableId> order, RandomStream& random) {
  std::iota(order.begin(), order.end(), VariableId{0});
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
}

// A favourite is the best set with probability 1/2, else the next with 1/2, and so on.
void ParentsFirst::sample(std::span<VariableId> order, RandomStream& random) {
  starts_.resize(order.size());
  sample_uniform(starts_, random);
  is_reached_.assign(order.size(), 0);
  std::size_t num_placed = 0;
  const auto reach = [&](VariableId v) {
    is_reached_[v] = 1;
    EntryId favourite = problem_.best_entry(v);
    for (std::uint64_t coins = random.next(); (coins & 1) != 0 && favourite < problem_.last_entry(v);
         coins >>= 1)
      ++favourite;
    path_.emplace_back(v, favourite);
  };
  for (const VariableId start : starts_) {
    if (is_reached_[start] != 0) continue;
    reach(start);
    while (!path_.empty()) {
      const auto [v, favourite] = path_.back();
      const auto parents = problem_.parents(favourite);
      const auto next = std::ranges::find_if(parents, [&](VariableId u) { return is_reached_[u] == 0; });
      if (next != parents.end()) {
        reach(*next);
        continue;
      }
      order[num_placed++] = v;
      path_.pop_back();
    }
  }
}

void Perturbed::sample(std::span<const VariableId> best, std::span<VariableId> order, RandomStream& random) {
  std::copy(best.begin(), best.end(), order.begin());
  const auto n = static_cast<std::uint32_t>(order.size());
  places_.resize(n);
  std::uint32_t num_moves = 1;
  while (num_moves < 8 && random.below(2) == 0) ++num_moves;
  for (std::uint32_t move = 0; move < num_moves; ++move) {
    for (std::uint32_t i = 0; i < n; ++i) places_[order[i]] = i;
    const std::uint32_t from = random.below(n);
    const VariableId v = order[from];
    std::uint32_t to = random.below(n);
    if (random.below(4) != 0) {
      const std::uint32_t num_sets = problem_.last_entry(v) - problem_.best_entry(v);
      const EntryId wanted = problem_.best_entry(v) + random.below(std::min(num_sets, 8u) + 1);
      for (const VariableId u : problem_.parents(wanted)) to = std::max(to, places_[u]);
    }
    if (from < to)
      std::rotate(order.begin() + from, order.begin() + from + 1, order.begin() + to + 1);
    else
      std::rotate(order.begin() + to, order.begin() + from, order.begin() + from + 1);
  }
}

}  // namespace treebound
