// Variable elimination for one row of findings (Dechter's buckets, 1999): each unknown variable in turn is
// summed or maximised out of the product of the tables that mention it, which leaves a table over its
// neighbours. Known variables drop out of all tables beforehand, so a row costs what its gaps cost: parts
// without unknown variables are look-ups, and unknown variables that known ones keep apart never meet.
//
// The steps are kept, so that they can be walked back: given the states of the variables that left later,
// each variable takes its best state, or one drawn from its distribution.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "inference/model.hpp"
#include "inference/scaled_product.hpp"

namespace treebound {

class EliminationRun {
 public:
  explicit EliminationRun(const Model& model);

  /// Forgets everything and takes a new row, which must outlive the run.
  void start(const RowView& row, const SoftFindings& soft);
  /// Takes in all unknown variables.
  void include_all();
  /// Takes in those unknown variables that findings do not cut off from `targets`, which are unknown too.
  void include_around(std::span<const VariableId> targets);
  /// Takes in those that findings do not cut off from the unknown ones in a table; false if it has none.
  bool include_table(VariableId child);
  /// Leaves out unknown variables that no finding and no kept variable lies below: their tables sum to one.
  void drop_barren(std::span<const VariableId> kept);
  std::span<const VariableId> barren() const { return barren_; }

  /// Loads the tables of all variables taken in and not dropped.
  void load_tables();
  /// Cells of the tables to be made by eliminate() with the same arguments: their sum, and the largest.
  struct Size {
    double total = 0;
    double largest = 0;
  };
  Size measure(std::span<const VariableId> last, std::span<const VariableId> kept);
  /// Eliminates the variables taken in, by their rank but for `last`, which leave after all others and by
  /// `last_fold`, and for `kept`, which stay.
  void eliminate(Fold fold, std::span<const VariableId> last, Fold last_fold,
                 std::span<const VariableId> kept);
  /// Whether anything is possible, and the logarithm of its probability, as far as kept variables have no
  /// part in it.
  bool is_possible() const { return !total_.is_zero(); }
  double log_total() const { return total_.log(); }
  /// The product of what is left, but for a factor, over the kept variables, the last one running fastest.
  void remaining(std::span<const VariableId> kept, std::span<double> out);

  /// Sets states[v * stride] of the variables that were eliminated, last eliminated first: to the most
  /// probable state, for the last `num_steps` steps.
  void take_best(std::int32_t* states, std::size_t stride, std::size_t num_steps) const;
  /// The same for all steps and for barren variables, with states drawn: variable v by number v of `stream`.
  void draw(std::int32_t* states, std::size_t stride, const RandomStream& stream,
            std::vector<double>& weights) const;
  std::size_t num_steps() const { return steps_.size(); }

 private:
  struct Factor {
    Cells cells;
    std::size_t first_axis, last_axis;
    bool is_used;
  };
  struct Step {
    VariableId variable;
    std::size_t first_factor, last_factor;  // in step_factors_
    bool fits_doubles;                      // the product of these factors
  };

  std::span<const Axis> axes_of(const Factor& factor) const {
    return std::span(axes_).subspan(factor.first_axis, factor.last_axis - factor.first_axis);
  }
  void include(VariableId v);
  /// Those connected with variables_[first..].
  void include_connected(std::size_t first);
  void add_factor(const Cells& cells, std::size_t first_axis);
  void add_table(VariableId child);
  void plan_order(std::span<const VariableId> last, std::span<const VariableId> kept);
  void eliminate_one(VariableId v, Fold fold, bool is_dry);
  void make_table(Fold fold, std::size_t step);
  void forget_steps();
  void weigh(const Step& step, const std::int32_t* states, std::size_t stride,
             std::vector<double>& weights) const;
  template <typename Number>
  void multiply_columns(const Step& step, const std::int32_t* states, std::size_t stride,
                        std::span<Number> weights) const;

  const Model& model_;
  std::vector<std::uint32_t> topological_rank_;
  ScaledProduct product_;
  RowView row_{nullptr, 0};
  SoftFindings soft_{};
  std::vector<VariableId> variables_, barren_, order_;
  std::vector<std::uint8_t> is_included_, is_barren_, is_loaded_, is_held_;
  std::vector<std::uint32_t> soft_index_;  // per variable, counted from one
  std::vector<std::vector<std::uint32_t>> factors_with_;
  std::vector<Factor> factors_;
  std::vector<Axis> axes_;
  std::vector<VariableId> loaded_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> step_factors_;
  std::vector<ScaledTable> made_;  // the table that each step made
  std::vector<VariableId> neighbours_;
  std::size_t num_loaded_factors_ = 0, num_loaded_axes_ = 0;
  Size size_;
  WideNumber total_;
};

}  // namespace treebound
