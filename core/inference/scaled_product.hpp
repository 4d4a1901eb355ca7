// Products of any number of tables, in doubles where these have room and in wide numbers elsewhere. A
// variable with thousands of known children has thousands of small tables; those over the same variables are
// multiplied eight at a time, and each product is scaled before the next round. Tables over different
// variables are few, and are left to the contraction: multiplying them beforehand could make a table as large
// as their clique.
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
  void add(const Cells& cells, std::span<const Axis> axes) { operands_.push_back({cells, axes}); }
  /// As Contraction::fold_into; returns the exponent of the power of two that was taken out.
  std::int64_t fold(Fold fold, std::span<const VariableId> kept, ScaledTable& out, const Run& run);
  /// The same for a result, in which cells that vanish next to the largest are zero.
  std::int64_t fold(Fold fold, std::span<const VariableId> kept, std::span<double> out, const Run& run);

 private:
  struct Operand {
    Cells cells;
    std::span<const Axis> axes;
  };
  struct Product {
    ScaledTable table;
    std::vector<Axis> axes;
  };

  std::int64_t load_contraction(const Run& run);
  std::int64_t run_contraction(Fold fold, std::span<const VariableId> kept, ScaledTable& out, const Run& run);
  std::int64_t multiply_alike(const Run& run);
  std::int64_t multiply_group(std::span<const Operand> group, const Run& run);

  const Model& model_;
  Contraction contraction_;
  std::vector<Operand> operands_, next_;
  std::vector<Product> products_;
  std::size_t num_products_ = 0;
  std::vector<VariableId> scope_;
  ScaledTable answer_;
};

}  // namespace treebound
