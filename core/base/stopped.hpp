// How work ends that cannot hand back a part of its answer: it throws when its run is stopped.
#pragma once

#include <exception>

#include "base/run.hpp"

namespace treebound {

struct Stopped : std::exception {
  const char* what() const noexcept override { return "The run was stopped."; }
};

/// Goes on if another worker of the run has failed: that failure is to reach the caller.
inline void throw_if_requested(const Run& run) {
  if (run.stop_requested()) throw Stopped{};
}

}  // namespace treebound
