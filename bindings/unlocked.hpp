#pragma once

#include <nanobind/nanobind.h>

#if defined(__GLIBC__)
#include <cxxabi.h>
#include <unistd.h>
#endif

namespace treebound {

/// Lets other Python threads run while the core works.
///
/// A daemon thread that comes back once the interpreter is being taken down is ended by Python, which unwinds
/// its stack. nanobind's functions are noexcept, so that would abort the process. Such a thread sleeps
/// instead, as from Python 3.14 on, until the process is gone.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

  ~Unlocked() {
#if defined(__GLIBC__)
    try {
      PyEval_RestoreThread(state_);
    } catch (const abi::__forced_unwind&) {
      for (;;) pause();
    }
#else
    PyEval_RestoreThread(state_);
#endif
  }

 private:
  PyThreadState* state_;
};

/// For functions that are bound as they are.
using WithoutGil = nanobind::call_guard<Unlocked>;

/// Returns work(), during which other Python threads may run.
template <typename Work>
auto without_gil(Work work) {
  const Unlocked unlocked;
  return work();
}

}  // namespace treebound
