#include "bindings.hpp"
#include "family_arrays.hpp"
#include "inference/mixture_rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {
namespace {

/// Keeps the arrays of a mixture alive.
struct Mixture {
  FamilyArrays families;
  MatrixIn<double> log_tables;
  ArrayIn<double> log_weights;

  MixtureView view() const {
    return {families.view(), {log_tables.data(), log_tables.size()}, as_span(log_weights)};
  }
};

}  // namespace

void bind_mixture(nb::module_& module) {
  nb::class_<Mixture>(module, "Mixture")
      .def(
          "__init__",
          [](Mixture* self, ArrayIn<std::uint32_t> cardinalities, ArrayIn<std::int64_t> parent_offsets,
             ArrayIn<VariableId> parents, ArrayIn<std::int64_t> table_offsets, MatrixIn<double> log_tables,
             ArrayIn<double> log_weights) {
            new (self)
                Mixture{{cardinalities, parent_offsets, parents, table_offsets}, log_tables, log_weights};
          },
          "cardinalities"_a, "parent_offsets"_a, "parents"_a, "table_offsets"_a, "log_tables"_a,
          "log_weights"_a)
      .def(
          "log_likelihood_rows",
          [](const Mixture& self, const RowArrays& rows, Run& run) {
            return filled<double>(rows.shape(1), [&](std::span<double> out) {
              mixture_log_likelihood_rows(self.view(), view_of(rows), run, out);
            });
          },
          "rows"_a, "run"_a)
      .def(
          "family_logs",
          [](const Mixture& self, const RowArrays& rows, Run& run) {
            return filled<double>(rows.size(), [&](std::span<double> out) {
              mixture_family_logs(self.view(), view_of(rows), run, out);
            });
          },
          "rows"_a, "run"_a);
}

}  // namespace treebound
