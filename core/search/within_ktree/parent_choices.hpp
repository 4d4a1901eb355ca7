// Parent sets to choose from inside a fixed tree decomposition: for each variable its own, best first, the
// last one without parents. Copied together, since they are few and read many times, and known by their
// numbers, so neither a cache nor the pool of Regrow need be known here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"

namespace treebound {

class ParentChoices {
 public:
  void clear() {
    offsets_.assign(1, 0);
    parent_offsets_.assign(1, 0);
    scores_.clear();
    names_.clear();
    parents_.clear();
  }
  /// Adds a set of the variable that is being described; `name` is what the caller calls it.
  void add(double score, std::span<const VariableId> parents, std::uint32_t name) {
    scores_.push_back(score);
    names_.push_back(name);
    parents_.insert(parents_.end(), parents.begin(), parents.end());
    parent_offsets_.push_back(static_cast<std::uint32_t>(parents_.size()));
  }
  /// All sets of this variable have been added; the next one is that of the following number.
  void end_variable() { offsets_.push_back(static_cast<std::uint32_t>(scores_.size())); }

  std::uint32_t num_variables() const { return static_cast<std::uint32_t>(offsets_.size() - 1); }
  std::uint32_t first(VariableId v) const { return offsets_[v]; }
  std::uint32_t end(VariableId v) const { return offsets_[v + 1]; }
  double score(std::uint32_t choice) const { return scores_[choice]; }
  std::uint32_t name(std::uint32_t choice) const { return names_[choice]; }
  std::span<const VariableId> parents(std::uint32_t choice) const {
    return {parents_.data() + parent_offsets_[choice], parent_offsets_[choice + 1] - parent_offsets_[choice]};
  }

 private:
  std::vector<std::uint32_t> offsets_{0};
  std::vector<std::uint32_t> parent_offsets_{0};
  std::vector<double> scores_;
  std::vector<std::uint32_t> names_;
  std::vector<VariableId> parents_;
};

}  // namespace treebound
