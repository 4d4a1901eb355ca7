// Variable elimination for one row of findings (Dechter's buckets, 1999): each unknown variable in turn is
// summed or maximised out of the product of the tables that mention it, which leaves a table over its
// neighbours. Known variables drop out of all tables beforehand, so a row costs what its gaps cost: parts
// without unknown variables are look-ups, and unknown variables that known ones keep apart never meet.
//
// The steps are planned first. A plan depends on which cells of a row are known but not on their codes, so it
// serves all rows with the same gaps. Steps are kept and can be walked back: given the states of the
// variables that left later, each variable takes its best state, or one drawn from its distribution.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "base/run.hpp"
#include "inference/model.hpp"
#include "inference/scaled_product.hpp"

namespace treebound {

class EliminationRun {
 public:
  explicit EliminationRun(const Model& model);
  const Model& model() const { return model_; }

  /// Forgets everything; plans for rows that know the same variables as this one. Soft findings must outlive
  /// the plan.
  void start(const RowView& row, const SoftFindings& soft);
  /// Takes in all unknown variables.
  void include_all();
  /// Takes in those unknown variables that findings do not cut off from `targets`, which are unknown too.
  void include_around(std::span<const VariableId> targets);
  /// Takes in those that findings do not cut off from the unknown ones in a table; false if it has none.
  bool include_table(VariableId child);
  /// Drops unknown variables that no finding and no kept variable lies below: their tables sum to one.
  void drop_barren(std::span<const VariableId> kept);

  /// Cells of the tables to be made: their sum, and the largest.
  struct Size {
    double total = 0;
    double largest = 0;
  };
  /// Plans to eliminate the variables taken in and not dropped, by their rank except `last`, which leave
  /// after all others and by `last_fold`, and for `kept`, which stay.
  Size plan(Fold fold, std::span<const VariableId> last, Fold last_fold, std::span<const VariableId> kept);
  /// Carries out the plan for a row that knows the same variables as the one it was made for, and that must
  /// outlive all calls below. Throws Stopped if the run is stopped.
  void eliminate(const RowView& row, const Run& run);
  /// Whether anything is possible, and the logarithm of its probability, as far as kept variables have no
  /// part in it.
  bool is_possible() const { return !total_.is_zero(); }
  double log_total() const { return total_.log(); }
  /// The product of what is left, up to a factor, over the kept variables, the last one running fastest.
  void remaining(std::span<const VariableId> kept, std::span<double> out, const Run& run);

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
  /// A conditional table, from where its known variables place it.
  struct Loaded {
    VariableId child;
    std::uint32_t factor;
    std::size_t first_known, last_known;  // in known_axes_
  };
  struct Step {
    VariableId variable;
    Fold fold;
    std::size_t first_factor, last_factor;        // in step_factors_
    std::size_t first_neighbour, last_neighbour;  // in neighbours_
    std::uint32_t factor;                         // that it makes, if it has neighbours
  };

  std::span<const Axis> axes_of(const Factor& factor) const {
    return std::span(axes_).subspan(factor.first_axis, factor.last_axis - factor.first_axis);
  }
  void include(VariableId v);
  /// Those connected with variables_[first..].
  void include_connected(std::size_t first);
  std::span<const VariableId> neighbours_of(const Step& step) const {
    return std::span(neighbours_).subspan(step.first_neighbour, step.last_neighbour - step.first_neighbour);
  }
  std::uint32_t add_factor(const Cells& cells, std::size_t first_axis);
  void load_table(VariableId child);
  void load_tables();
  void plan_order(std::span<const VariableId> last, std::span<const VariableId> kept);
  void plan_step(VariableId v, Fold fold);
  void make_table(const Step& step, ScaledTable& out, const Run& run);
  bool knows_as_planned(const RowView& row) const;
  bool multiply_remaining(VariableId v, std::span<double> out) const;
  bool fits_doubles(const Step& step) const;
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
  std::vector<Axis> axes_, known_axes_;
  std::vector<Loaded> loaded_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> step_factors_;
  std::vector<VariableId> neighbours_;
  std::vector<ScaledTable> made_;  // the table that each step made
  Size size_;
  WideNumber total_;
};

}  // namespace treebound
