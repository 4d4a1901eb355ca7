// Missing cells of a row summed out by eliminating variables, for all components of a mixture at once, and
// the derivatives of the result, by going through the same steps backwards.
//
// Tables are factors over the missing variables of their family, each number a run of lanes. A message is
// divided, lane by lane, by its largest number, whose logarithm goes to the result. Variables that no known
// cell depends on are skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "density/matrix.hpp"
#include "density/training_rows.hpp"

namespace treebound {

class GapElimination {
 public:
  GapElimination(const OrderedFamilies& families, std::size_t num_lanes);

  /// Adds the logarithm of the probability of all families of row r with gaps to `logs`; row c of `shares`
  /// holds the probability of cell c.
  void add_logs(const TrainingRows& rows, std::size_t r, const Matrix& shares, float* logs);

  /// Calls visit(cell, expected): how often the row is expected in a cell, in each lane. Families that do not
  /// matter to the row are skipped. Call after add_logs().
  using Visit = std::function<void(std::uint32_t cell, const float* expected)>;
  void visit_expected(const Visit& visit);

 private:
  struct Factor {
    std::vector<VariableId> variables;  // missing ones
    std::vector<std::uint32_t> cells;   // of a table; none for a message
    std::vector<float> values, slopes;  // of the logarithm of the result by each value
  };
  struct Step {
    VariableId variable;
    std::vector<std::size_t> inputs;
    std::size_t output;
    std::vector<float> scale;
  };

  void find_barren(const TrainingRows& rows, std::size_t r);
  void load_table(const TrainingRows& rows, std::size_t r, VariableId family, const Matrix& shares);
  void eliminate(VariableId v, float* logs);
  void go_back(const Step& step);
  /// Calls body(joint state of the output, rows of the inputs) for each joint state of the step.
  template <typename Body>
  void for_each_state(const Step& step, Body body);
  std::size_t num_states(std::span<const VariableId> variables) const;
  float* values_at(std::size_t factor, std::size_t state) {
    return factors_[factor].values.data() + state * num_lanes_;
  }
  float* slopes_at(std::size_t factor, std::size_t state) {
    return factors_[factor].slopes.data() + state * num_lanes_;
  }

  OrderedFamilies families_;
  std::size_t num_lanes_;
  std::vector<std::vector<VariableId>> children_;
  std::vector<std::uint32_t> rank_;
  std::vector<VariableId> topological_;
  std::vector<std::uint8_t> is_barren_;
  std::vector<Factor> factors_;
  std::vector<std::uint8_t> is_used_;
  std::vector<Step> steps_;
  std::vector<float> product_, before_, after_;
};

}  // namespace treebound
