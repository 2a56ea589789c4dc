// How a state is packed: each slot's value id takes as many bits as the ids seen so far need.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace volition {

using Word = std::uint64_t;
using Slot = std::uint32_t;
using ValueId = std::uint32_t;

inline constexpr unsigned kWordBits = 64;

// Slots take their bits in order; a slot never straddles two words, so that reading it is one shift and one mask.
class Layout {
 public:
  explicit Layout(std::size_t slots) : bits_(slots, 0), fields_(slots) { place(); }

  [[nodiscard]] std::size_t slots() const { return fields_.size(); }
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] unsigned bits_needed() const {
    unsigned total = 0;
    for (unsigned bits : bits_) total += bits;
    return total;
  }

  [[nodiscard]] ValueId get(const Word* state, Slot slot) const {
    const Field& field = fields_[slot];
    return static_cast<ValueId>((state[field.word] >> field.shift) & field.mask);
  }
  void set(Word* state, Slot slot, ValueId value) const {
    const Field& field = fields_[slot];
    Word& word = state[field.word];
    word = (word & ~(field.mask << field.shift)) | (static_cast<Word>(value) << field.shift);
  }

  [[nodiscard]] bool fits(Slot slot, ValueId value) const { return (Word{value} >> bits_[slot]) == 0; }
  // The layout in which the value fits too.
  [[nodiscard]] Layout widened(Slot slot, ValueId value) const {
    Layout wider = *this;
    wider.bits_[slot] = static_cast<unsigned>(std::bit_width(value));
    wider.place();
    return wider;
  }
  // Packs a state of another layout anew; both have the same slots.
  void repack(const Layout& old, const Word* from, Word* to) const {
    for (std::size_t i = 0; i < words_; ++i) to[i] = 0;
    for (Slot slot = 0; slot < fields_.size(); ++slot) set(to, slot, old.get(from, slot));
  }

 private:
  struct Field {
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    Word mask = 0;
  };

  void place() {
    unsigned word = 0;
    unsigned used = 0;
    for (std::size_t slot = 0; slot < fields_.size(); ++slot) {
      if (used + bits_[slot] > kWordBits) {
        ++word;
        used = 0;
      }
      // A slot of no bits reads as 0 wherever it lies; keep its shift inside the word.
      fields_[slot] = Field{word, used % kWordBits, (Word{1} << bits_[slot]) - 1};
      used += bits_[slot];
    }
    words_ = word + 1;
  }

  std::vector<unsigned> bits_;
  std::vector<Field> fields_;
  std::size_t words_ = 1;
};

}  // namespace volition
