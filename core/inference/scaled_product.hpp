// Products of any number of tables without underflow. A variable with thousands of known children has
// thousands of small tables; those over the same variables are multiplied eight at a time, and each product
// is scaled to a largest entry of one before the next round. Tables over different variables are few, and are
// left to the contraction: multiplying them beforehand could make a table as large as their clique.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "inference/contraction.hpp"

namespace treebound {

class ScaledProduct {
 public:
  explicit ScaledProduct(const Model& model) : model_(model), contraction_(model.cardinalities()) {}

  void clear() { operands_.clear(), num_products_ = 0; }
  /// Borrows a table and its axes.
  void add(const double* values, std::span<const Axis> axes) { operands_.push_back({values, axes}); }
  /// As Contraction::run; returns the logarithm of the scale that was taken out.
  double fold(Fold fold, std::span<const VariableId> kept, double* out);

 private:
  struct Operand {
    const double* values;
    std::span<const Axis> axes;
  };
  struct Product {
    std::vector<double> values;
    std::vector<Axis> axes;
  };

  double multiply_alike();
  double multiply_group(std::span<const Operand> group);

  const Model& model_;
  Contraction contraction_;
  std::vector<Operand> operands_, next_;
  std::vector<Product> products_;
  std::size_t num_products_ = 0;
  std::vector<VariableId> scope_;
};

/// Scales to a largest entry of one and returns the logarithm of what it was; a table of zeros stays.
double scale_to_one(std::span<double> values);

}  // namespace treebound
