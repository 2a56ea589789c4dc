// Growing array of trivially copyable values whose memory can be shared without a copy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace volition {

// Growing array. It grows by realloc, which moves pages instead of copying large arrays. Unlike
// with std::vector, an array of gigabytes never exists twice while it grows.
//
// Shared memory (`share`) is never moved or written again: the first change after that copies the
// elements. The shared pointer keeps the memory alive even after the array is destroyed. Memory
// owned elsewhere, such as a mapped file, can be adopted in the same way (`adopt`).
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
  ~GrowingArray() {
    if (!shared_) std::free(data_);
  }

  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  // Returns the number of bytes in use. Reserved memory beyond the size does not count, because the
  // operating system provides it only when it is first written. Adopted memory does not count,
  // because it is owned elsewhere.
  [[nodiscard]] std::size_t bytes() const { return adopted_ ? 0 : size_ * sizeof(T); }
  // Write through the following three functions only if the array is not shared, or to elements
  // that were added after it was shared.
  T& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] T& back() { return data_[size_ - 1]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

  // Shares the current elements. They stay valid and unchanged as long as the pointer is held.
  [[nodiscard]] std::shared_ptr<const T> share() {
    if (!shared_) {
      shared_ = std::shared_ptr<T>(data_, [](T* memory) { std::free(memory); });
      capacity_ = size_;  // so that adding an element allocates new memory
    }
    return shared_;
  }

  // Replaces the contents by memory owned elsewhere, which must not change while the pointer is
  // held.
  void adopt(std::shared_ptr<const T> elements, std::size_t size) {
    GrowingArray adopted;
    adopted.shared_ = std::const_pointer_cast<T>(std::move(elements));
    adopted.data_ = adopted.shared_.get();
    adopted.size_ = adopted.capacity_ = size;
    adopted.adopted_ = true;
    swap(adopted);
  }

  void push_back(T value) {
    if (size_ == capacity_) reserve(size_ + 1);
    data_[size_++] = value;
  }
  void clear() { truncate(0); }
  void truncate(std::size_t size) {
    if (shared_ && size < size_) move(size);
    size_ = size;
  }
  // Changes the size. New elements are uninitialised.
  void resize(std::size_t size) {
    reserve(size);
    truncate(size);
  }
  void append(const T* values, std::size_t count) {
    reserve(size_ + count);
    std::copy_n(values, count, data_ + size_);
    size_ += count;
  }
  void reserve(std::size_t size) {
    if (size <= capacity_) return;
    move(std::max({size, capacity_ + capacity_ / 2, std::size_t{16}}));
  }
  void swap(GrowingArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(shared_, other.shared_);
    std::swap(adopted_, other.adopted_);
  }

 private:
  // Reallocates to the given capacity. Memory owned by this array is grown; shared memory is
  // copied.
  void move(std::size_t capacity) {
    T* own = shared_ ? nullptr : data_;
    void* memory =
        std::realloc(static_cast<void*>(own), std::max(capacity, std::size_t{1}) * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    auto* moved = static_cast<T*>(memory);
    if (shared_) std::copy_n(data_, std::min(size_, capacity), moved);
    shared_.reset();
    adopted_ = false;
    data_ = moved;
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::shared_ptr<T> shared_;  // owns the memory once it is shared or adopted
  bool adopted_ = false;       // the memory came from `adopt`
};

}  // namespace volition
