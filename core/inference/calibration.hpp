// Messages in a junction tree, each computed when a query needs it and kept until a finding behind it changes
// (Shafer and Shenoy 1990). No message is ever divided out of a product as in Hugin's scheme: division by
// zero would lose what a retracted finding had ruled out. Clique tables are never stored either; a clique is
// its tables and the messages that reach it, multiplied while they are summed up (see contraction.hpp).
//
// Variables with hard findings drop out of every table, and tables that sum to one (barren: of a variable
// that nothing else mentions) are skipped, as in lazy propagation (Madsen and Jensen 1999). Each message is
// scaled by a power of two and carries the exponents of all that was taken out behind it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/run.hpp"
#include "inference/clique_tree.hpp"
#include "inference/model.hpp"
#include "inference/scaled_product.hpp"

namespace treebound {

class Calibration {
 public:
  Calibration(const Model& model, const CliqueTree& tree);

  /// Replaces all findings; messages that no change can reach stay valid. Returns whether there is a change.
  bool set_findings(const RowView& hard, const SoftFindings& soft);
  // What follows throws Stopped if the run is stopped; messages that were not finished stay invalid.

  /// Logarithm of the probability of all findings; minus infinity if they contradict each other.
  double log_probability(const Run& run);
  /// Posterior of one variable. Findings must be possible.
  void marginal(VariableId v, std::span<double> out, const Run& run);
  /// The smallest clique that holds all of these variables, or CliqueTree::none.
  CliqueId clique_with(std::span<const VariableId> variables) const;
  /// Posterior of variables without hard findings that share a clique, the last one running fastest.
  void joint(CliqueId clique, std::span<const VariableId> variables, std::span<double> out, const Run& run);

  /// Whether findings fit their variables, and valid messages their separators and all that is behind them:
  /// slow, for asserts.
  bool is_valid() const;

 private:
  using MessageId = std::uint32_t;
  struct Message {
    ScaledTable table;
    std::vector<Axis> axes;
    std::int64_t exponent = 0;
    bool is_valid = false;
    bool is_unit = false;  // all ones
  };

  static MessageId upward(CliqueId c) { return 2 * c; }
  static MessageId downward(CliqueId c) { return 2 * c + 1; }
  CliqueId sender(MessageId m) const { return m % 2 ? tree_.parents[m / 2] : m / 2; }
  CliqueId receiver(MessageId m) const { return m % 2 ? m / 2 : tree_.parents[m / 2]; }
  /// Calls visit(message, opposite message) for every message into a clique.
  template <typename Visit>
  void for_each_into(CliqueId c, Visit visit) const;

  bool change(VariableId v, std::int32_t code, std::span<const double> weights);
  void invalidate_from(CliqueId c);
  void validate(MessageId wanted, const Run& run);
  void validate_into(CliqueId c, const Run& run);
  void compute(MessageId m, const Run& run);
  bool is_sound(MessageId m) const;

  /// Loads the product with what clique c holds except the message from `except`, without tables that
  /// sum to one unless kept variables need them; returns the exponents of the messages, added up.
  std::int64_t gather(CliqueId c, CliqueId except, std::span<const VariableId> kept);
  void gather_table(VariableId guest);
  void drop_barren(std::span<const VariableId> kept);
  void choose_places();

  struct Part {
    Cells cells;
    std::size_t first_axis, last_axis;
    VariableId child;  // of a conditional table, else kNoVariable
  };

  const Model& model_;
  const CliqueTree& tree_;
  std::vector<Message> messages_;
  std::vector<std::int32_t> codes_;
  struct Likelihoods {
    std::vector<double> weights;  // empty without a soft finding
    Magnitudes magnitudes;
  };
  std::vector<Likelihoods> soft_;  // per variable
  std::vector<std::vector<CliqueId>> cliques_with_;
  struct Place {
    CliqueId clique;
    bool is_separator;  // the one above the clique
  };
  std::vector<Place> places_;  // per variable: where its marginal costs least

  ScaledProduct product_;
  std::vector<Part> parts_;
  std::vector<Axis> axes_;
  std::vector<std::uint32_t> num_mentions_;
  std::vector<VariableId> kept_;
  std::vector<MessageId> stack_;
  bool has_log_probability_ = false;
  double log_probability_ = 0;
};

template <typename Visit>
void Calibration::for_each_into(CliqueId c, Visit visit) const {
  for (const CliqueId child : tree_.children[c]) visit(upward(child), downward(child));
  if (tree_.parents[c] != CliqueTree::none) visit(downward(c), upward(c));
}

}  // namespace treebound
