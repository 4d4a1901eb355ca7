#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"
#include "inference/expected_counts/expected_counts.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {
namespace {

/// Keeps the arrays alive that the core borrows.
class BoundCounts {
 public:
  BoundCounts(ArrayIn<std::uint32_t> cardinalities, ArrayIn<std::int64_t> parent_offsets,
              ArrayIn<VariableId> parents, ArrayIn<std::int64_t> table_offsets,
              const ArrayIn<VariableId>& order, MatrixIn<std::int32_t> codes, ArrayIn<double> weights,
              Run& run)
      : cardinalities_(std::move(cardinalities)),
        parent_offsets_(std::move(parent_offsets)),
        parents_(std::move(parents)),
        table_offsets_(std::move(table_offsets)),
        codes_(std::move(codes)),
        weights_(std::move(weights)) {
    const Unlocked unlocked;
    counts_.emplace(FamiliesView{as_span(cardinalities_), as_span(parent_offsets_), as_span(parents_),
                                 as_span(table_offsets_)},
                    as_span(order), RowsView{codes_.data(), codes_.shape(1)}, as_span(weights_), run);
  }

  std::tuple<ArrayOut<double>, double> count(const ArrayIn<double>& tables, Run& run) {
    std::vector<double> counts(tables.size());
    double log_probability;
    {
      const Unlocked unlocked;
      log_probability = counts_->count(as_span(tables), run, counts);
    }
    return {to_numpy(std::move(counts)), log_probability};
  }

  const ExpectedCounts& core() const { return *counts_; }

 private:
  ArrayIn<std::uint32_t> cardinalities_;
  ArrayIn<std::int64_t> parent_offsets_;
  ArrayIn<VariableId> parents_;
  ArrayIn<std::int64_t> table_offsets_;
  MatrixIn<std::int32_t> codes_;
  ArrayIn<double> weights_;
  std::optional<ExpectedCounts> counts_;
};

}  // namespace

void bind_expected_counts(nb::module_& module) {
  nb::class_<BoundCounts>(module, "ExpectedCounts")
      .def(nb::init<ArrayIn<std::uint32_t>, ArrayIn<std::int64_t>, ArrayIn<VariableId>, ArrayIn<std::int64_t>,
                    const ArrayIn<VariableId>&, MatrixIn<std::int32_t>, ArrayIn<double>, Run&>(),
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
