// Bit set of small integers, used for slots, components and atoms.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace volition {

class SlotSet {
 public:
  SlotSet() = default;
  explicit SlotSet(std::size_t size) : words_((size + 63) / 64, 0) {}

  [[nodiscard]] bool contains(std::size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }
  void clear() {
    for (std::uint64_t& word : words_) word = 0;
  }
  void add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void add(const SlotSet& other) {
    for (std::size_t k = 0; k < words_.size(); ++k) words_[k] |= other.words_[k];
  }
  [[nodiscard]] bool intersects(const SlotSet& other) const {
    std::uint64_t common = 0;
    for (std::size_t k = 0; k < words_.size(); ++k) common |= words_[k] & other.words_[k];
    return common != 0;
  }
  [[nodiscard]] bool includes(const SlotSet& other) const {
    std::uint64_t missing = 0;
    for (std::size_t k = 0; k < words_.size(); ++k) missing |= other.words_[k] & ~words_[k];
    return missing == 0;
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t count = 0;
    for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }
  [[nodiscard]] const std::vector<std::uint64_t>& words() const { return words_; }
  bool operator==(const SlotSet&) const = default;

 private:
  std::vector<std::uint64_t> words_;
};

// Concatenation of the words of several bit sets, used as a hash key.
using SlotSetsKey = std::vector<std::uint64_t>;
struct HashOfSlotSets {
  std::size_t operator()(const SlotSetsKey& key) const {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : key) hash = (hash ^ word) * 0x9e3779b97f4a7c15u + (hash >> 29);
    return static_cast<std::size_t>(hash);
  }
};

}  // namespace volition
