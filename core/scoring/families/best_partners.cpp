#include "scoring/families/best_partners.hpp"

#include <algorithm>
#include <cassert>

namespace treebound {

BestPartners::BestPartners(std::size_t num_variables, std::size_t max_partners)
    : max_partners_(std::max<std::size_t>(2, max_partners)), lists_(num_variables), locks_(kNumLocks) {}

void BestPartners::cut(List& list) const {
  auto& partners = list.partners;
  if (partners.size() <= max_partners_) return;
  const auto last = partners.begin() + static_cast<std::ptrdiff_t>(max_partners_) - 1;
  std::nth_element(partners.begin(), last, partners.end(), [](const Partner& a, const Partner& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.variable < b.variable;
  });
  list.least_gain.store(last->gain, std::memory_order_relaxed);
  partners.erase(last + 1, partners.end());
}

void BestPartners::finish() {
  for (List& list : lists_) {
    cut(list);
    std::ranges::sort(list.partners, {}, &Partner::variable);
    list.partners.shrink_to_fit();
  }
}

const BestPartners::Partner* BestPartners::find(VariableId v, VariableId variable) const {
  assert(v < lists_.size());
  const auto& partners = lists_[v].partners;
  const auto place = std::ranges::lower_bound(partners, variable, {}, &Partner::variable);
  return place != partners.end() && place->variable == variable ? &*place : nullptr;
}

}  // namespace treebound
