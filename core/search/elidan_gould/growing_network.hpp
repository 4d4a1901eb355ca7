// A network under the method of Elidan and Gould: arcs are only added, and the triangulation follows.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scoring/families/family_scorer.hpp"
#include "search/anytime.hpp"
#include "search/arc_order.hpp"
#include "search/elidan_gould/path_packing.hpp"
#include "search/elidan_gould/triangulation.hpp"

namespace treebound {

/// The gain of every arc that could be added to the families as they are.
class ArcAdditions {
 public:
  struct Arc {
    VariableId parent;
    double score;  // of the child with it
  };
  /// Where the problem has no rows, only what the cache holds is known.
  explicit ArcAdditions(const SearchProblem& problem);

  /// Arcs to the child that improve its score, the best first.
  std::vector<Arc> of(VariableId child, std::span<const VariableId> parents, double score);

 private:
  void add_from_cache(VariableId child, std::span<const VariableId> parents, std::vector<Arc>& arcs) const;
  void add_from_rows(VariableId child, std::span<const VariableId> parents, std::vector<Arc>& arcs);
  std::vector<VariableId> possible_parents(VariableId child) const;

  const SearchProblem* problem_;
  std::unique_ptr<FamilyScorer> scorer_;
};

class GrowingNetwork {
 public:
  /// Begins with the forest of the entries.
  GrowingNetwork(const SearchProblem& problem, std::span<const EntryId> forest, ArcAdditions& gains);

  /// Adds all required arcs to a network without arcs; a hole (../problem.hpp) stays where one does not fit.
  void add_required(std::size_t max_width);
  /// Adds the best arcs whose updates share no bag and that point forwards in the order of `places`; so they
  /// raise the width by one at most. Returns how many.
  std::size_t add_chain(std::span<const std::uint32_t> places, const Run& run);
  /// Adds arcs, the best first, as long as the width stays within the bound.
  void add_greedily(std::size_t max_width, const Run& run);

  std::size_t width() const { return triangulation_.width(); }
  double score() const;
  void write(Found& found) const;
  /// Places in an order of the arcs, drawn at random.
  std::vector<std::uint32_t> random_places(RandomStream& random) const;

 private:
  struct Candidate {
    double gain;
    VariableId parent, child;
    double score;
  };
  std::vector<VariableId> family(VariableId v) const;
  const std::vector<ArcAdditions::Arc>& arcs_to(VariableId v);
  std::vector<Candidate> candidates(const Run& run);
  bool try_add(const Candidate& candidate, std::size_t max_width);

  const SearchProblem* problem_;
  ArcAdditions* gains_;
  UndoLog log_;
  ArcOrder arcs_;
  std::vector<std::vector<VariableId>> parents_;  // sorted
  std::vector<double> scores_;
  Triangulation triangulation_;
  std::vector<BagId> homes_;  // a bag with the family of each variable
  std::vector<std::vector<ArcAdditions::Arc>> arcs_to_;
  std::vector<std::uint8_t> is_known_;  // whether arcs_to_ is up to date
};

}  // namespace treebound
