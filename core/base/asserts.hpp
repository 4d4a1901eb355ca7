// Asserts state what a function relies on. They are compiled out of a release build.
//
// Cheap ones are plain `assert`. Checks of a whole object, is_valid(), are made where an operation ends that
// changed it, and only in a build with TREEBOUND_ASSERTS: `make assert-core` (see CMakeLists.txt).
#pragma once

#include <cassert>

#ifdef TREEBOUND_ASSERTS
#define TREEBOUND_ASSERT_VALID(object) assert((object).is_valid())
#else
#define TREEBOUND_ASSERT_VALID(object) static_cast<void>(0)
#endif
