// Where leaps ended that began in a state: different ways lead to the same states, and soon after each other.
//
// A table of fixed size, in which a new entry takes the place of an old one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "layout.hpp"

namespace volition {

class LeapCache {
 public:
  // Forgets everything; states have so many words from now on.
  void clear(std::size_t words) {
    words_ = words;
    entries_.assign(kEntries * 2 * words, 0);
    used_.assign(kEntries, 0);
  }

  // Where the leap from a state ends; null if that is not known.
  [[nodiscard]] const Word* find(const Word* state, std::uint64_t hash) const {
    const std::size_t place = hash % kEntries;
    const Word* entry = entries_.data() + place * 2 * words_;
    return used_[place] != 0 && std::equal(state, state + words_, entry) ? entry + words_ : nullptr;
  }
  void keep(const Word* state, std::uint64_t hash, const Word* end) {
    const std::size_t place = hash % kEntries;
    Word* entry = entries_.data() + place * 2 * words_;
    std::copy_n(state, words_, entry);
    std::copy_n(end, words_, entry + words_);
    used_[place] = 1;
  }
  [[nodiscard]] std::size_t bytes() const { return entries_.size() * sizeof(Word) + used_.size(); }

 private:
  static constexpr std::size_t kEntries = std::size_t{1} << 17;

  std::size_t words_ = 0;
  std::vector<Word> entries_;
  std::vector<std::uint8_t> used_;
};

}  // namespace volition
