#include "search/forest/branching.hpp"

#include <cassert>
#include <numeric>
#include <utility>

namespace treebound {
namespace {

using Node = std::uint32_t;
constexpr Node kNil = 0xFFFFFFFFu;

/// Skew heaps over the arcs, the largest weight first; arc i is node i. What is pending at a node counts for
/// all below it.
class ArcHeaps {
 public:
  explicit ArcHeaps(std::size_t num_arcs)
      : weights_(num_arcs), pending_(num_arcs, 0), left_(num_arcs, kNil), right_(num_arcs, kNil) {}

  void set_weight(Node node, double weight) { weights_[node] = weight; }
  double weight(Node top) const { return weights_[top]; }

  void add(Node top, double weight) {
    if (top == kNil) return;
    weights_[top] += weight;
    pending_[top] += weight;
  }

  Node pop(Node top) {
    push_down(top);
    return merge(left_[top], right_[top]);
  }

  /// Along the right spines, from the top down and without recursion: a spine may be long.
  Node merge(Node a, Node b) {
    path_.clear();
    while (a != kNil && b != kNil) {
      if (goes_before(b, a)) std::swap(a, b);
      push_down(a);
      path_.push_back(a);
      a = right_[a];
    }
    Node merged = a == kNil ? b : a;
    for (; !path_.empty(); path_.pop_back()) {
      const Node top = path_.back();
      right_[top] = left_[top];
      left_[top] = merged;
      merged = top;
    }
    return merged;
  }

 private:
  /// Of equal weights the lower number, so the result does not depend on the shape of the heaps.
  bool goes_before(Node a, Node b) const {
    return weights_[a] != weights_[b] ? weights_[a] > weights_[b] : a < b;
  }
  void push_down(Node top) {
    add(left_[top], pending_[top]);
    add(right_[top], pending_[top]);
    pending_[top] = 0;
  }

  std::vector<double> weights_, pending_;
  std::vector<Node> left_, right_;
  std::vector<Node> path_;
};

/// Sets of vertices that are contracted, with undoing.
class Contractions {
 public:
  explicit Contractions(std::size_t num_vertices) : above_(num_vertices), sizes_(num_vertices, 1) {
    std::iota(above_.begin(), above_.end(), 0u);
  }
  Node find(Node v) const {
    while (above_[v] != v) v = above_[v];
    return v;
  }
  /// Of two different sets.
  Node join(Node a, Node b) {
    if (sizes_[a] < sizes_[b]) std::swap(a, b);
    above_[b] = a;
    sizes_[a] += sizes_[b];
    joined_.push_back(b);
    return a;
  }
  std::size_t mark() const { return joined_.size(); }
  void roll_back(std::size_t mark) {
    for (; joined_.size() > mark; joined_.pop_back()) {
      const Node b = joined_.back();
      sizes_[above_[b]] -= sizes_[b];
      above_[b] = b;
    }
  }

 private:
  std::vector<Node> above_;
  std::vector<std::uint32_t> sizes_;
  std::vector<Node> joined_;
};

/// Every vertex takes its best arc; the vertex `root`, from which an arc of weight zero leads to all, none.
class Branching {
 public:
  Branching(std::uint32_t num_vertices, std::span<const WeightedArc> arcs)
      : num_vertices_(num_vertices),
        root_(num_vertices),
        arcs_(arcs),
        heaps_(arcs.size() + num_vertices),
        tops_(num_vertices + 1, kNil),
        sets_(num_vertices + 1),
        taken_(num_vertices + 1, kNil),
        seen_(num_vertices + 1, kNil) {
    for (Node arc = 0; arc < arcs.size(); ++arc)
      if (arcs[arc].weight > 0) insert(arc, arcs[arc].to, arcs[arc].weight);
    for (Node v = 0; v < num_vertices; ++v) insert(root_arc(v), v, 0);
  }

  std::vector<std::uint32_t> solve() {
    seen_[root_] = root_;
    for (Node v = 0; v < num_vertices_; ++v) grow_from(v);
    expand();
    std::vector<std::uint32_t> result(num_vertices_);
    for (Node v = 0; v < num_vertices_; ++v) result[v] = taken_[v] < arcs_.size() ? taken_[v] : kNoArc;
    return result;
  }

 private:
  struct Cycle {
    Node vertex;       // that stands for it
    std::size_t mark;  // before it was contracted
    std::vector<Node> arcs;
  };

  Node root_arc(Node v) const { return static_cast<Node>(arcs_.size()) + v; }
  Node from(Node arc) const { return arc < arcs_.size() ? arcs_[arc].from : root_; }
  Node to(Node arc) const { return arc < arcs_.size() ? arcs_[arc].to : arc - root_arc(0); }

  void insert(Node arc, Node v, double weight) {
    heaps_.set_weight(arc, weight);
    tops_[v] = heaps_.merge(tops_[v], arc);
  }

  /// Follows best arcs backwards until the path meets an earlier one or the root; cycles are contracted.
  void grow_from(Node start) {
    path_.clear();
    for (Node v = sets_.find(start); seen_[v] == kNil;) {
      seen_[v] = start;
      const Node arc = take_best(v);
      path_.push_back({v, arc});
      v = sets_.find(from(arc));
      if (seen_[v] == start) v = contract(v);
    }
    for (const auto& [v, arc] : path_) taken_[v] = arc;
  }

  /// From now on the other arcs into v are worth what they would change in the place of this one.
  Node take_best(Node v) {
    while (sets_.find(from(tops_[v])) == v) tops_[v] = heaps_.pop(tops_[v]);
    const Node arc = tops_[v];
    const double weight = heaps_.weight(arc);
    tops_[v] = heaps_.pop(arc);
    heaps_.add(tops_[v], -weight);
    return arc;
  }

  Node contract(Node first) {
    Cycle cycle{first, sets_.mark(), {}};
    Node top = kNil, whole = first;
    for (bool is_closed = false; !is_closed; path_.pop_back()) {
      const auto [v, arc] = path_.back();
      cycle.arcs.push_back(arc);
      top = heaps_.merge(top, tops_[v]);
      is_closed = v == first;
      if (!is_closed) whole = sets_.join(sets_.find(whole), v);
    }
    tops_[whole] = top;
    seen_[whole] = kNil;
    cycle.vertex = whole;
    cycles_.push_back(std::move(cycle));
    return whole;
  }

  /// The arc into a cycle takes the place of the one arc of the cycle that leads to the same vertex.
  void expand() {
    for (; !cycles_.empty(); cycles_.pop_back()) {
      const Cycle& cycle = cycles_.back();
      const Node entering = taken_[cycle.vertex];
      sets_.roll_back(cycle.mark);
      for (const Node arc : cycle.arcs) taken_[sets_.find(to(arc))] = arc;
      taken_[sets_.find(to(entering))] = entering;
    }
  }

  const std::uint32_t num_vertices_;
  const Node root_;
  std::span<const WeightedArc> arcs_;
  ArcHeaps heaps_;
  std::vector<Node> tops_;
  Contractions sets_;
  std::vector<Node> taken_;
  std::vector<Node> seen_;  // the start of the path that went through, or nil
  std::vector<std::pair<Node, Node>> path_;
  std::vector<Cycle> cycles_;
};

}  // namespace

std::vector<std::uint32_t> maximum_branching(std::uint32_t num_vertices, std::span<const WeightedArc> arcs) {
  return Branching(num_vertices, arcs).solve();
}

}  // namespace treebound
