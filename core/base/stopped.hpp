// How work that has no partial result ends: it throws when its run is stopped.
#pragma once

#include <exception>

#include "base/run.hpp"

namespace treebound {

struct Stopped : std::exception {
  const char* what() const noexcept override { return "The run was stopped."; }
};

/// Does nothing if another worker of the run has failed: the caller must see that failure.
inline void throw_if_requested(const Run& run) {
  if (run.stop_requested()) throw Stopped{};
}

}  // namespace treebound
