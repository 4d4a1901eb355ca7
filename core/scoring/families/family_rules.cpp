#include "scoring/families/family_rules.hpp"

#include <algorithm>
#include <cassert>

namespace treebound {

FamilyRules::FamilyRules(std::vector<std::int64_t> offsets, std::vector<VariableId> required,
                         Forbidden forbidden, std::vector<std::uint32_t> max_parents,
                         std::vector<std::uint8_t> undecided)
    : offsets_(std::move(offsets)),
      required_(std::move(required)),
      forbidden_(std::move(forbidden)),
      row_bytes_((max_parents.size() + 7) / 8),
      max_parents_(std::move(max_parents)),
      undecided_(std::move(undecided)) {
  assert(offsets_.size() == max_parents_.size() + 1);
  assert(forbidden_.row_of.size() == max_parents_.size());
  assert(undecided_.size() == max_parents_.size());
  assert(forbidden_.rows.size() % row_bytes_ == 0);
  for (VariableId v = 0; v < max_parents_.size(); ++v) {
    assert(std::ranges::is_sorted(this->required(v)));
    assert(is_allowed(v, this->required(v)));
  }
}

bool FamilyRules::is_required(VariableId child, VariableId parent) const {
  return std::ranges::binary_search(required(child), parent);
}

bool FamilyRules::is_allowed(VariableId child, std::span<const VariableId> parents) const {
  if (parents.size() > max_parents_[child]) return false;
  std::size_t num_required = 0;
  for (const VariableId p : parents) {
    if (is_forbidden(child, p)) return false;
    num_required += is_required(child, p);
  }
  return num_required == required(child).size();
}

}  // namespace treebound
