// Measures the memory used by Python objects. Each object counts once, even if several values share
// it.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "growing_array.hpp"

namespace volition {

class ObjectSizes {
 public:
  ObjectSizes();

  // Returns the bytes that the object adds to those already counted: itself and everything it
  // refers to, except types, functions and modules. The caller must keep the object alive, so that
  // its address stays unique.
  std::size_t add(nanobind::handle object);

  // Returns whether a NaN was among the counted objects.
  [[nodiscard]] bool found_nan() const { return found_nan_; }

 private:
  [[nodiscard]] std::size_t size_of(PyObject* object) const;
  bool insert(PyObject* object);
  void insert_unchecked(std::uintptr_t address);

  nanobind::object size_of_;
  std::size_t size_ = 0;
  GrowingArray<std::uintptr_t> table_;  // open addressing; 0 is free
  std::vector<PyObject*> waiting_;
  bool found_nan_ = false;
};

}  // namespace volition
