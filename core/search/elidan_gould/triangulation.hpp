// The triangulated graph of Elidan and Gould, as the tree of its cliques, under the addition of arcs.
//
// To add an arc s -> t, s must enter a bag together with t and all parents of t. It is joined to what
// separates the two along the path of bags between them, and to nothing else: each bag D of the path gets a
// new bag next to it, of s and the two separators of D, or becomes that bag if nothing else was in it. So a
// bag grows by one at most, and arcs whose paths share no bag raise the width by one together.
//
// The tree is kept in one piece: trees of a forest are linked by edges with an empty separator. Such an edge
// on the path is cut, and s meets the family of t in a new bag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "structure/tree_decomposition.hpp"

namespace treebound {

class Triangulation {
 public:
  /// Of a forest: parents[v] is the parent of v, or v itself.
  explicit Triangulation(std::span<const VariableId> parents);

  std::size_t num_bags() const { return bags_.size(); }
  std::span<const VariableId> bag(BagId b) const { return bags_[b]; }
  std::span<const BagId> neighbours(BagId b) const { return links_[b]; }
  /// The largest bag less one.
  std::size_t width() const { return width_; }

  /// What the addition of an arc from s to the child of `family` would do.
  struct Update {
    std::vector<BagId> path;  // from a bag with s to a bag with the family; one bag if nothing has to change
    bool is_cut = false;      // some separator on the path is empty
    std::size_t width = 0;    // of the largest new bag
    std::span<const BagId> grown() const {
      return std::span(path).subspan(is_cut ? path.size() - 1 : path.size() > 1 ? 1 : path.size());
    }
  };
  /// `family` holds the child and its parents, sorted; some bag holds it, `home` among them.
  const Update& plan(VariableId s, std::span<const VariableId> family, BagId home);
  /// Carries out the last plan, and returns a bag that holds s and the family.
  BagId apply(VariableId s, std::span<const VariableId> family);

  /// Every variable with at most width() neighbours left when its turn comes.
  std::vector<VariableId> elimination_order() const;
  /// Bag 0 and all others by their distance from it, with the next bag towards it.
  void breadth_first(std::vector<BagId>& order, std::vector<BagId>& up) const;

 private:
  using Members = std::vector<VariableId>;

  void find_path(VariableId s, std::span<const VariableId> family, BagId home);
  Members separator(std::size_t i) const;
  Members new_bag(std::size_t i, VariableId s, std::span<const VariableId> family) const;
  BagId add_bag(Members members);
  void link(BagId a, BagId b);
  void unlink(BagId a, BagId b);
  BagId apply_cut(VariableId s, std::span<const VariableId> family);

  std::vector<Members> bags_;  // sorted
  std::vector<std::vector<BagId>> links_;
  std::size_t width_ = 0;
  Update update_;
  std::vector<BagId> came_from_, queue_;
  std::vector<std::uint32_t> stamps_;
  std::uint32_t stamp_ = 0;
};

}  // namespace treebound
