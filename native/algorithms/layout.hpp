// How a state is packed: each slot's value id takes the bits that the ids seen so far need, and some to spare.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace volition {

using Word = std::uint64_t;
using Slot = std::uint32_t;
using ValueId = std::uint32_t;

inline constexpr unsigned kWordBits = 64;
inline constexpr unsigned kValueBits = 32;

// Slots take their bits in order; a slot never straddles two words, so that reading it is one shift and one mask.
//
// When an id does not fit, all states are packed anew, which costs as much as storing them did.  So each slot then gets
// half as many bits again as it needs: it overflows again only after its number of values has grown to the power of 1.5.
class Layout {
 public:
  explicit Layout(std::size_t slots) : needed_(slots, 0), bits_(slots, 0), fields_(slots) { place(); }

  [[nodiscard]] std::size_t slots() const { return fields_.size(); }
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] unsigned bits_needed() const {
    unsigned total = 0;
    for (unsigned bits : needed_) total += bits;
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

  void clear(Word* state, Slot slot) const {
    const Field& field = fields_[slot];
    state[field.word] &= ~(field.mask << field.shift);
  }

  // Takes note of a value; false if it does not fit.
  bool admit(Slot slot, ValueId value) {
    needed_[slot] = std::max(needed_[slot], static_cast<unsigned>(std::bit_width(value)));
    return needed_[slot] <= bits_[slot];
  }
  // The layout in which everything admitted so far fits.
  [[nodiscard]] Layout widened() const {
    Layout wider = *this;
    for (std::size_t slot = 0; slot < fields_.size(); ++slot) wider.bits_[slot] = std::min(needed_[slot] + (needed_[slot] + 1) / 2, kValueBits);
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

  std::vector<unsigned> needed_;
  std::vector<unsigned> bits_;
  std::vector<Field> fields_;
  std::size_t words_ = 1;
};

}  // namespace volition
