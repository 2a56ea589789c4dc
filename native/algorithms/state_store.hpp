// The set of states seen so far: packed one after the other, found again through a hash table of indices.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "growing_array.hpp"
#include "layout.hpp"

namespace volition {

using StateId = std::uint32_t;

// There is no room for another state.
struct StoreIsFull {};

class StateStore {
 public:
  // The table of indices is never more than three quarters full.
  static constexpr std::size_t kMostStates = std::numeric_limits<StateId>::max() / 4 * 3;

  explicit StateStore(std::size_t words, std::size_t most_states = kMostStates) : words_(words), most_states_(std::min(most_states, kMostStates)) {
    rebuild(kSmallest);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return states_.bytes() + table_.bytes(); }
  [[nodiscard]] const Word* operator[](std::size_t state) const { return states_.data() + state * words_; }

  [[nodiscard]] std::uint64_t hash(const Word* state) const {
    std::uint64_t h = 0x9e3779b97f4a7c15u;
    for (std::size_t i = 0; i < words_; ++i) h = mix(h ^ state[i]);
    return h;
  }
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(table_.data() + (hash & mask_)); }

  // The state's index, and whether it is new; throws StoreIsFull.
  std::pair<StateId, bool> insert(const Word* state, std::uint64_t hash) {
    if (4 * (size_ + 1) > 3 * table_.size()) rebuild(capacity_for(size_ + 1));
    const std::uint32_t tag = tag_of(hash);
    std::size_t i = hash & mask_;
    for (; table_[i] != kEmpty; i = (i + 1) & mask_) {
      if ((table_[i] & ~index_mask_) == tag && equal(table_[i] & index_mask_, state)) return {table_[i] & index_mask_, false};
    }
    if (size_ >= most_states_) throw StoreIsFull{};
    table_[i] = tag | static_cast<std::uint32_t>(size_);
    states_.append(state, words_);
    return {static_cast<StateId>(size_++), true};
  }

  // The state's index, if it is there.
  [[nodiscard]] std::optional<StateId> find(const Word* state, std::uint64_t hash) const {
    const std::uint32_t tag = tag_of(hash);
    for (std::size_t i = hash & mask_; table_[i] != kEmpty; i = (i + 1) & mask_) {
      if ((table_[i] & ~index_mask_) == tag && equal(table_[i] & index_mask_, state)) return table_[i] & index_mask_;
    }
    return std::nullopt;
  }

  // Keeps the first states only.
  void truncate(std::size_t size) {
    if (size == size_) return;
    size_ = size;
    states_.truncate(size * words_);
    if (!table_.empty()) rebuild(table_.size());
  }

  // Gives the table's memory back until the next insertion.
  void forget_table() {
    table_ = GrowingArray<std::uint32_t>();
    mask_ = 0;
  }

  // Packs all states anew after a slot was widened.
  void repack(const Layout& from, const Layout& to) {
    GrowingArray<Word> repacked;
    repacked.resize(size_ * to.words());
    for (std::size_t i = 0; i < size_; ++i) to.repack(from, states_.data() + i * words_, repacked.data() + i * to.words());
    states_.swap(repacked);
    words_ = to.words();
    if (!table_.empty()) rebuild(table_.size());
  }

 private:
  static constexpr std::uint32_t kEmpty = UINT32_MAX;
  static constexpr std::size_t kSmallest = 1024;

  static std::size_t capacity_for(std::size_t states) { return std::max(kSmallest, std::bit_ceil((4 * states + 2) / 3)); }

  static std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
  }

  // An entry's low bits are the index of a state; the bits that indices do not need remember some of its hash, so
  // that most entries of other states are passed over without looking at the state.
  [[nodiscard]] std::uint32_t tag_of(std::uint64_t hash) const { return static_cast<std::uint32_t>(hash >> 32) & ~index_mask_; }

  [[nodiscard]] bool equal(std::size_t index, const Word* state) const {
    const Word* other = states_.data() + index * words_;
    for (std::size_t i = 0; i < words_; ++i) {
      if (other[i] != state[i]) return false;
    }
    return true;
  }

  void rebuild(std::size_t capacity) {
    table_.resize(capacity);
    std::fill_n(table_.data(), capacity, kEmpty);
    mask_ = capacity - 1;
    index_mask_ = static_cast<std::uint32_t>(mask_);
    // In batches, so that the table's memory is on its way while the next states are hashed.
    std::array<std::uint64_t, 32> hashes;
    for (std::size_t begin = 0; begin < size_; begin += hashes.size()) {
      const std::size_t count = std::min(hashes.size(), size_ - begin);
      for (std::size_t k = 0; k < count; ++k) {
        hashes[k] = hash((*this)[begin + k]);
        prefetch(hashes[k]);
      }
      for (std::size_t k = 0; k < count; ++k) {
        std::size_t i = hashes[k] & mask_;
        while (table_[i] != kEmpty) i = (i + 1) & mask_;
        table_[i] = tag_of(hashes[k]) | static_cast<std::uint32_t>(begin + k);
      }
    }
  }

  std::size_t words_;
  std::size_t most_states_;
  std::size_t size_ = 0;
  std::size_t mask_ = 0;
  std::uint32_t index_mask_ = 0;
  GrowingArray<Word> states_;
  GrowingArray<std::uint32_t> table_;
};

}  // namespace volition
