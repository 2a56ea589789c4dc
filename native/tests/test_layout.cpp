#include "layout.hpp"

#include <vector>

#include "testing.hpp"

namespace volition {
namespace {

using testing::Dice;

TEST(values_survive_every_repacking) {
  Dice dice(3);
  for (int round = 0; round < 50; ++round) {
    const Slot slots = 1 + dice.below(20);
    Layout layout(slots);
    std::vector<Word> state(layout.words(), 0);
    std::vector<ValueId> expected(slots, 0);
    for (int i = 0; i < 200; ++i) {
      const Slot slot = dice.below(slots);
      const ValueId value = dice.below(1u << (1 + dice.below(31)));
      if (!layout.note_value(slot, value)) {
        const Layout wider = layout.widened();
        std::vector<Word> repacked(wider.words(), ~Word{0});
        wider.repack(layout, state.data(), repacked.data());
        layout = wider;
        state = repacked;
      }
      layout.set(state.data(), slot, value);
      expected[slot] = value;
      for (Slot each = 0; each < slots; ++each) {
        CHECK(layout.get(state.data(), each) == expected[each]);
      }
    }
  }
}

TEST(slots_use_no_more_bits_than_their_values_need) {
  Layout layout(3);
  CHECK(layout.total_bits_used() == 0);
  CHECK(layout.words() == 1);
  CHECK(layout.note_value(0, 1));
  CHECK(layout.note_value(2, 5));
  CHECK(layout.total_bits_used() == 1 + 3);
  CHECK(layout.widened().note_value(2, 31));
  CHECK(!layout.widened().note_value(2, 32));
}

TEST(first_value_of_a_slot_rarely_needs_repacking) {
  const Slot slots = 900;
  Layout layout(slots);
  std::size_t repacked = 0;
  std::vector<Word> state(layout.words(), 0);
  for (Slot slot = 0; slot < slots; ++slot) {
    if (!layout.note_value(slot, 1)) {
      const Layout wider = layout.widened();
      std::vector<Word> wide(wider.words(), ~Word{0});
      wider.repack(layout, state.data(), wide.data());
      layout = wider;
      state = wide;
      ++repacked;
    }
    layout.set(state.data(), slot, 1);
  }
  for (Slot slot = 0; slot < slots; ++slot) CHECK(layout.get(state.data(), slot) == 1);
  CHECK(repacked < 25);  // not once per slot
  CHECK(layout.words() <= 2 * slots / kWordBits * 5 / 4);
}

TEST(layout_round_trips_through_its_fields) {
  Dice dice(5);
  for (int round = 0; round < 30; ++round) {
    const Slot slots = 1 + dice.below(20);
    Layout layout(slots);
    for (int i = 0; i < 60; ++i) {
      if (!layout.note_value(dice.below(slots), dice.below(1u << dice.below(12)))) {
        layout = layout.widened();
      }
    }
    std::vector<std::uint32_t> first(slots), bits(slots);
    for (Slot slot = 0; slot < slots; ++slot) {
      first[slot] = layout.first_bit(slot);
      bits[slot] = layout.bits_allocated(slot);
    }
    const std::optional<Layout> same = Layout::from_fields(first, bits, layout.words());
    CHECK(same.has_value());
    std::vector<Word> state(layout.words(), 0);
    for (Slot slot = 0; slot < slots; ++slot) {
      layout.set(state.data(), slot, dice.below(1u << std::min(bits[slot], 20u)));
    }
    for (Slot slot = 0; slot < slots; ++slot) {
      CHECK(same->get(state.data(), slot) == layout.get(state.data(), slot));
    }
    CHECK(!Layout::from_fields(first, bits, 0));
    if (bits[0] > 0) {
      std::vector<std::uint32_t> wrong = first;
      wrong[0] = static_cast<std::uint32_t>(layout.words() * kWordBits - bits[0] + 1);
      CHECK(!Layout::from_fields(wrong, bits, layout.words()));
      if (slots > 1 && bits[1] > 0) {
        wrong[0] = first[1];
        CHECK(!Layout::from_fields(wrong, bits, layout.words()));
      }
    }
  }
}

TEST(slots_of_32_bits_pack_two_per_word) {
  Layout layout(5);
  for (Slot slot = 0; slot < 5; ++slot) layout.note_value(slot, UINT32_MAX);
  const Layout wide = layout.widened();
  CHECK(wide.words() == 3);
  std::vector<Word> state(wide.words(), 0);
  for (Slot slot = 0; slot < 5; ++slot) wide.set(state.data(), slot, UINT32_MAX - slot);
  for (Slot slot = 0; slot < 5; ++slot) CHECK(wide.get(state.data(), slot) == UINT32_MAX - slot);
}

}  // namespace
}  // namespace volition
