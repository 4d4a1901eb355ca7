#include "arrays.hpp"
#include "bindings.hpp"
#include "inference/lanes.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {
namespace {

/// The arrays of a mixture, kept alive as long as the view that the core sees.
struct Lanes {
  ArrayIn<std::uint32_t> cardinalities;
  ArrayIn<std::int64_t> parent_offsets;
  ArrayIn<VariableId> parents;
  ArrayIn<std::int64_t> table_offsets;
  MatrixIn<double> log_tables;
  ArrayIn<double> log_weights;

  LanesView view() const {
    return {as_span(cardinalities),
            as_span(parent_offsets),
            as_span(parents),
            as_span(table_offsets),
            {log_tables.data(), log_tables.size()},
            as_span(log_weights)};
  }
};

using Rows = MatrixIn<std::int32_t>;

template <typename Fill>
ArrayOut<double> filled(const Lanes& lanes, const Rows& rows, std::size_t size, Fill fill) {
  std::vector<double> out(size);
  {
    const LanesView view = lanes.view();
    const Unlocked unlocked;
    fill(view, RowsView{rows.data(), rows.shape(1)}, std::span<double>(out));
  }
  return to_numpy(std::move(out));
}

}  // namespace

void bind_lanes(nb::module_& module) {
  nb::class_<Lanes>(module, "Lanes")
      .def(nb::init<ArrayIn<std::uint32_t>, ArrayIn<std::int64_t>, ArrayIn<VariableId>, ArrayIn<std::int64_t>,
                    MatrixIn<double>, ArrayIn<double>>(),
           "cardinalities"_a, "parent_offsets"_a, "parents"_a, "table_offsets"_a, "log_tables"_a,
           "log_weights"_a)
      .def(
          "log_likelihood_rows",
          [](const Lanes& self, const Rows& rows, Run& run) {
            return filled(self, rows, rows.shape(1),
                          [&](const LanesView& view, RowsView view_of_rows, auto out) {
                            lanes_log_likelihood_rows(view, view_of_rows, run, out);
                          });
          },
          "rows"_a, "run"_a)
      .def(
          "family_logs",
          [](const Lanes& self, const Rows& rows, Run& run) {
            return filled(self, rows, rows.size(),
                          [&](const LanesView& view, RowsView view_of_rows, auto out) {
                            lanes_family_logs(view, view_of_rows, run, out);
                          });
          },
          "rows"_a, "run"_a);
}

}  // namespace treebound
