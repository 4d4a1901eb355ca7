// A network prepared for queries: every table laid out along one order of the variables, the elimination
// order, so tables and messages that share variables run through memory in step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/rows.hpp"
#include "inference/scaled_table.hpp"
#include "network/network_view.hpp"

namespace treebound {

constexpr VariableId kNoVariable = 0xffffffffu;

/// A step of `stride` numbers in a table moves `variable` to its next state.
struct Axis {
  VariableId variable;
  std::size_t stride;
};

struct TableView {
  Cells cells;
  std::span<const Axis> axes;  // by rank, the last one running fastest
};

class Model {
 public:
  Model(const NetworkView& network, std::span<const VariableId> elimination_order);

  std::size_t num_variables() const { return cardinalities_.size(); }
  std::span<const std::uint32_t> cardinalities() const { return cardinalities_; }
  std::span<const VariableId> order() const { return order_; }
  std::span<const VariableId> topological_order() const { return topological_order_; }
  /// Number of joint states.
  std::size_t num_cells(std::span<const VariableId> variables) const {
    std::size_t cells = 1;
    for (const VariableId v : variables) cells *= cardinalities_[v];
    return cells;
  }
  /// Place in the elimination order.
  std::uint32_t rank(VariableId v) const { return rank_[v]; }
  bool before(VariableId a, VariableId b) const { return rank_[a] < rank_[b]; }

  /// P(child | parents).
  TableView table_of(VariableId child) const {
    return {{values_.data() + value_offsets_[child], nullptr, magnitudes_[child]},
            std::span(axes_).subspan(axis_offsets_[child], axis_offsets_[child + 1] - axis_offsets_[child])};
  }
  /// Variables whose tables rule something out: some of their probabilities are zero.
  std::span<const VariableId> with_zeros() const { return with_zeros_; }
  /// The variables in whose tables v has an axis: its children and itself.
  std::span<const VariableId> tables_with(VariableId v) const {
    return std::span(mentions_).subspan(mention_offsets_[v], mention_offsets_[v + 1] - mention_offsets_[v]);
  }

 private:
  void lay_out_table(const NetworkView& network, VariableId child);
  void index_mentions();

  std::vector<std::uint32_t> cardinalities_;
  std::vector<VariableId> order_, topological_order_;
  std::vector<std::uint32_t> rank_;
  std::vector<double> values_;
  std::vector<Magnitudes> magnitudes_;
  std::vector<std::size_t> value_offsets_;
  std::vector<Axis> axes_;
  std::vector<std::size_t> axis_offsets_;
  std::vector<VariableId> with_zeros_;
  std::vector<VariableId> mentions_;
  std::vector<std::size_t> mention_offsets_;
};

/// The axes of a table over these variables, the last one running fastest.
void lay_out(const Model& model, std::span<const VariableId> variables, std::span<Axis> axes);

/// Soft findings: variable variables[i] has likelihoods weights[offsets[i]]..weights[offsets[i+1]-1].
struct SoftFindings {
  std::span<const VariableId> variables;
  std::span<const std::int64_t> offsets;
  std::span<const double> weights;

  std::span<const double> weights_of(std::size_t i) const { return row_of(weights, offsets, i); }
};

/// Codes of hard findings, one for each variable; a code below zero means "not known", and the code of
/// `hidden` is ignored.
struct RowView {
  const std::int32_t* codes;
  std::size_t stride;
  VariableId hidden = kNoVariable;

  std::int32_t operator[](VariableId v) const { return codes[v * stride]; }
  bool knows(VariableId v) const { return v != hidden && codes[v * stride] >= 0; }
};

}  // namespace treebound
