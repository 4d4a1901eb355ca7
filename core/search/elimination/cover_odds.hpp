// How often covering a family succeeds, by the length of the tree paths that join its members.
//
// Eliminating long paths again costs most and nearly always fails: with tight bags each node on the way is
// one more place where the bound can break. How soon odds fall depends on the problem and on how full the
// network is, so they are counted while the search goes on. Lengths that have nearly always failed are tried
// only now and then, to notice when that changes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace treebound {

class CoverOdds {
 public:
  /// Whether paths with so many nodes deserve a test.
  bool is_worth_a_test(std::size_t length) {
    Class& found = of(length);
    return found.num_successes * kLeastOdds >= found.num_tests || ++found.num_passed % kTestOneOf == 0;
  }

  void note(std::size_t length, bool is_success) {
    Class& found = of(length);
    ++found.num_tests;
    found.num_successes += is_success;
    if (found.num_tests < kMemory) return;
    found.num_tests /= 2;
    found.num_successes /= 2;
  }

 private:
  static constexpr std::uint32_t kLeastOdds = 50;  // one success in so many tests
  static constexpr std::uint32_t kTestOneOf = 32;  // of what is not worth a test
  static constexpr std::uint32_t kMemory = 4096;   // tests after which older ones count half
  static constexpr std::size_t kNodesPerClass = 4;
  static constexpr std::size_t kNumClasses = 16;

  struct Class {
    std::uint32_t num_tests = 0, num_successes = 0, num_passed = 0;
  };

  Class& of(std::size_t length) { return classes_[std::min(length / kNodesPerClass, kNumClasses - 1)]; }

  std::array<Class, kNumClasses> classes_{};
};

}  // namespace treebound
