#include "arrays.hpp"
#include "bindings.hpp"
#include "data/dataset.hpp"
#include "scoring/family_scorer.hpp"
#include "scoring/local_score.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {

void bind_scoring(nb::module_& module) {
  nb::class_<LocalScore>(module, "LocalScore", "A decomposable score of families.");
  nb::class_<Bic, LocalScore>(module, "Bic").def(nb::init<std::size_t>(), "num_rows"_a);
  nb::class_<Bdeu, LocalScore>(module, "Bdeu")
      .def(nb::init<std::size_t, double>(), "num_rows"_a, "equivalent_sample_size"_a);

  nb::class_<FamilyScorer>(module, "FamilyScorer", "Scores families of one child at a time.")
      .def(nb::init<const Dataset&, const LocalScore&>(), "data"_a, "score"_a, nb::keep_alive<1, 2>())
      .def("begin", &FamilyScorer::begin, "child"_a)
      .def(
          "score",
          [](FamilyScorer& self, ArrayIn<VariableId> parents) { return self.score(as_span(parents)); },
          "parents"_a);
}

}  // namespace treebound
