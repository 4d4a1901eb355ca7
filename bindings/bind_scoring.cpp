#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "arrays.hpp"
#include "base/free_memory.hpp"
#include "bindings.hpp"
#include "data/dataset.hpp"
#include "scoring/counting/set_counts.hpp"
#include "scoring/families/family_rules.hpp"
#include "scoring/families/family_scorer.hpp"
#include "scoring/local_score.hpp"
#include "scoring/selection/counted_search.hpp"
#include "scoring/selection/scoring_job.hpp"
#include "unlocked.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {
namespace {

/// Visited sets of independence selection as arrays, so a search can be saved and taken up again.
nb::dict save_visited(ScoringJob& job) {
  std::vector<std::int64_t> num_visited;
  std::vector<std::uint8_t> sizes, statuses;
  std::vector<VariableId> members;
  std::vector<double> scores, bests, losses;
  std::vector<Term> parent_terms;
  std::vector<std::uint32_t> configurations;
  job.for_each_state([&](VariableId, const IndependenceState& state) {
    num_visited.push_back(static_cast<std::int64_t>(state.visited.size()));
    for (std::size_t i = 0; i < state.visited.size(); ++i) {
      const VisitedSet& set = state.visited[i];
      const auto of_set = state.members_of(set);
      members.insert(members.end(), of_set.begin(), of_set.end());
      sizes.push_back(set.size);
      statuses.push_back(static_cast<std::uint8_t>(set.status));
      scores.push_back(set.score);
      bests.push_back(set.best);
      losses.push_back(set.loss);
      parent_terms.push_back(set.parent_term);
      configurations.push_back(set.num_configurations);
    }
  });
  nb::dict arrays;
  arrays["num_visited"] = to_numpy(std::move(num_visited));
  arrays["size"] = to_numpy(std::move(sizes));
  arrays["status"] = to_numpy(std::move(statuses));
  arrays["members"] = to_numpy(std::move(members));
  arrays["score"] = to_numpy(std::move(scores));
  arrays["best"] = to_numpy(std::move(bests));
  arrays["loss"] = to_numpy(std::move(losses));
  arrays["parent_term"] = to_numpy(std::move(parent_terms));
  arrays["configurations"] = to_numpy(std::move(configurations));
  return arrays;
}

void restore_visited(ScoringJob& job, ArrayIn<std::int64_t> num_visited, ArrayIn<std::uint8_t> size,
                     ArrayIn<std::uint8_t> status, ArrayIn<VariableId> members, ArrayIn<double> score,
                     ArrayIn<double> best, ArrayIn<double> loss, ArrayIn<Term> parent_term,
                     ArrayIn<std::uint32_t> configurations) {
  std::size_t set = 0, member = 0;
  for (VariableId v = 0; v < num_visited.size(); ++v) {
    for (std::int64_t i = 0; i < num_visited.data()[v]; ++i, ++set) {
      const ScoredSet scored{.score = score.data()[set],
                             .best = best.data()[set],
                             .parent_states = 0,  // follows from the members
                             .loss = loss.data()[set],
                             .parent_term = parent_term.data()[set],
                             .num_configurations = configurations.data()[set]};
      job.state(v).add({members.data() + member, size.data()[set]}, scored,
                       static_cast<VisitedSet::Status>(status.data()[set]));
      member += size.data()[set];
    }
  }
}

nb::dict to_arrays(ScoringResult&& result) {
  nb::dict arrays;
  arrays["set_offsets"] = to_numpy(std::move(result.cache.set_offsets));
  arrays["scores"] = to_numpy(std::move(result.cache.scores));
  arrays["parent_offsets"] = to_numpy(std::move(result.cache.parent_offsets));
  arrays["parents"] = to_numpy(std::move(result.cache.parents));
  arrays["complete"] = to_numpy(std::move(result.is_finished));
  nb::dict removed;
  for (std::size_t i = 0; i < kNumRules; ++i) removed[kRuleNames[i]] = result.report.removed[i];
  arrays["removed"] = removed;
  arrays["implied"] = nb::cast(result.report.implied);
  return arrays;
}

nb::dict result_arrays(ScoringJob& job, std::size_t num_threads) {
  return to_arrays(without_gil([&] { return job.result(num_threads); }));
}

RuleSet as_rule_set(const std::vector<Rule>& rules) {
  RuleSet on;
  for (const Rule rule : rules) on.add(rule);
  return on;
}

/// Counts of the joint states of sets: each row of `sets` is one.
ArrayOut<std::int64_t> count_sets(const Dataset& data, MatrixIn<VariableId> sets) {
  std::vector<std::int64_t> counts;
  {
    Unlocked release;
    SetCounter counter(data);
    for (std::size_t i = 0; i < sets.shape(0); ++i) {
      const std::span set(sets.data() + i * sets.shape(1), sets.shape(1));
      std::size_t num_states = 1;
      for (const VariableId v : set) num_states *= data.cardinality(v);
      counts.resize(counts.size() + num_states);
      counter.count(set, counts.data() + counts.size() - num_states);
    }
  }
  return to_numpy(std::move(counts));
}

nb::dict set_terms_arrays(const LocalScore& score, ArrayIn<std::uint32_t> cardinalities,
                          MatrixIn<VariableId> sets, ArrayIn<std::int64_t> counts) {
  SetTerms terms = without_gil([&] {
    return set_terms(score, as_span(cardinalities), sets.shape(1), {sets.data(), sets.size()},
                     as_span(counts));
  });
  nb::dict arrays;
  arrays["joint"] = to_numpy(std::move(terms.joint));
  arrays["others"] = to_numpy(std::move(terms.others));
  arrays["configurations"] = to_numpy(std::move(terms.num_configurations));
  return arrays;
}

ArrayOut<double> scores_of_terms(const LocalScore& score, ArrayIn<Term> joint, ArrayIn<Term> parents,
                                 ArrayIn<double> child_states, ArrayIn<double> parent_states) {
  std::vector<double> scores(joint.size());
  for (std::size_t i = 0; i < scores.size(); ++i)
    scores[i] =
        score.score({joint.data()[i], parents.data()[i], 0}, child_states.data()[i], parent_states.data()[i]);
  return to_numpy(std::move(scores));
}

void bind_counted_search(nb::module_& module) {
  module.def("count_sets", &count_sets, "data"_a, "sets"_a,
             "Counts of the joint states of sets of ascending variables, by the codes of the table.");
  module.def(
      "set_terms", &set_terms_arrays, "score"_a, "cardinalities"_a, "sets"_a, "counts"_a,
      nb::sig("def set_terms(score: LocalScore, cardinalities: numpy.typing.NDArray[typing.Any], sets: "
              "numpy.typing.NDArray[typing.Any], counts: numpy.typing.NDArray[typing.Any]) -> dict[str, "
              "typing.Any]"),
      "The sums that scores are made of, from the counts of sets.");
  nb::class_<CountedSearch>(module, "CountedSearch", "Exhaustive search whose rows are stored elsewhere.")
      .def(
          "__init__",
          [](CountedSearch* self, std::size_t num_rows, std::vector<std::uint32_t> cardinalities,
             const LocalScore& score, const std::shared_ptr<PairTerms>& pairs, std::size_t max_parents,
             const std::vector<Rule>& rules, const FamilyRules& families, std::uint64_t max_sets,
             ArrayIn<VariableId> children) {
            new (self)
                CountedSearch(std::make_shared<const Dataset>(num_rows, std::move(cardinalities)), score,
                              pairs, as_rule_set(rules), families, max_parents, max_sets, as_span(children));
          },
          "num_rows"_a, "cardinalities"_a, "score"_a, "pairs"_a, "max_parents"_a, "rules"_a, "families"_a,
          "max_sets"_a, "children"_a)
      .def(
          "wanted",
          [](CountedSearch& self) {
            auto families = without_gil([&] { return self.wanted(); });
            return nb::make_tuple(families.num_parents, to_numpy(std::move(families.children)),
                                  to_numpy(std::move(families.parents)));
          },
          nb::sig("def wanted(self) -> tuple[int, numpy.typing.NDArray[typing.Any], "
                  "numpy.typing.NDArray[typing.Any]]"))
      .def(
          "settle",
          [](CountedSearch& self, ArrayIn<Term> joint, ArrayIn<Term> parents,
             ArrayIn<std::uint32_t> configurations) {
            Unlocked release;
            std::vector<FamilyTerms> terms(joint.size());
            for (std::size_t i = 0; i < terms.size(); ++i)
              terms[i] = {joint.data()[i], parents.data()[i], configurations.data()[i]};
            self.settle(terms);
          },
          "joint"_a, "parents"_a, "configurations"_a)
      .def_prop_ro("num_steps", &CountedSearch::num_steps)
      .def(
          "result", [](const CountedSearch& self) { return to_arrays(self.result()); },
          nb::sig("def result(self) -> dict[str, typing.Any]"));
}

}  // namespace

void bind_scoring(nb::module_& module) {
  nb::class_<LocalScore>(module, "LocalScore", "A decomposable score of families.")
      .def("scores", &scores_of_terms, "joint"_a, "parents"_a, "child_states"_a, "parent_states"_a,
           "Scores of families, from their sums and the sizes of the state spaces.");
  nb::class_<Bic, LocalScore>(module, "Bic")
      .def(nb::init<std::size_t, double>(), "num_rows"_a, "penalty"_a = 1.0);
  nb::class_<Bdeu, LocalScore>(module, "Bdeu")
      .def(nb::init<std::size_t, double>(), "num_rows"_a, "equivalent_sample_size"_a);

  nb::class_<FamilyRules>(module, "FamilyRules", "Which families may be chosen.")
      .def(nb::init<>())
      .def(
          "__init__",
          [](FamilyRules* self, const ArrayIn<std::int64_t>& offsets, const ArrayIn<VariableId>& required,
             const ArrayIn<std::uint32_t>& row_of, const ArrayIn<std::uint8_t>& rows,
             const ArrayIn<std::uint32_t>& max_parents, const ArrayIn<std::uint8_t>& undecided) {
            new (self)
                FamilyRules(to_vector(offsets), to_vector(required), {to_vector(row_of), to_vector(rows)},
                            to_vector(max_parents), to_vector(undecided));
          },
          "offsets"_a, "required"_a, "row_of"_a, "rows"_a, "max_parents"_a, "undecided"_a)
      .def(
          "allows",
          [](const FamilyRules& self, VariableId child, const std::vector<VariableId>& parents) {
            return self.allows(child, parents);
          },
          "child"_a, "parents"_a)
      .def("allows_parent", &FamilyRules::allows_parent, "child"_a, "parent"_a);

  nb::class_<FamilyScorer>(module, "FamilyScorer", "Scores families of one child at a time.")
      .def(nb::init<const Dataset&, const LocalScore&>(), "data"_a, "score"_a, nb::keep_alive<1, 2>())
      .def("begin", &FamilyScorer::begin, "child"_a)
      .def(
          "score",
          [](FamilyScorer& self, ArrayIn<VariableId> parents) { return self.score(as_span(parents)); },
          "parents"_a);

  module.def("return_free_memory", &return_free_memory, WithoutGil(),
             "Give memory that was freed back to the system.");

  nb::enum_<Rule> rules(module, "Rule");
  for (std::size_t i = 0; i < kNumRules; ++i) rules.value(kRuleNames[i], static_cast<Rule>(i));

  nb::class_<PairTerms>(module, "PairTerms", "What is known of all pairs of variables.")
      .def(
          "__init__",
          [](PairTerms* self, ArrayIn<Term> singles, ArrayIn<std::uint32_t> num_occurring, Term empty,
             ArrayIn<Term> pairs) {
            new (self) PairTerms(to_vector(singles), to_vector(num_occurring), empty, as_span(pairs));
          },
          "singles"_a, "num_occurring"_a, "empty"_a, "pairs"_a);
  module.def(
      "count_pair_rows",
      [](const Dataset& data, const LocalScore& score, Run& run, VariableId first, VariableId end) {
        return to_numpy(without_gil([&] { return count_pair_rows(data, score, run, first, end); }));
      },
      "data"_a, "score"_a, "run"_a, "first"_a, "end"_a,
      "Sums of the pairs of some variables with all before.");
  bind_counted_search(module);

  nb::class_<ScoringJob> job(module, "ScoringJob", "Parent set identification for all variables.");
  nb::enum_<ScoringOptions::Method>(job, "Method")
      .value("exhaustive", ScoringOptions::Method::exhaustive)
      .value("independence", ScoringOptions::Method::independence);
  job.def(
         "__init__",
         [](ScoringJob* self, const Dataset& data, const LocalScore& score, ScoringOptions::Method method,
            std::size_t max_parents, const std::vector<Rule>& rules, const FamilyRules& families,
            std::size_t max_visited_per_variable, std::size_t max_pairs, ArrayIn<VariableId> variables,
            const std::shared_ptr<PairTerms>& pairs) {
           const RuleSet on = as_rule_set(rules);
           new (self) ScoringJob(data, score,
                                 {method, max_parents, on, max_visited_per_variable, max_pairs, families},
                                 to_vector(variables), pairs);
         },
         "data"_a, "score"_a, "method"_a, "max_parents"_a, "rules"_a, "families"_a,
         "max_visited_per_variable"_a, "max_pairs"_a, "variables"_a, "pairs"_a.none() = nb::none(),
         nb::keep_alive<1, 2>())
      .def("work", &ScoringJob::work, "run"_a, WithoutGil())
      .def(
          "work_turn",
          [](ScoringJob& self, Run& run, ArrayIn<VariableId> todo, std::uint64_t steps_each) {
            Unlocked release;
            return self.work_turn(run, as_span(todo), steps_each);
          },
          "run"_a, "todo"_a, "steps_each"_a)
      .def_static("steps_of_turn", &ScoringJob::steps_of_turn, "method"_a, "turn"_a, "steps_left"_a,
                  "num_unfinished"_a)
      .def("unfinished", [](ScoringJob& self) { return to_numpy(self.unfinished()); })
      .def_prop_ro("pairs", &ScoringJob::pairs)
      .def_prop_ro("has_result", [](ScoringJob& self) { return self.has_result(); })
      .def_prop_ro("is_finished", [](ScoringJob& self) { return self.is_finished(); })
      .def("result", &result_arrays, "num_threads"_a,
           nb::sig("def result(self, num_threads: int) -> dict[str, typing.Any]"))
      .def("save_visited", &save_visited, nb::sig("def save_visited(self) -> dict[str, typing.Any]"))
      .def("restore_visited", &restore_visited, "num_visited"_a, "size"_a, "status"_a, "members"_a, "score"_a,
           "best"_a, "loss"_a, "parent_term"_a, "configurations"_a)
      .def("restore_state_finished", &ScoringJob::restore_state_finished, "variable"_a)
      .def(
          "restore_finished",
          [](ScoringJob& self, VariableId v, ArrayIn<double> scores, ArrayIn<std::int64_t> ends,
             ArrayIn<VariableId> parents) {
            ParentSetList kept;
            std::size_t begin = 0;
            for (std::size_t i = 0; i < scores.size(); ++i) {
              const auto end = static_cast<std::size_t>(ends.data()[i]);
              kept.add({parents.data() + begin, end - begin}, scores.data()[i]);
              begin = end;
            }
            self.restore_finished(v, std::move(kept));
          },
          "variable"_a, "scores"_a, "ends"_a, "parents"_a);
}

}  // namespace treebound
