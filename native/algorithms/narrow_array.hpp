// Growing array of integers that uses one, two or four bytes per element: as many as the largest
// value needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "growing_array.hpp"

namespace volition {

// Growing array of integers of one, two or four bytes. Memory that was shared (`share`) never
// changes, as in GrowingArray.
class NarrowArray {
 public:
  [[nodiscard]] std::size_t size() const { return memory_.size() / width_; }
  [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }
  // Returns the number of bytes per element.
  [[nodiscard]] std::size_t width() const { return width_; }

  std::uint32_t operator[](std::size_t i) const {
    switch (width_) {
      case 1:
        return memory_[i];
      case 2:
        return load<std::uint16_t>(i);
      default:
        return load<std::uint32_t>(i);
    }
  }

  void push_back(std::uint32_t value) {
    if (value > max_value_) widen(value);
    append(memory_, width_, value);
  }
  void truncate(std::size_t size) { memory_.truncate(size * width_); }

  // Shares the memory of the current elements, `width()` bytes each.
  [[nodiscard]] std::shared_ptr<const std::uint8_t> share() { return memory_.share(); }
  // Replaces the contents by memory owned elsewhere, with `width` bytes per element.
  void adopt(std::shared_ptr<const std::uint8_t> numbers, std::size_t size, std::size_t width) {
    memory_.adopt(std::move(numbers), size * width);
    set_width(width);
  }

 private:
  template <typename T>
  [[nodiscard]] std::uint32_t load(std::size_t i) const {
    T value;
    std::memcpy(&value, memory_.data() + i * sizeof(T), sizeof(T));
    return value;
  }

  static void append(GrowingArray<std::uint8_t>& memory, std::size_t width, std::uint32_t value) {
    const auto as_narrow = [&](auto narrow) {
      memory.append(reinterpret_cast<const std::uint8_t*>(&narrow), sizeof(narrow));
    };
    if (width == 1) {
      as_narrow(static_cast<std::uint8_t>(value));
    } else if (width == 2) {
      as_narrow(static_cast<std::uint16_t>(value));
    } else {
      as_narrow(value);
    }
  }

  void widen(std::uint32_t value) {
    const std::size_t width = value <= std::numeric_limits<std::uint16_t>::max() ? 2 : 4;
    GrowingArray<std::uint8_t> wider;
    wider.reserve((size() + 1) * width);
    for (std::size_t i = 0; i < size(); ++i) append(wider, width, (*this)[i]);
    memory_.swap(wider);
    set_width(width);
  }

  void set_width(std::size_t width) {
    width_ = width;
    max_value_ = std::numeric_limits<std::uint32_t>::max() >> (32 - 8 * width);
  }

  GrowingArray<std::uint8_t> memory_;
  std::size_t width_ = 1;
  std::uint32_t max_value_ = std::numeric_limits<std::uint8_t>::max();
};

}  // namespace volition
