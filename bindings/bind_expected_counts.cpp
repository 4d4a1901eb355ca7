#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bindings.hpp"
#include "family_arrays.hpp"
#include "inference/expected_counts/expected_counts.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {
namespace {

/// Keeps the arrays alive that the core borrows.
class BoundCounts {
 public:
  BoundCounts(ArrayIn<std::uint32_t> cardinalities, ArrayIn<std::int64_t> parent_offsets,
              ArrayIn<VariableId> parents, ArrayIn<std::int64_t> table_offsets,
              const ArrayIn<VariableId>& order, RowArrays codes, ArrayIn<double> weights, Run& run)
      : families_{std::move(cardinalities), std::move(parent_offsets), std::move(parents),
                  std::move(table_offsets)},
        codes_(std::move(codes)),
        weights_(std::move(weights)) {
    const Unlocked unlocked;
    counts_.emplace(families_.view(), as_span(order), view_of(codes_), as_span(weights_), run);
  }

  std::tuple<ArrayOut<double>, double> count(const ArrayIn<double>& tables, Run& run) {
    std::vector<double> counts(tables.size());
    const double log_probability = without_gil([&] { return counts_->count(as_span(tables), run, counts); });
    return {to_numpy(std::move(counts)), log_probability};
  }

  const ExpectedCounts& core() const { return *counts_; }

 private:
  FamilyArrays families_;
  RowArrays codes_;
  ArrayIn<double> weights_;
  std::optional<ExpectedCounts> counts_;
};

}  // namespace

void bind_expected_counts(nb::module_& module) {
  nb::class_<BoundCounts>(module, "ExpectedCounts")
      .def(nb::init<ArrayIn<std::uint32_t>, ArrayIn<std::int64_t>, ArrayIn<VariableId>, ArrayIn<std::int64_t>,
                    const ArrayIn<VariableId>&, RowArrays, ArrayIn<double>, Run&>(),
           "cardinalities"_a, "parent_offsets"_a, "parents"_a, "table_offsets"_a, "order"_a,
           "codes"_a.noconvert(), "weights"_a, "run"_a)
      .def("count", &BoundCounts::count, "tables"_a, "run"_a)
      .def_prop_ro("impossible_row",
                   [](const BoundCounts& self) -> std::optional<std::size_t> {
                     const std::size_t row = self.core().impossible_row();
                     return row == ExpectedCounts::kNoRow ? std::nullopt : std::optional(row);
                   })
      .def_prop_ro("num_parts", [](const BoundCounts& self) { return self.core().num_parts(); })
      .def_prop_ro("num_passes", [](const BoundCounts& self) { return self.core().num_passes(); })
      .def_prop_ro("num_whole_rows", [](const BoundCounts& self) { return self.core().num_whole_rows(); });
}

}  // namespace treebound
