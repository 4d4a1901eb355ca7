// Which cluster inequalities a solution of the linear program violates (Jaakkola, Sontag, Globerson, Meila
// 2010; Cussens 2011).
//
// In any set C of variables, a cluster, one has no parent inside: the values of the entries of members with a
// parent in C sum to at most |C| - 1. There are exponentially many clusters, and to find the most violated
// one is hard. GOBNILP solves an integer program for each; here clusters grow greedily from every arc of the
// solution, which takes microseconds. Integral solutions are different: a cycle is a violated cluster, and
// the shortest cycles through each variable are found exactly.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "search/problem.hpp"

namespace treebound {

using Cluster = std::vector<VariableId>;  // ascending

class ClusterCuts {
 public:
  explicit ClusterCuts(const SearchProblem& problem);

  /// Clusters that these values of the entries violate by more than `tolerance`, the most violated first.
  std::vector<Cluster> violated(std::span<const double> values, double tolerance);

  /// The variables of a shortest cycle through each variable, each cycle once; none if the arcs make none.
  std::vector<Cluster> cycles(std::span<const EntryId> chosen) const;

  /// The entries of members with a parent inside, or those without.
  std::vector<EntryId> entries(std::span<const VariableId> cluster, bool with_parent_inside) const;

 private:
  /// An entry with parents that has a value.
  struct Part {
    VariableId child;
    EntryId entry;
    double value;
    std::uint32_t num_inside = 0;  // of its parents
  };

  void collect(std::span<const double> values);
  void add(VariableId u);
  void clear();
  double gain(VariableId u) const { return hit_[u] + fresh_[u] - 1; }
  /// The member to add next, or num_variables if nothing is linked to the cluster.
  VariableId best_candidate() const;
  void grow(VariableId first, VariableId second, double tolerance);

  const SearchProblem& problem_;
  std::vector<Part> parts_;
  std::vector<std::vector<std::uint32_t>> own_, uses_;  // numbers of parts, by child and by parent
  // The cluster that grows.
  std::vector<std::uint8_t> is_member_;
  std::vector<VariableId> members_;
  std::vector<double> hit_;    // of each variable: value of its parts with a parent inside
  std::vector<double> fresh_;  // value of the parts of members that only this variable would hit
  double excess_ = 0;          // sum over members of their hit, less |C| - 1
  std::set<std::pair<double, Cluster>> found_;
};

/// Sink finding (GOBNILP): takes as last the variable that the rest uses least as a parent, by these values,
/// and so on; each variable then takes its best entry among those before it.
std::vector<EntryId> round_to_acyclic(const SearchProblem& problem, std::span<const double> values);

}  // namespace treebound
