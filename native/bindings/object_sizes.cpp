#include "object_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "bindings.hpp"

namespace nb = nanobind;

namespace volition {

namespace {

// Size of the header that the garbage collector puts in front of an object.
constexpr std::size_t kBytesForCollector = 16;
constexpr std::size_t kAlignment = 16;  // granularity of Python's allocator

bool is_data(PyObject* object) {
  return object != Py_None && !PyBool_Check(object) && !PyType_Check(object) &&
         !PyModule_Check(object) && !PyFunction_Check(object) && !PyCFunction_Check(object) &&
         !PyMethod_Check(object);
}

std::size_t hash(std::uintptr_t address) {
  return static_cast<std::size_t>((address >> 4) * 0x9e3779b97f4a7c15u >> 20);
}

}  // namespace

ObjectSizes::ObjectSizes() : size_of_(nb::module_::import_("sys").attr("getsizeof")) {
  table_.resize(1024);
  std::fill_n(table_.data(), table_.size(), 0);
}

std::size_t ObjectSizes::add(nb::handle object) {
  const std::size_t before = table_.bytes();
  std::size_t bytes = 0;
  if (insert(object.ptr())) waiting_.push_back(object.ptr());
  while (!waiting_.empty()) {
    PyObject* here = waiting_.back();
    waiting_.pop_back();
    bytes += size_of(here);
    if (PyFloat_Check(here) && std::isnan(PyFloat_AS_DOUBLE(here))) found_nan_ = true;
    if (Py_TYPE(here)->tp_traverse == nullptr) continue;
    const auto visit = [](PyObject* part, void* self) {
      auto& sizes = *static_cast<ObjectSizes*>(self);
      if (sizes.insert(part)) sizes.waiting_.push_back(part);
      return 0;
    };
    Py_TYPE(here)->tp_traverse(here, visit, this);
  }
  return bytes + table_.bytes() - before;
}

std::size_t ObjectSizes::size_of(PyObject* object) const {
  std::size_t size = 0;
  if (PyTuple_CheckExact(object)) {  // the common case; calling Python is slow
    size = kBytesForCollector +
           static_cast<std::size_t>(PyTuple_Type.tp_basicsize +
                                    PyTuple_Type.tp_itemsize * PyTuple_GET_SIZE(object));
  } else {
    size = nb::cast<std::size_t>(size_of_(nb::handle(object), 0));
  }
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

bool ObjectSizes::insert(PyObject* object) {
  if (object == nullptr || !is_data(object)) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = hash(address) & mask; table_[i] != 0; i = (i + 1) & mask) {
    if (table_[i] == address) return false;
  }
  if (4 * (size_ + 1) > 3 * table_.size()) {
    GrowingArray<std::uintptr_t> old;
    old.swap(table_);
    table_.resize(2 * old.size());
    std::fill_n(table_.data(), table_.size(), 0);
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (old[i] != 0) insert_unchecked(old[i]);
    }
  }
  insert_unchecked(address);
  ++size_;
  return true;
}

void ObjectSizes::insert_unchecked(std::uintptr_t address) {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = hash(address) & mask;
  while (table_[i] != 0) i = (i + 1) & mask;
  table_[i] = address;
}

void bind_object_sizes(nb::module_& m) {
  nb::class_<ObjectSizes>(m, "ObjectSizes")
      .def(nb::init<>())
      .def("add", &ObjectSizes::add, nb::arg("thing").none())
      .def_prop_ro("found_nan", &ObjectSizes::found_nan);
}

}  // namespace volition
