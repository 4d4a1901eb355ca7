#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>

#include "bindings.hpp"
#include "density/batch_slopes.hpp"
#include "density/decoder.hpp"
#include "density/training_rows.hpp"
#include "family_arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {
namespace {

/// Keeps the arrays of a structure and of an elimination order alive.
struct Families {
  FamilyArrays families;
  ArrayIn<VariableId> order;

  OrderedFamilies view() const { return {families.view(), as_span(order)}; }
};

using Points = MatrixIn<float>;
Matrix matrix_of(const Points& points) {
  Matrix m(points.shape(0), points.shape(1));
  std::copy_n(points.data(), points.size(), m.values.begin());
  return m;
}

/// A decoder with the likelihood that it is trained for.
class SmoothMixture {
 public:
  SmoothMixture(const Families& families, std::vector<std::size_t> sizes, const ArrayIn<float>& parameters)
      : families_(families), batches_(families_.view()), decoder_(std::move(sizes), as_span(parameters)) {}

  ArrayOut<float> parameters() const {
    return to_numpy(std::vector<float>(decoder_.parameters().begin(), decoder_.parameters().end()));
  }
  void set_parameters(const ArrayIn<float>& parameters) { decoder_.set_parameters(as_span(parameters)); }

  std::vector<double> weigh(const Batch& batch, const Matrix& points, std::span<const float> log_weights,
                            Run& run) {
    batches_.load(decoder_.decode(points, run), batch.rows.defaults(), run);
    std::vector<double> logs(batch.places.size());
    batches_.log_likelihoods(batch, log_weights, run, logs);
    return logs;
  }
  std::span<const float> slopes(const Batch& batch, Run& run) {
    return decoder_.slopes(batches_.slopes(batch, run), run);
  }
  /// The probability of each cell, one column for each point.
  std::vector<float> tables(const Matrix& points, Run& run) {
    std::vector<std::uint32_t> first_cells;
    const OrderedFamilies view = families_.view();
    for (VariableId v = 0; v < view.num_variables(); ++v)
      first_cells.push_back(static_cast<std::uint32_t>(view.first_cell(v)));
    batches_.load(decoder_.decode(points, run), first_cells, run);
    return batches_.tables().values;
  }
  void release() {
    batches_.release();
    decoder_.release();
  }
  BatchSlopes& batches() { return batches_; }
  Decoder& decoder() { return decoder_; }

 private:
  Families families_;
  BatchSlopes batches_;
  Decoder decoder_;
};

}  // namespace

void bind_density(nb::module_& module) {
  nb::class_<Families>(module, "Families")
      .def(
          "__init__",
          [](Families* self, ArrayIn<std::uint32_t> cardinalities, ArrayIn<std::int64_t> parent_offsets,
             ArrayIn<VariableId> parents, ArrayIn<std::int64_t> table_offsets, ArrayIn<VariableId> order) {
            new (self) Families{{cardinalities, parent_offsets, parents, table_offsets}, order};
          },
          "cardinalities"_a, "parent_offsets"_a, "parents"_a, "table_offsets"_a, "order"_a);

  nb::class_<TrainingRows>(module, "TrainingRows")
      .def(
          "__init__",
          [](TrainingRows* self, const Families& families, const RowArrays& rows) {
            const Unlocked unlocked;
            new (self) TrainingRows(families.view(), view_of(rows));
          },
          "families"_a, "rows"_a)
      .def_prop_ro("num_rows", &TrainingRows::num_rows);

  nb::class_<SmoothMixture>(module, "SmoothMixture")
      .def(nb::init<const Families&, std::vector<std::size_t>, const ArrayIn<float>&>(), "families"_a,
           "sizes"_a, "parameters"_a)
      .def("parameters", &SmoothMixture::parameters)
      .def("set_parameters", &SmoothMixture::set_parameters, "parameters"_a)
      .def("release", &SmoothMixture::release)
      .def(
          "log_likelihoods",
          [](SmoothMixture& self, const TrainingRows& rows, const ArrayIn<std::uint32_t>& places,
             const Points& points, const ArrayIn<float>& log_weights, Run& run) {
            return to_numpy(without_gil([&] {
              const std::vector<float> weights(places.size(), 1.0f);
              return self.weigh({rows, as_span(places), weights}, matrix_of(points), as_span(log_weights),
                                run);
            }));
          },
          "rows"_a, "places"_a, "points"_a, "log_weights"_a, "run"_a)
      .def(
          "slopes",
          [](SmoothMixture& self, const TrainingRows& rows, const ArrayIn<std::uint32_t>& places,
             const ArrayIn<float>& weights, const Points& points, const ArrayIn<float>& log_weights,
             Run& run) {
            std::vector<double> logs;
            std::vector<float> slopes, masses;
            {
              const Unlocked unlocked;
              const Batch batch{rows, as_span(places), as_span(weights)};
              logs = self.weigh(batch, matrix_of(points), as_span(log_weights), run);
              const auto found = self.slopes(batch, run);
              slopes.assign(found.begin(), found.end());
              masses.assign(self.batches().masses().begin(), self.batches().masses().end());
            }
            return std::tuple(to_numpy(std::move(logs)), to_numpy(std::move(slopes)),
                              to_numpy(std::move(masses)));
          },
          "rows"_a, "places"_a, "weights"_a, "points"_a, "log_weights"_a, "run"_a)
      .def(
          "step",
          [](SmoothMixture& self, const TrainingRows& rows, const ArrayIn<std::uint32_t>& places,
             const ArrayIn<float>& weights, const Points& points, const ArrayIn<float>& log_weights,
             double rate, double decay, float sharpness, Run& run) {
            const Batch batch{rows, as_span(places), as_span(weights), sharpness};
            double total = 0;
            for (const double log : self.weigh(batch, matrix_of(points), as_span(log_weights), run))
              total += log;
            self.slopes(batch, run);
            self.decoder().climb(rate, decay);
            return total;
          },
          "rows"_a, "places"_a, "weights"_a, "points"_a, "log_weights"_a, "rate"_a, "decay"_a, "sharpness"_a,
          "run"_a, WithoutGil())
      .def(
          "tables",
          [](SmoothMixture& self, const Points& points, Run& run) {
            return to_numpy(without_gil([&] { return self.tables(matrix_of(points), run); }));
          },
          "points"_a, "run"_a);
}

}  // namespace treebound
