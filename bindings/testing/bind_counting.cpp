#include "arrays.hpp"
#include "base/popcount.hpp"
#include "scoring/families/bag_scores.hpp"
#include "testing/testing.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {

void bind_counting_parts(nb::module_& module) {
  module.def("count_repeatedly", &count_repeatedly, "num_words"_a, "num_planes"_a, "repeats"_a, WithoutGil(),
             "Sum of the bits of full planes, counted over and over: the limit of counting, to be timed.");

  nb::class_<BagScores>(module, "BagScores", "Scores all families inside a few variables at once.")
      .def(nb::init<const Dataset&, const LocalScore&>(), "data"_a, "score"_a, nb::keep_alive<1, 2>())
      .def(
          "is_countable",
          [](const BagScores& self, ArrayIn<VariableId> members) {
            return self.is_countable(as_span(members));
          },
          "members"_a)
      .def(
          "count", [](BagScores& self, ArrayIn<VariableId> members) { self.count(as_span(members)); },
          "members"_a)
      .def("score", &BagScores::score, "child"_a, "parents"_a);
}

}  // namespace treebound
