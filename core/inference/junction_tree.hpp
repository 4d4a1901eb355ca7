// A network prepared for queries: findings in, results out. Queries about one variable, or about several that
// share a clique, read the messages of the junction tree, which are kept from one query to the next; all
// others eliminate variables, and report beforehand how large the tables will get.
//
// Known variables take no part in the graph, and what is left of a wide one may be far narrower than the tree
// that was made for all of it. Where the tree is still large in spite of the findings, one is made for them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/run.hpp"
#include "inference/calibration.hpp"
#include "inference/clique_tree.hpp"
#include "inference/elimination_run.hpp"
#include "inference/model.hpp"

namespace treebound {

class JunctionTree {
 public:
  /// Trees of up to `few_cells` joint states are used as they are, for any findings.
  JunctionTree(const NetworkView& network, CliqueTree tree, double few_cells);
  JunctionTree(const JunctionTree&) = delete;
  JunctionTree& operator=(const JunctionTree&) = delete;

  const Model& model() const { return model_; }

  /// Replaces all findings. Soft ones are about variables without hard ones.
  void set_findings(std::span<const std::int32_t> codes, const SoftFindings& soft);

  // Queries throw Stopped if their run is stopped; the next query works all the same.

  /// Logarithm of the probability of the findings. Everything below needs it above minus infinity.
  double log_probability(const Run& run) { return active_->log_probability(run); }
  /// The posterior of every variable, end to end.
  std::span<const double> marginals(const Run& run);
  void marginal(VariableId v, std::span<double> out, const Run& run) { active_->marginal(v, out, run); }

  /// Cells of the largest table that joint() would make, and of all.
  EliminationRun::Size joint_size(std::span<const VariableId> variables);
  /// The joint posterior of different variables without hard findings, the last one running fastest.
  void joint(std::span<const VariableId> variables, std::span<double> out, const Run& run);

  /// The same two for the joint state of some variables (all others summed out) that is most probable. Writes
  /// their states into `states`, one place for each variable of the network, and returns the logarithm of the
  /// probability of these states together with the findings.
  EliminationRun::Size most_probable_size(std::span<const VariableId> variables) {
    return plan_most_probable(variables);
  }
  double most_probable(std::span<const VariableId> variables, std::span<std::int32_t> states, const Run& run);

  /// Draws rows given the findings, until the run should stop: codes[v * num_rows + r] is drawn from stream
  /// r.
  void sample(std::uint64_t seed, std::size_t num_rows, Run& run, std::int32_t* codes);

 private:
  RowView row() const { return {codes_.data(), 1}; }
  SoftFindings soft() const { return {soft_variables_, soft_offsets_, soft_weights_}; }
  EliminationRun::Size plan_joint(std::span<const VariableId> variables);
  EliminationRun::Size plan_most_probable(std::span<const VariableId> variables);
  double log_of_known_families() const;
  bool are_findings(std::span<const std::int32_t> codes, const SoftFindings& soft) const;
  bool are_unknown(std::span<const VariableId> variables) const;

  /// A tree of the variables that are not known, and its messages.
  struct Special {
    CliqueTree tree;
    Calibration calibration;
    Special(const Model& model, CliqueTree made) : tree(std::move(made)), calibration(model, tree) {}
  };
  Calibration* choose_tree();
  Scopes scopes_of_unknown() const;

  CliqueTree tree_;
  Model model_;
  Calibration calibration_;
  double few_cells_, num_cells_;
  std::unique_ptr<Special> special_;
  std::vector<bool> special_known_;
  Calibration* active_;
  std::vector<double> marginals_;  // empty until requested
  EliminationRun run_;
  std::vector<std::int32_t> codes_;
  std::vector<VariableId> soft_variables_;
  std::vector<std::int64_t> soft_offsets_;
  std::vector<double> soft_weights_;
};

}  // namespace treebound
