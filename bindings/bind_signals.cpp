// Signals that end the process at once. Python handles a signal only between two of its own instructions, and
// a long call of a library, such as reading a large JSON file, is one instruction.
#include <signal.h>
#if !defined(_WIN32)
#include <unistd.h>
#endif

#include <cstdlib>

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

#if defined(_WIN32)
  // Windows has no sigaction, and resets a handler before it is called, which does not matter to one that
  // exits.
  void enter() {
    exit_code = code_;
    const auto leave = [](int) { std::_Exit(exit_code); };
    interrupt_before_ = signal(SIGINT, leave);
    terminate_before_ = signal(SIGTERM, leave);
  }
  void exit() {
    signal(SIGINT, interrupt_before_);
    signal(SIGTERM, terminate_before_);
  }

 private:
  int code_;
  void (*interrupt_before_)(int) = SIG_DFL;
  void (*terminate_before_)(int) = SIG_DFL;
#else
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
#endif
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
