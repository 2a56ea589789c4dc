// Conversion between numpy arrays and C++ arrays. Input arrays are not copied.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "growing_array.hpp"
#include "narrow_array.hpp"

namespace volition {

template <typename T>
using InputArray =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <typename T>
using OutputArray = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;

template <typename T>
std::span<const T> view(const InputArray<T>& array) {
  return {array.data(), array.size()};
}

// Returns an index given by Python. Raises IndexError if it is out of range.
template <typename Index>
Index checked(Index index, std::size_t size) {
  if (index >= size) {
    throw nanobind::index_error("there is no such state, choice, slot or function");
  }
  return index;
}

// Returns a Python capsule that owns the memory of a numpy array.
template <typename Owner>
nanobind::capsule owning_capsule(std::unique_ptr<Owner> owner) {
  return nanobind::capsule(owner.release(),
                           [](void* memory) noexcept { delete static_cast<Owner*>(memory); });
}

// Moves the memory of a vector into a numpy array; read-only if `As` is const.
template <typename T, typename As = T>
OutputArray<As> to_numpy(std::vector<T>&& values) {
  static_assert(sizeof(T) == sizeof(As));
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  auto* data = reinterpret_cast<As*>(owned->data());
  const std::size_t size = owned->size();
  return OutputArray<As>(data, {size}, owning_capsule(std::move(owned)));
}

// Shares the current contents of a growing array as a read-only numpy array. It does not change
// when the exploration continues.
template <typename T>
OutputArray<const T> snapshot(GrowingArray<T>& array) {
  auto shared = std::make_unique<std::shared_ptr<const T>>(array.share());
  const T* data = shared->get();
  return OutputArray<const T>(data, {array.size()}, owning_capsule(std::move(shared)));
}

inline nanobind::object snapshot(NarrowArray& array) {
  auto shared = std::make_unique<std::shared_ptr<const std::uint8_t>>(array.share());
  const std::uint8_t* data = shared->get();
  const std::size_t size = array.size();
  const auto as = [&]<typename T>(const T* numbers) {
    return nanobind::cast(OutputArray<const T>(numbers, {size}, owning_capsule(std::move(shared))));
  };
  switch (array.width()) {
    case 1:
      return as(data);
    case 2:
      return as(reinterpret_cast<const std::uint16_t*>(data));
    default:
      return as(reinterpret_cast<const std::uint32_t*>(data));
  }
}

}  // namespace volition
