#include "base/parallel.hpp"
#include "base/run.hpp"
#include "base/stopped.hpp"
#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {

void bind_run(nb::module_& module) {
  nb::enum_<StopReason>(module, "StopReason")
      .value("FINISHED", StopReason::kFinished)
      .value("STEPS", StopReason::kSteps)
      .value("SECONDS", StopReason::kSeconds)
      .value("INTERRUPTED", StopReason::kInterrupted)
      .value("MEMORY", StopReason::kMemory)
      .value("OPTIMAL", StopReason::kOptimal)
      .value("STALLED", StopReason::kStalled);
  module.attr("OPTIMALITY_TOLERANCE") = kOptimalityTolerance;

  module.def("prepare_to_throw", &prepare_to_throw,
             "Call first in a new thread: allocates what it needs to raise an exception.");

  nb::exception<Stopped>(module, "Stopped");

  nb::class_<Run>(module, "Run", "Limits of long work, the request to stop it, and how far it has come.")
      .def(nb::init<double, std::uint64_t, std::uint32_t, double>(), "seconds"_a, "max_steps"_a,
           "num_threads"_a, "patience"_a = Run::kNeverStalls)
      .def_prop_ro_static("NO_LIMIT", [](nb::handle) { return Run::kNoLimit; })
      .def("request_stop", &Run::request_stop)
      .def_prop_ro("stop_requested", &Run::stop_requested)
      .def_prop_ro("should_stop", &Run::should_stop)
      .def("end", &Run::end, "reason"_a)
      .def_prop_ro("reason", &Run::reason)
      .def_prop_ro("elapsed", &Run::elapsed)
      .def_prop_ro(
          "seconds",
          [](const Run& self) {
            return self.has_deadline() ? std::chrono::duration<double>(self.deadline() - self.start()).count()
                                       : HUGE_VAL;
          },
          "Of the budget; infinity if it has none.")
      .def_prop_ro("max_steps", &Run::max_steps)
      .def_prop_ro("num_threads", &Run::num_threads)
      .def_prop_rw(
          "num_steps", [](const Run& self) { return self.num_steps.load(); },
          [](Run& self, std::uint64_t steps) { self.num_steps = steps; })
      .def_prop_rw(
          "num_finished", [](const Run& self) { return self.num_finished.load(); },
          [](Run& self, std::uint64_t finished) { self.num_finished = finished; })
      .def_prop_rw(
          "score", [](const Run& self) { return self.score.load(); },
          [](Run& self, double score) { self.score = score; })
      .def_prop_rw(
          "bound", [](const Run& self) { return self.bound.load(); },
          [](Run& self, double bound) { self.bound = bound; });
  module.def(
      "hide_leaks", [] { nb::set_leak_warnings(false); },
      "Report no objects as leaked: threads that outlive the interpreter never free theirs.");
}

}  // namespace treebound
