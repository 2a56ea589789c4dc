// How much memory Python objects take.  Each object is counted once, however many values share it.
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

  // What keeping this object costs in bytes beyond what is counted already: itself and everything that it refers to, without
  // types, functions and modules.  Whoever calls keeps the object, so that an address stands for one object for ever.
  std::size_t add(nanobind::handle object);

  // Whether a float that is not a number was among what was counted.
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
