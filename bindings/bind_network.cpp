#include "arrays.hpp"
#include "base/random.hpp"
#include "bindings.hpp"
#include "network/count_families.hpp"
#include "network/random_tables.hpp"
#include "network/sample.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {
namespace {

template <typename Code>
void bind_sample_rows(nb::module_& module) {
  module.def(
      "sample_rows",
      [](const ArrayIn<std::uint32_t>& cardinalities, const ArrayIn<VariableId>& topological_order,
         const ArrayIn<std::int64_t>& parent_offsets, const ArrayIn<VariableId>& parents,
         const ArrayIn<std::int64_t>& table_offsets, const ArrayIn<double>& tables, std::uint64_t seed,
         Run& run, MatrixInOut<Code> codes) {
        const Unlocked unlocked;
        const NetworkView network{
            {as_span(cardinalities), as_span(parent_offsets), as_span(parents), as_span(table_offsets)},
            as_span(topological_order),
            as_span(tables)};
        sample_rows(network, seed, codes.shape(1), run, codes.data());
      },
      "cardinalities"_a, "topological_order"_a, "parent_offsets"_a, "parents"_a, "table_offsets"_a,
      "tables"_a, "seed"_a, "run"_a, "codes"_a.noconvert());
}

template <typename Code>
void bind_count_families(nb::module_& module) {
  module.def(
      "count_families",
      [](const ArrayIn<std::uint32_t>& cardinalities, const ArrayIn<std::int64_t>& parent_offsets,
         const ArrayIn<VariableId>& parents, const ArrayIn<std::int64_t>& table_offsets,
         const MatrixIn<Code>& codes, const ArrayIn<double>& weights, Run& run) {
        const FamiliesView families{as_span(cardinalities), as_span(parent_offsets), as_span(parents),
                                    as_span(table_offsets)};
        return filled<double>(families.num_cells(), [&](std::span<double> counts) {
          count_families(families, codes.data(), codes.shape(1), as_span(weights), run, counts);
        });
      },
      "cardinalities"_a, "parent_offsets"_a, "parents"_a, "table_offsets"_a, "codes"_a.noconvert(),
      "weights"_a, "run"_a);
}

}  // namespace

void bind_network(nb::module_& module) {
  nb::class_<RandomStream>(module, "RandomStream")
      .def(nb::init<std::uint64_t, std::uint64_t>(), "seed"_a, "index"_a)
      .def("split", &RandomStream::split, "index"_a)
      .def("below", &RandomStream::below, "bound"_a)
      .def("uniform", &RandomStream::uniform)
      .def("uniform_at", &RandomStream::uniform_at, "index"_a);

  module.attr("STRUCTURE_STREAM") = static_cast<std::uint64_t>(SeedStream::kStructure);

  module.def(
      "draw_tables",
      [](const ArrayIn<std::uint32_t>& cardinalities, const ArrayIn<std::int64_t>& table_offsets,
         double concentration, std::uint64_t seed) {
        const auto num_cells = static_cast<std::size_t>(table_offsets.data()[cardinalities.size()]);
        return filled<double>(num_cells, [&](std::span<double> tables) {
          draw_tables(as_span(cardinalities), as_span(table_offsets), concentration, seed, tables);
        });
      },
      "cardinalities"_a, "table_offsets"_a, "concentration"_a, "seed"_a);

  bind_sample_rows<std::uint8_t>(module);
  bind_sample_rows<std::uint16_t>(module);
  bind_count_families<std::uint8_t>(module);
  bind_count_families<std::uint16_t>(module);
  bind_count_families<std::int32_t>(module);
}

}  // namespace treebound
