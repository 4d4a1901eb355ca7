#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "search/anytime.hpp"
#include "search/upper_bound.hpp"
#include "unlocked.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// A copy as an array.
template <typename Value>
ArrayOut<Value> to_array(const std::vector<Value>& values) {
  return to_numpy(std::vector(values));
}

void bind_found(nb::module_& module) {
  nb::class_<KTreeFacts>(module, "KTreeFacts")
      .def_prop_ro(
          "insertion_order", [](const KTreeFacts& self) { return to_array(self.insertion_order); },
          nb::rv_policy::move)
      .def_prop_ro(
          "separators", [](const KTreeFacts& self) { return to_array(self.separators); },
          nb::rv_policy::move);
  nb::class_<Found>(module, "Found", "The result of every solver.")
      .def_prop_ro(
          "parent_offsets", [](const Found& self) { return to_array(self.families.parent_offsets); },
          nb::rv_policy::move)
      .def_prop_ro(
          "parents", [](const Found& self) { return to_array(self.families.parents); }, nb::rv_policy::move)
      .def_prop_ro(
          "local_scores", [](const Found& self) { return to_array(self.families.local_scores); },
          nb::rv_policy::move)
      .def_prop_ro(
          "elimination_order", [](const Found& self) { return to_array(self.elimination_order); },
          nb::rv_policy::move)
      .def_ro("score", &Found::score)
      .def_ro("step", &Found::step)
      .def_ro("ktree", &Found::ktree)
      .def_ro("statistics", &Found::statistics);
  nb::class_<SearchStart>(module, "SearchStart", "A structure to continue from, or none.")
      .def(nb::init<>())
      .def(
          "__init__",
          [](SearchStart* self, const ArrayIn<std::int64_t>& parent_offsets,
             const ArrayIn<VariableId>& parents, const ArrayIn<double>& local_scores,
             const ArrayIn<VariableId>& elimination_order, const ArrayIn<VariableId>& insertion_order,
             double score, std::uint64_t first_step) {
            new (self) SearchStart{{to_vector(parent_offsets), to_vector(parents), to_vector(local_scores)},
                                   to_vector(elimination_order),
                                   to_vector(insertion_order),
                                   score,
                                   first_step};
          },
          "parent_offsets"_a, "parents"_a, "local_scores"_a, "elimination_order"_a, "insertion_order"_a,
          "score"_a, "first_step"_a)
      .def_ro("score", &SearchStart::score);
}

void bind_problem(nb::module_& module) {
  nb::class_<SearchProblem>(module, "SearchProblem")
      .def(
          "__init__",
          [](SearchProblem* self, const ArrayIn<std::int64_t>& set_offsets, const ArrayIn<double>& scores,
             const ArrayIn<std::int64_t>& parent_offsets, const ArrayIn<VariableId>& parents,
             std::uint32_t max_treewidth, double max_cells, const ArrayIn<std::uint32_t>& cardinalities,
             const Dataset* data, const LocalScore* score, const FamilyRules& rules,
             const ArrayIn<double>& least_scores, const ArrayIn<VariableId>& least_order) {
            new (self) SearchProblem(
                {as_span(set_offsets), as_span(scores), as_span(parent_offsets), as_span(parents)},
                {max_treewidth, max_cells}, to_vector(cardinalities), {data, score}, rules,
                {to_vector(least_scores), to_vector(least_order)});
          },
          nb::keep_alive<1, 9>(), nb::keep_alive<1, 10>(), "set_offsets"_a, "scores"_a, "parent_offsets"_a,
          "parents"_a, "max_treewidth"_a, "max_cells"_a, "cardinalities"_a, "data"_a.none(), "score"_a.none(),
          "rules"_a, "least_scores"_a, "least_order"_a)
      .def_prop_ro("width", &SearchProblem::width)
      .def_prop_ro("sum_of_best", &SearchProblem::sum_of_best)
      .def_prop_ro(
          "first_entries",
          [](const SearchProblem& self) {
            std::vector<std::int64_t> first{0};
            for (VariableId v = 0; v < self.num_variables(); ++v) first.push_back(self.last_entry(v) + 1);
            return to_numpy(std::move(first));
          },
          nb::rv_policy::move, "The entries of v are those from first_entries[v] below first_entries[v + 1].")
      .def_prop_ro(
          "scores",
          [](const SearchProblem& self) {
            std::vector<double> scores;
            for (EntryId entry = 0; entry < self.num_entries(); ++entry) scores.push_back(self.score(entry));
            return to_numpy(std::move(scores));
          },
          nb::rv_policy::move)
      .def(
          "parents",
          [](const SearchProblem& self, EntryId entry) {
            const auto parents = self.parents(entry);
            return std::vector<VariableId>(parents.begin(), parents.end());
          },
          "entry"_a)
      .def_prop_ro(
          "least_entries", [](const SearchProblem& self) { return to_numpy(self.least_entries()); },
          nb::rv_policy::move, "The least allowed set of each variable; what follows it is a hole.")
      .def_prop_ro(
          "least_order",
          [](const SearchProblem& self) {
            return to_numpy(std::vector(self.least_order().begin(), self.least_order().end()));
          },
          nb::rv_policy::move, "An elimination order of the least sets; empty if no parents are required.");
}

void bind_task(nb::module_& module) {
  nb::class_<SearchTask>(module, "SearchTask", "The task of a solver, and what it has found.")
      .def(nb::init<const SearchProblem&, Run&, std::uint64_t, SearchStart>(), nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>(), "problem"_a, "run"_a, "seed"_a, "start"_a)
      .def(
          "offer",
          [](SearchTask& self, const ArrayIn<std::int64_t>& parent_offsets,
             const ArrayIn<VariableId>& parents, const ArrayIn<double>& local_scores,
             const ArrayIn<VariableId>& elimination_order, double score, std::uint64_t step) {
            self.incumbent.offer(score, step, [&](Found& found) {
              found.families = {to_vector(parent_offsets), to_vector(parents), to_vector(local_scores)};
              found.elimination_order = to_vector(elimination_order);
            });
          },
          "parent_offsets"_a, "parents"_a, "local_scores"_a, "elimination_order"_a, "score"_a, "step"_a,
          "For solvers written in Python.")
      .def_prop_ro("problem", [](const SearchTask& self) -> const SearchProblem& { return self.problem; })
      .def_ro("seed", &SearchTask::seed)
      .def_ro("start", &SearchTask::start)
      .def_prop_ro("is_optimal", [](const SearchTask& self) { return self.incumbent.is_optimal(); })
      .def_prop_ro("has_found", [](const SearchTask& self) { return self.incumbent.has_found(); })
      .def_prop_ro("best", [](const SearchTask& self) { return self.incumbent.best(); })
      .def_prop_ro("trace", [](const SearchTask& self) {
        std::vector<std::tuple<double, std::uint64_t, double>> trace;
        for (const auto& [seconds, step, score] : self.incumbent.trace())
          trace.emplace_back(seconds, step, score);
        return trace;
      });
}

}  // namespace

void bind_search(nb::module_& module) {
  bind_found(module);
  bind_problem(module);
  bind_task(module);
  module.def("upper_bound", &upper_bound, "problem"_a, "run"_a, WithoutGil());
}

}  // namespace treebound
