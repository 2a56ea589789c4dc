// Bit layout of packed states. The value id of each slot gets a bit field that is wide enough for
// the ids seen so far, plus headroom.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace volition {

using Word = std::uint64_t;
using Slot = std::uint32_t;
using ValueId = std::uint32_t;

inline constexpr unsigned kWordBits = 64;
inline constexpr unsigned kValueBits = 32;

// Bit layout of packed states. A field never straddles two words, so that reading a slot takes one
// shift and one mask.
//
// A slot that has only held its initial value has no field. Unallocated bits at the end of a state
// are 0, and so is the id of an initial value. A slot can therefore get its first field there
// without changing any stored state.
//
// If no bits are left, or an id does not fit into the field of its slot, all states are repacked,
// which costs as much as storing them did. Each slot then gets half as many bits again as it needs:
// it overflows again only after its number of values has grown to the power of 1.5. States of many
// words get an eighth more words, for slots that have no field yet.
class Layout {
 public:
  explicit Layout(std::size_t slots)
      : bits_used_(slots, 0), bits_allocated_(slots, 0), fields_(slots) {}

  [[nodiscard]] std::size_t slots() const { return fields_.size(); }
  [[nodiscard]] std::size_t words() const { return words_; }
  // Width in bits of the field of a slot, and the position of its first bit in a packed state.
  [[nodiscard]] unsigned bits_allocated(Slot slot) const { return bits_allocated_[slot]; }
  [[nodiscard]] unsigned first_bit(Slot slot) const {
    return fields_[slot].word * kWordBits + fields_[slot].shift;
  }
  // Returns the number of bits needed for the values of a slot that `note_value` has recorded.
  [[nodiscard]] unsigned bits_used(Slot slot) const { return bits_used_[slot]; }
  // Returns how often a recorded value needed more bits than all earlier values of its slot.
  [[nodiscard]] std::size_t num_widenings() const { return num_widenings_; }
  [[nodiscard]] unsigned total_bits_used() const {
    unsigned total = 0;
    for (unsigned bits : bits_used_) total += bits;
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

  // Records that a slot can hold this value. Returns false if the value does not fit into the
  // current layout.
  bool note_value(Slot slot, ValueId value) {
    const auto needed = static_cast<unsigned>(std::bit_width(value));
    if (needed <= bits_used_[slot]) return bits_used_[slot] <= bits_allocated_[slot];
    bits_used_[slot] = needed;
    ++num_widenings_;
    return bits_used_[slot] <= bits_allocated_[slot] ||
           (bits_allocated_[slot] == 0 && allocate(slot, with_headroom(bits_used_[slot])));
  }
  // Returns a layout with wider bit fields, in which every value recorded by `note_value` fits.
  [[nodiscard]] Layout widened() const {
    Layout wider(slots());
    wider.bits_used_ = bits_used_;
    wider.num_widenings_ = num_widenings_;
    wider.words_ = slots() + 1;  // upper bound
    for (Slot slot = 0; slot < slots(); ++slot) {
      wider.allocate(slot, with_headroom(bits_used_[slot]));
    }
    const std::size_t used =
        std::max<std::size_t>(1, (wider.next_free_bit_ + kWordBits - 1) / kWordBits);
    wider.words_ = used + used / 8;
    return wider;
  }
  // Converts a packed state from another layout with the same slots to this one.
  void repack(const Layout& old, const Word* from, Word* to) const {
    for (std::size_t i = 0; i < words_; ++i) to[i] = 0;
    for (const Slot slot : old.allocated_slots_) set(to, slot, old.get(from, slot));
  }

  // Returns an upper bound on the number of words of a packed state: one word per slot, and an
  // eighth more (`widened`).
  [[nodiscard]] static std::size_t max_words(std::size_t slots) {
    return std::max<std::size_t>(1, slots + slots / 8);
  }

  // Rebuilds a layout from the fields of its slots. Returns nullopt if the fields overlap or do not
  // fit into `words`, or if no layout of this many slots has that many words.
  [[nodiscard]] static std::optional<Layout> from_fields(std::span<const std::uint32_t> first_bits,
                                                         std::span<const std::uint32_t> bits,
                                                         std::size_t words) {
    if (words == 0 || words > max_words(bits.size()) || first_bits.size() != bits.size()) {
      return std::nullopt;
    }
    Layout layout(bits.size());
    layout.words_ = words;
    std::vector<Word> used(words, 0);
    for (Slot slot = 0; slot < bits.size(); ++slot) {
      const Field field{first_bits[slot] / kWordBits, first_bits[slot] % kWordBits,
                        (Word{1} << std::min(bits[slot], kValueBits)) - 1};
      if (bits[slot] > kValueBits || field.word >= words || field.shift + bits[slot] > kWordBits) {
        return std::nullopt;
      }
      if ((used[field.word] & (field.mask << field.shift)) != 0) return std::nullopt;
      used[field.word] |= field.mask << field.shift;
      layout.assign_field(slot, bits[slot], field);
    }
    return layout;
  }

 private:
  struct Field {
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
    Word mask = 0;  // 0 bits: the slot reads as 0
  };

  static unsigned with_headroom(unsigned needed) {
    return std::min(needed + (needed + 1) / 2, kValueBits);
  }

  // Allocates a bit field for a slot after all existing fields. Returns false if there are not
  // enough bits left.
  bool allocate(Slot slot, unsigned bits) {
    if (bits == 0) return true;
    const unsigned left = kWordBits - next_free_bit_ % kWordBits;
    const unsigned first = next_free_bit_ + (left < bits ? left : 0);
    if (first + bits > words_ * kWordBits) return false;
    assign_field(slot, bits, Field{first / kWordBits, first % kWordBits, (Word{1} << bits) - 1});
    return true;
  }
  void assign_field(Slot slot, unsigned bits, const Field& field) {
    if (bits == 0) return;
    fields_[slot] = field;
    bits_allocated_[slot] = bits;
    allocated_slots_.push_back(slot);
    next_free_bit_ = std::max(next_free_bit_, field.word * kWordBits + field.shift + bits);
  }

  std::vector<unsigned> bits_used_;
  std::vector<unsigned> bits_allocated_;
  std::vector<Field> fields_;
  std::vector<Slot> allocated_slots_;  // slots with a field
  std::size_t num_widenings_ = 0;
  unsigned next_free_bit_ = 0;  // no field uses this bit or a later one
  std::size_t words_ = 1;
};

}  // namespace volition
