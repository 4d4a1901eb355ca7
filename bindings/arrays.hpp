// The one place where numpy arrays meet spans and vectors.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <utility>
#include <vector>

#include "unlocked.hpp"

namespace treebound {

template <typename T>
using ArrayIn = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <typename T>
using MatrixIn = nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

/// A numpy matrix that the core writes into.
template <typename T>
using MatrixInOut = nanobind::ndarray<T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

template <typename T>
using ArrayOut = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;

template <typename T>
std::span<const T> as_span(const ArrayIn<T>& array) {
  return {array.data(), array.size()};
}

/// Hands a vector to numpy without a copy; the array owns it from then on.
template <typename T>
ArrayOut<T> to_numpy(std::vector<T>&& values) {
  auto* owned = new std::vector<T>(std::move(values));
  nanobind::capsule owner(owned,
                          [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return ArrayOut<T>(owned->data(), {owned->size()}, owner);
}

/// A new array of `size` numbers that fill(span) writes without the GIL.
template <typename Number, typename Fill>
ArrayOut<Number> filled(std::size_t size, Fill fill) {
  std::vector<Number> out(size);
  without_gil([&] { fill(std::span<Number>(out)); });
  return to_numpy(std::move(out));
}

template <typename Value>
std::vector<Value> to_vector(const ArrayIn<Value>& array) {
  return {array.data(), array.data() + array.size()};
}

}  // namespace treebound
