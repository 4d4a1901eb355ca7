// Signals that end the process on the spot. Python hears a signal only between two of its own steps, and a
// long call of a library, such as that which reads a large file of JSON, is one step.
#include <signal.h>
#include <unistd.h>

#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace treebound {
namespace {

volatile sig_atomic_t exit_code = 0;

/// While it is entered, Ctrl-C and SIGTERM exit with a code; afterwards they do what they did before.
class ExitOnSignals {
 public:
  explicit ExitOnSignals(int code) : code_(code) {}

  void enter() {
    exit_code = code_;
    struct sigaction action = {};
    action.sa_handler = [](int) { _exit(exit_code); };
    sigaction(SIGINT, &action, &interrupt_before_);
    sigaction(SIGTERM, &action, &terminate_before_);
  }
  void exit() {
    sigaction(SIGINT, &interrupt_before_, nullptr);
    sigaction(SIGTERM, &terminate_before_, nullptr);
  }

 private:
  int code_;
  struct sigaction interrupt_before_ = {}, terminate_before_ = {};
};

}  // namespace

void bind_signals(nb::module_& module) {
  nb::class_<ExitOnSignals>(module, "ExitOnSignals")
      .def(nb::init<int>(), "code"_a)
      .def("__enter__", &ExitOnSignals::enter)
      .def(
          "__exit__", [](ExitOnSignals& self, const nb::args&) { self.exit(); },
          nb::sig("def __exit__(self, *failure: object) -> None"));
}

}  // namespace treebound
