// One calibration of a part for several rows at once: a cell of a table is a group of lanes, one for each
// row, and every loop ends in one over the lanes, which compilers turn into vector instructions.
//
// Messages go up in the order of elimination, divided by their largest cell, and come down by division as in
// Hugin's scheme: what is above a separator over what came from below. A lane in which a message is smaller
// than kSmall before it is scaled may have lost what a finding further up leaves possible. It is given up,
// and the caller repeats it in wide numbers, which lose nothing (see wide_number.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "inference/expected_counts/part_plan.hpp"
#include "inference/rows.hpp"
#include "inference/wide_number.hpp"

namespace treebound {

inline double quotient(double a, double b) { return b > 0 ? a / b : 0; }
inline WideNumber quotient(WideNumber a, WideNumber b) {
  if (b.is_zero()) return {};
  const WideNumber ratio(a.mantissa / b.mantissa);  // normal again
  return a.is_zero() ? WideNumber() : WideNumber(ratio.mantissa, ratio.exponent + a.exponent - b.exponent);
}
inline double as_double(double number) { return number; }
inline double as_double(WideNumber number) { return number.rounded(); }

template <typename Number, std::size_t kLanes>
class LanePass {
 public:
  static constexpr bool kIsWide = std::is_same_v<Number, WideNumber>;
  static constexpr double kSmall = 1e-60;
  using Group = std::array<Number, kLanes>;

  /// Calibrates the part of some rows.
  void calibrate(const PartPlan& plan, const FamiliesView& families, const double* tables, RowsView rows,
                 std::span<const std::size_t, kLanes> lanes) {
    prepare(plan);
    find_bases(plan, families, rows, lanes);
    for (const PartPlan::Bag& bag : plan.bags) multiply_factors(plan, bag, tables);
    for (const PartPlan::Bag& bag : plan.bags) send_up(plan, bag);
    finish(plan);
  }

  /// Calibrates the plan of all variables; `potentials` holds its products of tables, bag by bag, as far as
  /// doubles hold them. Variables are pinned where a row knows them.
  void calibrate_whole(const PartPlan& plan, const FamiliesView& families, const double* tables,
                       std::span<const double> potentials, RowsView rows,
                       std::span<const std::size_t, kLanes> lanes) {
    prepare(plan);
    if constexpr (kIsWide) {
      find_bases(plan, families, rows, lanes);
      for (const PartPlan::Bag& bag : plan.bags) multiply_factors(plan, bag, tables);
    } else {
      for (std::size_t c = 0; c < plan.num_cells; ++c) cells_[c].fill(potentials[c]);
    }
    for (std::size_t b = 0; b < plan.bags.size(); ++b) {
      pin(plan, b, rows, lanes);
      send_up(plan, plan.bags[b]);
    }
    finish(plan);
  }

  /// Logarithm of the probability of what a lane knows about the families of the part; minus infinity if it
  /// was given up.
  double log_probability(std::size_t lane) const { return logs_[lane]; }
  bool is_given_up(std::size_t lane) const {
    return !(logs_[lane] > -std::numeric_limits<double>::infinity());
  }

  /// Adds the posterior of each family, times the weight of the lane, to its counts.
  void add_families(const PartPlan& plan, std::span<const double, kLanes> weights, double* counts) const {
    for (const PartPlan::Bag& bag : plan.bags) {
      const Group* cells = cells_.data() + bag.first_cell;
      for (std::uint32_t f = bag.first_factor; f < bag.last_factor; ++f) {
        const std::uint32_t* places = plan.maps.data() + plan.factors[f].first_map;
        for (std::size_t c = 0; c < bag.num_cells(); ++c) {
          for (std::size_t l = 0; l < kLanes; ++l)
            counts[bases_[f][l] + places[c]] += weights[l] * as_double(cells[c][l]);
        }
      }
    }
  }

  /// Adds the posterior of each bag, summed over the lanes with their weights, to `sums`.
  void add_bags(std::span<const double, kLanes> weights, std::span<double> sums) const {
    for (std::size_t c = 0; c < sums.size(); ++c) {
      double sum = 0;
      for (std::size_t l = 0; l < kLanes; ++l) sum += weights[l] * as_double(cells_[c][l]);
      sums[c] += sum;
    }
  }

 private:
  void finish(const PartPlan& plan) {
    take_logarithms();
    for (std::size_t b = plan.bags.size(); b-- > 0;) send_down(plan, plan.bags[b]);
  }

  void prepare(const PartPlan& plan) {
    cells_.resize(std::max(cells_.size(), plan.num_cells));
    bases_.resize(std::max(bases_.size(), plan.factors.size()));
    below_.resize(std::max(below_.size(), plan.most_separators));
    above_.resize(std::max(above_.size(), plan.most_separators));
    std::ranges::fill(logs_, 0.0);
    product_.fill(Number(1));
  }

  void find_bases(const PartPlan& plan, const FamiliesView& families, RowsView rows,
                  std::span<const std::size_t, kLanes> lanes) {
    for (std::size_t f = 0; f < plan.factors.size(); ++f) {
      const PartPlan::Factor& factor = plan.factors[f];
      bases_[f].fill(families.first_cell(factor.child));
      for (std::uint32_t k = factor.first_known; k < factor.last_known; ++k) {
        const std::int32_t* codes = rows.column(plan.known[k].variable);
        for (std::size_t l = 0; l < kLanes; ++l)
          bases_[f][l] += std::size_t{plan.known[k].stride} * static_cast<std::uint32_t>(codes[lanes[l]]);
      }
    }
  }

  void multiply_factors(const PartPlan& plan, const PartPlan::Bag& bag, const double* tables) {
    Group* cells = cells_.data() + bag.first_cell;
    if (bag.first_factor == bag.last_factor) {
      for (std::size_t c = 0; c < bag.num_cells(); ++c) cells[c].fill(Number(1));
    }
    for (std::uint32_t f = bag.first_factor; f < bag.last_factor; ++f) {
      const PartPlan::Factor& factor = plan.factors[f];
      const std::uint32_t* places = plan.maps.data() + factor.first_map;
      const std::array<std::size_t, kLanes>& bases = bases_[f];
      const bool is_first = f == bag.first_factor, is_same = factor.first_known == factor.last_known;
      for (std::size_t c = 0; c < bag.num_cells(); ++c) {
        Group values;
        if (is_same)
          values.fill(Number(tables[bases[0] + places[c]]));
        else
          for (std::size_t l = 0; l < kLanes; ++l) values[l] = Number(tables[bases[l] + places[c]]);
        if (is_first)
          cells[c] = values;
        else
          multiply(cells[c], values);
      }
    }
  }

  void pin(const PartPlan& plan, std::size_t b, RowsView rows, std::span<const std::size_t, kLanes> lanes) {
    const PartPlan::Bag& bag = plan.bags[b];
    const std::int32_t* codes = rows.column(plan.variables[b]);
    std::array<std::int32_t, kLanes> known;
    for (std::size_t l = 0; l < kLanes; ++l) known[l] = codes[lanes[l]];
    Group* cells = cells_.data() + bag.first_cell;
    for (std::uint32_t state = 0; state < bag.num_states; ++state, cells += bag.num_separators) {
      Group agrees;
      for (std::size_t l = 0; l < kLanes; ++l)
        agrees[l] = Number(known[l] < 0 || known[l] == static_cast<std::int32_t>(state) ? 1.0 : 0.0);
      for (std::size_t s = 0; s < bag.num_separators; ++s) multiply(cells[s], agrees);
    }
  }

  /// Sums a bag over the variable that leaves it.
  void sum_below(const PartPlan::Bag& bag) {
    const Group* cells = cells_.data() + bag.first_cell;
    std::copy_n(cells, bag.num_separators, below_.begin());
    for (std::uint32_t state = 1; state < bag.num_states; ++state) {
      cells += bag.num_separators;
      for (std::size_t s = 0; s < bag.num_separators; ++s) add(below_[s], cells[s]);
    }
  }

  void send_up(const PartPlan& plan, const PartPlan::Bag& bag) {
    sum_below(bag);
    scale(bag.num_separators);
    if (bag.parent == PartPlan::kNoParent) return;
    const PartPlan::Bag& parent = plan.bags[bag.parent];
    const std::uint32_t* places = plan.maps.data() + bag.first_parent_map;
    Group* cells = cells_.data() + parent.first_cell;
    for (std::size_t c = 0; c < parent.num_cells(); ++c) multiply(cells[c], below_[places[c]]);
  }

  /// Divides a message by its largest cell, which the probability of the lane keeps. In wide numbers, only
  /// the total at a root is taken out.
  void scale(std::size_t num_separators) {
    Group largest = below_[0];
    if constexpr (kIsWide) {
      if (num_separators > 1) return;
      product_[0] *= largest[0];
      below_[0][0] = quotient(largest[0], largest[0]);
    } else {
      for (std::size_t s = 1; s < num_separators; ++s) {
        for (std::size_t l = 0; l < kLanes; ++l) largest[l] = std::max(largest[l], below_[s][l]);
      }
      Group inverse;
      bool is_small = false;
      for (std::size_t l = 0; l < kLanes; ++l) {
        inverse[l] = largest[l] >= kSmall ? 1 / largest[l] : 0;
        product_[l] *= largest[l] >= kSmall ? largest[l] : 0;
        is_small |= product_[l] < kSmall;
      }
      if (is_small) take_logarithms();
      for (std::size_t s = 0; s < num_separators; ++s) multiply(below_[s], inverse);
    }
  }

  void take_logarithms() {
    for (std::size_t l = 0; l < kLanes; ++l) {
      if constexpr (kIsWide)
        logs_[l] += product_[l].log();
      else
        logs_[l] += std::log(product_[l]);
      product_[l] = Number(1);
    }
  }

  void send_down(const PartPlan& plan, const PartPlan::Bag& bag) {
    sum_below(bag);
    if (bag.parent == PartPlan::kNoParent) {
      above_[0].fill(Number(1));
    } else {
      for (std::size_t s = 0; s < bag.num_separators; ++s) above_[s].fill(Number(0));
      const PartPlan::Bag& parent = plan.bags[bag.parent];
      const std::uint32_t* places = plan.maps.data() + bag.first_parent_map;
      const Group* cells = cells_.data() + parent.first_cell;
      for (std::size_t c = 0; c < parent.num_cells(); ++c) add(above_[places[c]], cells[c]);
    }
    for (std::size_t s = 0; s < bag.num_separators; ++s) {
      for (std::size_t l = 0; l < kLanes; ++l) above_[s][l] = quotient(above_[s][l], below_[s][l]);
    }
    Group* cells = cells_.data() + bag.first_cell;
    for (std::uint32_t state = 0; state < bag.num_states; ++state, cells += bag.num_separators) {
      for (std::size_t s = 0; s < bag.num_separators; ++s) multiply(cells[s], above_[s]);
    }
  }

  static void multiply(Group& group, const Group& by) {
    for (std::size_t l = 0; l < kLanes; ++l) group[l] = group[l] * by[l];
  }
  static void add(Group& group, const Group& other) {
    for (std::size_t l = 0; l < kLanes; ++l) group[l] = group[l] + other[l];
  }

  std::vector<Group> cells_, below_, above_;
  std::vector<std::array<std::size_t, kLanes>> bases_;  // per factor: the place of its known cells
  std::array<double, kLanes> logs_;
  Group product_;
};

}  // namespace treebound
