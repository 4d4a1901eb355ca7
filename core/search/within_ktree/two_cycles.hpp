// What no acyclic choice can avoid losing: of two variables whose best sets contain each other, one must take
// its best set without the other. Pairs that share no variable add up; they are matched greedily, the largest
// loss first. In k-trees drawn at random this comes near to the true loss at a small part of its price.
#pragma once

#include <vector>

#include "search/within_ktree/parent_choices.hpp"

namespace treebound {

class TwoCycles {
 public:
  double loss(const ParentChoices& choices);

 private:
  struct Pair {
    double loss;
    VariableId first, second;
  };
  std::vector<Pair> pairs_;
  std::vector<std::uint8_t> is_matched_;
};

}  // namespace treebound
