// Set of packed states, stored consecutively and indexed by a hash table.
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

// Thrown if the store has no space for another state.
struct StoreIsFull {};

// Set of packed states. Its hash table is divided into regions. A state is only searched in the
// region of its hash, so that several threads can work on different regions at the same time.
class StateStore {
 public:
  // The hash table is at most three quarters full.
  static constexpr std::size_t kMaxStates = std::numeric_limits<StateId>::max() / 4 * 3;

  explicit StateStore(std::size_t words, std::size_t max_states = kMaxStates)
      : words_(words), max_states_(std::min(max_states, kMaxStates)) {
    rebuild(kSmallest);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t max_states() const { return max_states_; }
  [[nodiscard]] std::size_t bytes() const { return states_.bytes() + table_.bytes(); }
  [[nodiscard]] const Word* operator[](std::size_t state) const {
    return states_.data() + state * words_;
  }

  [[nodiscard]] std::uint64_t hash(const Word* state) const {
    std::uint64_t h = 0x9e3779b97f4a7c15u;
    for (std::size_t i = 0; i < words_; ++i) h = mix(h ^ state[i]);
    return h;
  }
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(table_.data() + (hash & mask_)); }

  // Adds a state. Returns its id and whether it is new. Throws StoreIsFull.
  std::pair<StateId, bool> insert(const Word* state, std::uint64_t hash) {
    if (4 * (size_ + 1) > 3 * table_.size()) rebuild(capacity_for(size_ + 1));
    for (;;) {
      const std::optional<std::size_t> entry =
          find(hash, [&](std::uint32_t index) { return equal((*this)[index], state); });
      if (!entry) {
        rebuild(2 * table_.size());
        continue;
      }
      if (table_[*entry] != kEmpty) return {table_[*entry] & index_mask_, false};
      if (size_ >= max_states_) throw StoreIsFull{};
      table_[*entry] = tag_of(hash) | static_cast<std::uint32_t>(size_);
      return {append(state), true};
    }
  }

  // Returns the id of a state, or nullopt if it is not stored.
  [[nodiscard]] std::optional<StateId> find_id(const Word* state, std::uint64_t hash) const {
    const std::optional<std::size_t> entry =
        find(hash, [&](std::uint32_t index) { return equal((*this)[index], state); });
    return entry && table_[*entry] != kEmpty ? std::optional<StateId>(table_[*entry] & index_mask_)
                                             : std::nullopt;
  }

  // Drops all states from the id `size` on, and all claims.
  void truncate(std::size_t size) {
    if (size == size_ && !claiming_) return;
    claiming_ = false;
    size_ = size;
    states_.truncate(size * words_);
    if (!table_.empty()) rebuild(table_.size());
  }

  // Frees the hash table. The next insertion rebuilds it.
  void release_table() {
    table_ = GrowingArray<std::uint32_t>();
    mask_ = 0;
  }

  // Returns the array of all packed states, to share its memory.
  [[nodiscard]] GrowingArray<Word>& all_states() { return states_; }
  // Replaces all states. The hash table is rebuilt at the next insertion.
  void adopt_states(GrowingArray<Word> states, std::size_t words) {
    words_ = words;
    size_ = states.size() / words;
    states_.swap(states);
    claiming_ = false;
    release_table();
  }

  // Converts all states to a wider layout.
  void repack(const Layout& from, const Layout& to) {
    GrowingArray<Word> repacked;
    repacked.resize(size_ * to.words());
    for (std::size_t i = 0; i < size_; ++i) {
      to.repack(from, states_.data() + i * words_, repacked.data() + i * to.words());
    }
    states_.swap(repacked);
    words_ = to.words();
    if (!table_.empty()) rebuild(table_.size());
  }

  // --- parallel insertion ---
  //
  // All threads claim table entries for new states. Then one thread appends the new states. Finally
  // all threads publish the ids. Each thread claims and publishes only in its own regions of the
  // hash table.

  [[nodiscard]] std::size_t capacity() const { return table_.size(); }
  [[nodiscard]] std::size_t num_regions() const { return table_.size() / (region_mask_ + 1); }
  [[nodiscard]] std::size_t region_of(std::uint64_t hash) const {
    return (hash & mask_) / (region_mask_ + 1);
  }

  // Resizes the hash table. Its contents are undefined until `fill` was called for all regions.
  void resize_table(std::size_t capacity) {
    table_.resize(capacity);
    mask_ = capacity - 1;
    region_mask_ = std::max(std::min(capacity, kSmallestRegion), capacity / kMaxRegions) - 1;
    index_mask_ = static_cast<std::uint32_t>(mask_);
  }

  // Refills some regions of the hash table (`first_region` to `last_region`, exclusive) with the
  // stored states that belong there, in order. Returns false if a region is too small.
  bool fill(std::size_t first_region, std::size_t last_region) {
    const std::size_t begin_entry = first_region * (region_mask_ + 1);
    const std::size_t end_entry = last_region * (region_mask_ + 1);
    std::fill(table_.data() + begin_entry, table_.data() + end_entry, kEmpty);
    // Collect states and insert them in groups. The table entries of a group are prefetched while
    // its other states are hashed.
    std::array<std::pair<std::uint64_t, std::uint32_t>, 32> waiting;
    std::size_t count = 0;
    bool fits = true;
    const auto insert_waiting = [&] {
      for (std::size_t k = 0; k < count; ++k) {
        const auto [hash_of_state, state] = waiting[k];
        const std::optional<std::size_t> entry =
            find(hash_of_state, [](std::uint32_t) { return false; });
        fits = fits && entry;
        if (entry) table_[*entry] = tag_of(hash_of_state) | state;
      }
      count = 0;
    };
    for (std::size_t state = 0; state < size_; ++state) {
      const std::uint64_t hash_of_state = hash((*this)[state]);
      const std::size_t entry = hash_of_state & mask_;
      if (entry < begin_entry || entry >= end_entry) continue;
      prefetch(hash_of_state);
      waiting[count++] = {hash_of_state, static_cast<std::uint32_t>(state)};
      if (count == waiting.size()) insert_waiting();
    }
    insert_waiting();
    return fits;
  }

  // Rebuilds the hash table with at least `capacity` entries.
  void rebuild(std::size_t capacity) {
    for (;; capacity *= 2) {
      resize_table(capacity);
      if (fill(0, num_regions())) return;
    }
  }

  // Prefetches the stored state that a lookup of this hash compares first.
  void prefetch_state(std::uint64_t hash) const {
    const std::uint32_t entry = table_[hash & mask_];
    if (entry != kEmpty && (entry & index_mask_) < size_) {
      __builtin_prefetch((*this)[entry & index_mask_]);
    }
  }

  // Starts a phase in which new states claim (reserve) table entries under provisional ids. These
  // ids start at size().
  void begin_claims() {
    claimed_from_ = size_;
    claiming_ = true;
  }
  // Looks up a state and claims (reserves) a table entry for it if it is new. Returns its id and
  // its table entry, or no entry if the region of the table is full. The id of a new state is
  // provisional: size() + `claim_id`. `claimed` returns the state of an earlier claim, given its
  // `claim_id`.
  template <typename Claimed>
  [[nodiscard]] std::pair<std::uint32_t, std::optional<std::size_t>> claim(const Word* state,
                                                                           std::uint64_t hash,
                                                                           std::uint32_t claim_id,
                                                                           Claimed&& claimed) {
    const std::optional<std::size_t> entry = find(hash, [&](std::uint32_t index) {
      return equal(index < claimed_from_
                       ? (*this)[index]
                       : claimed(static_cast<std::uint32_t>(index - claimed_from_)),
                   state);
    });
    if (!entry) return {0, std::nullopt};
    if (table_[*entry] == kEmpty) {
      table_[*entry] = tag_of(hash) | static_cast<std::uint32_t>(claimed_from_ + claim_id);
    }
    return {table_[*entry] & index_mask_, entry};
  }
  StateId append(const Word* state) {
    states_.append(state, words_);
    return static_cast<StateId>(size_++);
  }
  // Replaces the provisional id in an entry by the final id.
  void publish_id(std::size_t entry, StateId id) {
    table_[entry] = (table_[entry] & ~index_mask_) | id;
  }
  void end_claims() { claiming_ = false; }
  // Reserves memory, so that appending up to `states` states does not move them.
  void reserve(std::size_t states) { states_.reserve(states * words_); }

 private:
  static constexpr std::uint32_t kEmpty = UINT32_MAX;
  static constexpr std::size_t kSmallest = 1024;
  static constexpr std::size_t kMaxRegions = 64;
  static constexpr std::size_t kSmallestRegion = 256;

  static std::size_t capacity_for(std::size_t states) {
    return std::max(kSmallest, std::bit_ceil((4 * states + 2) / 3));
  }

  static std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
  }

  // Returns the part of a hash that is stored in a table entry. The low bits of an entry are the id
  // of a state, the high bits this part of its hash. A lookup compares the state itself only if
  // this part is equal.
  [[nodiscard]] std::uint32_t tag_of(std::uint64_t hash) const {
    return static_cast<std::uint32_t>(hash >> 32) & ~index_mask_;
  }

  [[nodiscard]] bool equal(const Word* one, const Word* other) const {
    for (std::size_t i = 0; i < words_; ++i) {
      if (one[i] != other[i]) return false;
    }
    return true;
  }

  // Returns the table entry that a lookup tries after this one: the next in the same region, or the
  // first of the region after its last.
  [[nodiscard]] std::size_t next(std::size_t entry) const {
    return (entry & ~region_mask_) | ((entry + 1) & region_mask_);
  }

  // Finds a state in the hash table. The table is divided into regions, and only the region to
  // which the hash belongs is searched. Returns the first entry with the right hash for whose state
  // id `is_match` holds. If an empty entry comes first, the state is not stored. The empty entry is
  // then returned, because the state belongs there. Returns nullopt if the region is full and has
  // no such entry.
  template <typename IsMatch>
  [[nodiscard]] std::optional<std::size_t> find(std::uint64_t hash, IsMatch&& is_match) const {
    const std::uint32_t tag = tag_of(hash);
    const std::size_t first = hash & mask_;
    std::size_t i = first;
    do {
      const std::uint32_t entry = table_[i];
      if (entry == kEmpty || ((entry & ~index_mask_) == tag && is_match(entry & index_mask_))) {
        return i;
      }
      i = next(i);
    } while (i != first);
    return std::nullopt;
  }

  std::size_t words_;
  std::size_t max_states_;
  std::size_t size_ = 0;
  std::size_t mask_ = 0;
  std::size_t region_mask_ = 0;
  std::uint32_t index_mask_ = 0;
  std::size_t claimed_from_ = 0;
  bool claiming_ = false;
  GrowingArray<Word> states_;
  GrowingArray<std::uint32_t> table_;
};

}  // namespace volition
