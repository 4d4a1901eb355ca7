#include "search/informative/dandelion.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace treebound {

DandelionSampler::DandelionSampler(std::uint32_t num_variables, std::uint32_t width)
    : num_variables_(num_variables),
      width_(width),
      last_(num_variables - width),
      shuffled_(num_variables),
      number_of_(num_variables),
      variable_of_(num_variables + 1),
      above_(last_ + 1),
      state_(num_variables + 1),
      below_offsets_(last_ + 2),
      below_(last_) {
  std::iota(shuffled_.begin(), shuffled_.end(), VariableId{0});
}

void DandelionSampler::draw(RandomStream& random, GrowingKTree& tree) {
  if (last_ == 1) {
    std::iota(shuffled_.begin(), shuffled_.end(), VariableId{0});
    return tree.start(shuffled_);
  }
  draw_code(random);
  decode(code_, tree);
}

// Shuffling goes on from an order that earlier draws left, so it is put back: a draw depends on its stream
// only.
void DandelionSampler::draw_code(RandomStream& random) {
  std::iota(shuffled_.begin(), shuffled_.end(), VariableId{0});
  for (std::uint32_t i = 0; i < width_; ++i)
    std::swap(shuffled_[i], shuffled_[i + random.below(num_variables_ - i)]);
  code_.q.assign(shuffled_.begin(), shuffled_.begin() + width_);
  std::sort(code_.q.begin(), code_.q.end());
  code_.pairs.resize(last_ - 2);
  for (DandelionCode::Pair& pair : code_.pairs) {
    const std::uint32_t choice = random.below(last_ * width_ + 1);
    pair = choice == 0 ? DandelionCode::Pair{0, 0}
                       : DandelionCode::Pair{1 + (choice - 1) / width_, (choice - 1) % width_};
  }
}

void DandelionSampler::decode(const DandelionCode& code, GrowingKTree& tree) {
  assert(last_ >= 2 && code.q.size() == width_ && code.pairs.size() == last_ - 2);
  renumber(code.q);
  read_pairs(code);
  open_cycles();
  list_below();
  grow(tree);
}

/// The i-th of Q gets the i-th of the last numbers; a variable that loses its number so gets the one at the
/// other end of the chain of exchanges; all others keep theirs.
void DandelionSampler::renumber(std::span<const VariableId> q) {
  constexpr Number kNone = 0;
  std::fill(number_of_.begin(), number_of_.end(), kNone);
  for (std::size_t i = 0; i < q.size(); ++i) number_of_[q[i]] = last_ + 1 + static_cast<Number>(i);
  for (const VariableId first : q) {
    if (first >= last_) continue;
    VariableId end = number_of_[first] - 1;
    while (number_of_[end] != kNone) end = number_of_[end] - 1;
    number_of_[end] = first + 1;
  }
  for (VariableId v = 0; v < num_variables_; ++v) {
    if (number_of_[v] == kNone) number_of_[v] = v + 1;
    variable_of_[number_of_[v]] = v;
  }
}

/// Two numbers have no pair. One is x. The other is that of the largest variable outside Q that is no one's
/// parent: the k-tree was coded from its neighbourhood, Q, so it hangs below the root.
void DandelionSampler::read_pairs(const DandelionCode& code) {
  VariableId smallest = 0;
  while (number_of_[smallest] > last_) ++smallest;
  x_ = number_of_[smallest];
  std::fill(state_.begin(), state_.end(), std::uint8_t{0});
  for (const DandelionCode::Pair& pair : code.pairs) state_[pair.parent] = 1;
  VariableId largest = num_variables_ - 1;
  while (number_of_[largest] > last_ || state_[number_of_[largest]] != 0) --largest;
  const Number leaf = number_of_[largest];
  assert(leaf != x_);
  auto next = code.pairs.begin();
  for (Number number = 1; number <= last_; ++number)
    above_[number] = number == x_ || number == leaf ? DandelionCode::Pair{0, 0} : *next++;
}

void DandelionSampler::open_cycles() {
  enum : std::uint8_t { kNew, kOnPath, kDone, kLargest };
  std::fill(state_.begin(), state_.end(), std::uint8_t{kNew});
  state_[0] = kDone;
  for (Number start = 1; start <= last_; ++start) {
    Number end = start;
    for (; state_[end] == kNew; end = above_[end].parent) state_[end] = kOnPath;
    const bool is_cycle = state_[end] == kOnPath;
    Number largest = end;
    if (is_cycle)
      for (Number u = above_[end].parent; u != end; u = above_[u].parent) largest = std::max(largest, u);
    for (Number u = start; state_[u] == kOnPath; u = above_[u].parent) state_[u] = kDone;
    if (is_cycle) state_[largest] = kLargest;
  }
  for (Number number = 1; number <= last_; ++number)
    if (state_[number] == kLargest) std::swap(above_[x_], above_[number]);
}

void DandelionSampler::list_below() {
  std::fill(below_offsets_.begin(), below_offsets_.end(), 0u);
  for (Number number = 1; number <= last_; ++number) ++below_offsets_[above_[number].parent + 1];
  std::partial_sum(below_offsets_.begin(), below_offsets_.end(), below_offsets_.begin());
  // Filled from behind, so the offsets end as they began.
  for (Number number = last_; number > 0; --number) {
    const Number parent = above_[number].parent;
    below_[--below_offsets_[parent + 1]] = number;
  }
  std::rotate(below_offsets_.begin(), below_offsets_.begin() + 1, below_offsets_.end());
  below_offsets_.back() = last_;
}

void DandelionSampler::grow(GrowingKTree& tree) {
  const auto below = [&](Number number) {
    return std::span(below_).subspan(below_offsets_[number],
                                     below_offsets_[number + 1] - below_offsets_[number]);
  };
  queue_.assign(below(0).begin(), below(0).end());
  std::vector<VariableId>& root = shuffled_;
  root.clear();
  for (Number number = last_ + 1; number <= num_variables_; ++number) root.push_back(variable_of_[number]);
  const VariableId first = variable_of_[queue_[0]];
  root.push_back(first);
  tree.start(root);
  root.resize(num_variables_);
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const Number number = queue_[i];
    const VariableId v = variable_of_[number];
    const auto [parent, label] = above_[number];
    if (i > 0 && parent == 0)
      tree.insert_beside(v, first, width_);
    else if (i > 0)
      tree.insert_beside(v, variable_of_[parent], place_of_label(tree, variable_of_[parent], label));
    queue_.insert(queue_.end(), below(number).begin(), below(number).end());
  }
}

/// Where in S(v) the member stands that has the label-th smallest number.
std::size_t DandelionSampler::place_of_label(const GrowingKTree& tree, VariableId v, std::uint32_t label) {
  const auto separator = tree.separator(v);
  numbers_.clear();
  for (const VariableId u : separator) numbers_.push_back(number_of_[u]);
  const auto chosen = numbers_.begin() + label;
  std::nth_element(numbers_.begin(), chosen, numbers_.end());
  return static_cast<std::size_t>(std::ranges::find(separator, variable_of_[*chosen]) - separator.begin());
}

}  // namespace treebound
