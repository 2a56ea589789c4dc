// A growing array of plain values whose memory can be handed to numpy as it is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace volition {

// Grows by realloc, which moves pages instead of copying them once an array is large: unlike std::vector, a growing
// array of gigabytes never exists twice.
template <typename T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowingArray() = default;
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;
  GrowingArray(GrowingArray&& other) noexcept { swap(other); }
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~GrowingArray() { std::free(data_); }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  // Memory in use: what is reserved beyond the size has not been touched, so the machine has not provided it yet.
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] T& back() { return data_[size_ - 1]; }

  void push_back(T value) {
    if (size_ == capacity_) reserve(size_ + 1);
    data_[size_++] = value;
  }
  void clear() { size_ = 0; }
  void truncate(std::size_t size) { size_ = size; }
  // New elements are uninitialised.
  void resize(std::size_t size) {
    reserve(size);
    size_ = size;
  }
  void append(const T* values, std::size_t count) {
    reserve(size_ + count);
    std::copy_n(values, count, data_ + size_);
    size_ += count;
  }
  void reserve(std::size_t size) {
    if (size <= capacity_) return;
    const std::size_t capacity = std::max({size, capacity_ + capacity_ / 2, std::size_t{16}});
    void* moved = std::realloc(static_cast<void*>(data_), capacity * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(moved);
    capacity_ = capacity;
  }
  void swap(GrowingArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace volition
