// Asserts state what a function relies on. They are compiled out of a release build; the sanitized builds
// have them all (see CMakeLists.txt).
//
// Cheap ones are plain `assert`. Checks of a whole object, is_valid(), are made where an operation ends that
// changed it, if the environment variable TREEBOUND_CHECK_OBJECTS is set: `make core-api`.
#pragma once

#include <cassert>
#include <cstdlib>

#ifdef NDEBUG
#define TREEBOUND_ASSERT_VALID(object) static_cast<void>(0)
#else
namespace treebound {
inline bool checks_objects() {
  static const bool is_on = std::getenv("TREEBOUND_CHECK_OBJECTS") != nullptr;
  return is_on;
}
}  // namespace treebound
#define TREEBOUND_ASSERT_VALID(object) assert(!checks_objects() || (object).is_valid())
#endif
