// Compressed array of start offsets of many short lists. An offset takes about two bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "growing_array.hpp"
#include "narrow_array.hpp"

namespace volition {

// Ascending sequence of integers, stored in blocks of kBlock elements. The first value of each
// block is stored in full. Every element is stored as its difference from that value.
class Offsets {
 public:
  static constexpr std::size_t kBlock = 64;

  [[nodiscard]] std::size_t size() const { return deltas_.size(); }
  [[nodiscard]] std::size_t bytes() const { return block_first_.bytes() + deltas_.bytes(); }
  std::uint64_t operator[](std::size_t i) const { return block_first_[i / kBlock] + deltas_[i]; }
  [[nodiscard]] std::uint64_t back() const { return (*this)[size() - 1]; }

  void push_back(std::uint64_t value) {
    if (size() % kBlock == 0) block_first_.push_back(value);
    const std::uint64_t delta = value - block_first_.back();
    if (delta > std::numeric_limits<std::uint32_t>::max()) {
      throw std::length_error("a state has too many transitions");
    }
    deltas_.push_back(static_cast<std::uint32_t>(delta));
  }

  // Return the underlying arrays, so that callers can share their memory or replace it by memory
  // owned elsewhere.
  [[nodiscard]] GrowingArray<std::uint64_t>& block_first() { return block_first_; }
  [[nodiscard]] NarrowArray& deltas() { return deltas_; }

 private:
  GrowingArray<std::uint64_t> block_first_;
  NarrowArray deltas_;
};

}  // namespace volition
