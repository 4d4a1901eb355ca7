#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <exception>

#include "arrays.hpp"
#include "bindings.hpp"
#include "search/ktree/k_astar.hpp"
#include "search/ktree/k_greedy.hpp"
#include "search/ktree/k_max.hpp"
#include "search/regrow/regrow.hpp"

namespace treebound {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

CacheView view(const ArrayIn<std::int64_t>& set_offsets, const ArrayIn<double>& scores,
               const ArrayIn<std::int64_t>& parent_offsets, const ArrayIn<VariableId>& parents) {
  return {as_span(set_offsets), as_span(scores), as_span(parent_offsets), as_span(parents)};
}

template <typename Value>
std::vector<Value> to_vector(const ArrayIn<Value>& array) {
  return {array.data(), array.data() + array.size()};
}

/// Lets Python notice Ctrl-C and hear about progress while the workers run. An exception of the callback
/// stops the search and is raised when it has stopped; Ctrl-C only stops it.
class Poll {
 public:
  explicit Poll(nb::object progress) : progress_(std::move(progress)) {}

  bool operator()(double seconds, std::uint64_t steps, const FoundStructure& best) {
    const nb::gil_scoped_acquire gil;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!progress_.is_none() && !error_)
        progress_(seconds, steps, nb::cast(best, nb::rv_policy::reference));
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_KeyboardInterrupt)) error_ = std::current_exception();
      return true;
    }
    return false;
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  nb::object progress_;
  std::exception_ptr error_;
};

template <typename Search>
SearchOutcome run_with_progress(const nb::object& progress, Search search) {
  Poll poll(progress);
  SearchOutcome outcome;
  {
    const nb::gil_scoped_release no_gil;
    outcome = search(std::ref(poll));
  }
  poll.rethrow();
  return outcome;
}

}  // namespace

void bind_search(nb::module_& module) {
  nb::enum_<CliquePolicy>(module, "CliquePolicy")
      .value("RANDOM", CliquePolicy::kRandom)
      .value("NEWEST", CliquePolicy::kNewest)
      .value("PARTNERS", CliquePolicy::kPartners);
  nb::enum_<OrderSampling>(module, "OrderSampling")
      .value("UNIFORM", OrderSampling::kUniform)
      .value("PARENTS_FIRST", OrderSampling::kParentsFirst)
      .value("PERTURBED", OrderSampling::kPerturbed);

  nb::class_<SearchProblem>(module, "SearchProblem")
      .def("__init__",
           [](SearchProblem* self, const ArrayIn<std::int64_t>& set_offsets, const ArrayIn<double>& scores,
              const ArrayIn<std::int64_t>& parent_offsets, const ArrayIn<VariableId>& parents,
              std::uint32_t max_treewidth) {
             new (self) SearchProblem(view(set_offsets, scores, parent_offsets, parents), max_treewidth);
           })
      .def_prop_ro("width", &SearchProblem::width);

  nb::class_<SearchLimits>(module, "SearchLimits")
      .def("__init__", [](SearchLimits* self, double seconds, std::uint64_t steps, std::uint32_t num_threads,
                          std::uint64_t seed, double start_score, const ArrayIn<VariableId>& start_order,
                          std::uint64_t first_step) {
        new (self) SearchLimits{
            seconds, steps, num_threads, seed, {start_score, to_vector(start_order), first_step}};
      });

  nb::class_<FoundStructure>(module, "FoundStructure")
      .def_ro("score", &FoundStructure::score)
      .def_ro("step", &FoundStructure::step)
      .def_ro("is_optimal_for_order", &FoundStructure::is_optimal_for_order)
      .def_prop_ro(
          "sets", [](const FoundStructure& self) { return to_numpy(std::vector(self.sets)); },
          nb::rv_policy::move)
      .def_prop_ro(
          "insertion_order",
          [](const FoundStructure& self) { return to_numpy(std::vector(self.insertion_order)); },
          nb::rv_policy::move)
      .def_prop_ro(
          "separators", [](const FoundStructure& self) { return to_numpy(std::vector(self.separators)); },
          nb::rv_policy::move)
      .def_prop_ro(
          "parent_offsets",
          [](const FoundStructure& self) { return to_numpy(std::vector(self.parent_offsets)); },
          nb::rv_policy::move)
      .def_prop_ro(
          "parents", [](const FoundStructure& self) { return to_numpy(std::vector(self.parents)); },
          nb::rv_policy::move)
      .def_prop_ro(
          "local_scores", [](const FoundStructure& self) { return to_numpy(std::vector(self.local_scores)); },
          nb::rv_policy::move)
      .def_prop_ro(
          "elimination_order",
          [](const FoundStructure& self) { return to_numpy(std::vector(self.elimination_order)); },
          nb::rv_policy::move);

  nb::class_<SearchOutcome>(module, "SearchOutcome")
      .def_ro("best", &SearchOutcome::best)
      .def_prop_ro("trace",
                   [](const SearchOutcome& self) {
                     std::vector<std::tuple<double, std::uint64_t, double>> trace;
                     for (const auto& [seconds, step, score] : self.trace)
                       trace.emplace_back(seconds, step, score);
                     return trace;
                   })
      .def_ro("steps", &SearchOutcome::steps)
      .def_ro("num_proved", &SearchOutcome::num_proved)
      .def_ro("num_skipped", &SearchOutcome::num_skipped)
      .def_ro("seconds", &SearchOutcome::seconds)
      .def_ro("reason", &SearchOutcome::reason);

  module.def(
      "search_k_greedy",
      [](const SearchProblem& problem, CliquePolicy policy, OrderSampling sampling,
         const ArrayIn<VariableId>& given, const SearchLimits& limits, const nb::object& progress) {
        const KGreedyOptions options{policy, {sampling, to_vector(given)}};
        return run_with_progress(progress, [&](const SearchPoll& poll) {
          return search_k_greedy(problem, options, limits, poll);
        });
      },
      "problem"_a, "policy"_a, "sampling"_a, "given"_a, "limits"_a, "progress"_a.none());
  nb::class_<KAStarOptions>(module, "KAStarOptions")
      .def(
          "__init__",
          [](KAStarOptions* self, CliquePolicy policy, OrderSampling sampling,
             const ArrayIn<VariableId>& given, std::uint32_t max_nodes, bool incumbent, bool tight_bound,
             bool conflicts, bool dominance, bool skip_beaten) {
            new (self) KAStarOptions{policy,      {sampling, to_vector(given)},
                                     max_nodes,   incumbent,
                                     tight_bound, conflicts,
                                     dominance,   skip_beaten};
          },
          "policy"_a, "sampling"_a, "given"_a, nb::kw_only(), "max_nodes"_a, "incumbent"_a, "tight_bound"_a,
          "conflicts"_a, "dominance"_a, "skip_beaten"_a);
  module.def(
      "search_k_astar",
      [](const SearchProblem& problem, const KAStarOptions& options, const SearchLimits& limits,
         const nb::object& progress) {
        return run_with_progress(
            progress, [&](const SearchPoll& poll) { return search_k_astar(problem, options, limits, poll); });
      },
      "problem"_a, "options"_a, "limits"_a, "progress"_a.none());
  module.def(
      "search_k_max",
      [](const SearchProblem& problem, CliquePolicy policy, bool vary_limit, bool refine,
         const ArrayIn<VariableId>& given, const SearchLimits& limits, const nb::object& progress) {
        const KMaxOptions options{policy, vary_limit, refine, to_vector(given)};
        return run_with_progress(
            progress, [&](const SearchPoll& poll) { return search_k_max(problem, options, limits, poll); });
      },
      "problem"_a, "policy"_a, "vary_limit"_a, "refine"_a, "given"_a, "limits"_a, "progress"_a.none());
  nb::class_<RegrowStart>(module, "RegrowStart")
      .def(nb::init<>())
      .def(
          "__init__",
          [](RegrowStart* self, const ArrayIn<std::int64_t>& parent_offsets,
             const ArrayIn<VariableId>& parents, const ArrayIn<double>& local_scores,
             const ArrayIn<VariableId>& elimination_order) {
            new (self) RegrowStart{to_vector(parent_offsets), to_vector(parents), to_vector(local_scores),
                                   to_vector(elimination_order)};
          },
          "parent_offsets"_a, "parents"_a, "local_scores"_a, "elimination_order"_a);
  module.def(
      "search_regrow",
      [](const SearchProblem& problem, std::uint32_t islands, double max_states,
         const ArrayIn<std::uint32_t>& cardinalities, const Dataset* data, const LocalScore* score,
         const RegrowStart& start, const SearchLimits& limits, const nb::object& progress) {
        const RegrowOptions options{islands, max_states, to_vector(cardinalities), {data, score}, start};
        return run_with_progress(
            progress, [&](const SearchPoll& poll) { return search_regrow(problem, options, limits, poll); });
      },
      "problem"_a, "islands"_a, "max_states"_a, "cardinalities"_a, "data"_a.none(), "score"_a.none(),
      "start"_a, "limits"_a, "progress"_a.none());
}

}  // namespace treebound
