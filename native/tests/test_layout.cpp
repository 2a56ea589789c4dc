#include "layout.hpp"

#include <vector>

#include "testing.hpp"

namespace volition {
namespace {

using testing::Dice;

TEST(values_come_back_through_every_layout) {
  Dice dice(3);
  for (int round = 0; round < 50; ++round) {
    const Slot slots = 1 + dice.below(20);
    Layout layout(slots);
    std::vector<Word> state(layout.words(), 0);
    std::vector<ValueId> expected(slots, 0);
    for (int i = 0; i < 200; ++i) {
      const Slot slot = dice.below(slots);
      const ValueId value = dice.below(1u << (1 + dice.below(31)));
      if (!layout.admit(slot, value)) {
        const Layout wider = layout.widened();
        std::vector<Word> repacked(wider.words(), ~Word{0});
        wider.repack(layout, state.data(), repacked.data());
        layout = wider;
        state = repacked;
      }
      layout.set(state.data(), slot, value);
      expected[slot] = value;
      for (Slot each = 0; each < slots; ++each) CHECK(layout.get(state.data(), each) == expected[each]);
    }
  }
}

TEST(slots_take_no_more_bits_than_their_values_need) {
  Layout layout(3);
  CHECK(layout.bits_needed() == 0);
  CHECK(layout.words() == 1);
  CHECK(layout.admit(0, 1));
  CHECK(layout.admit(2, 5));
  CHECK(layout.bits_needed() == 1 + 3);
  CHECK(layout.widened().admit(2, 31));
  CHECK(!layout.widened().admit(2, 32));
}

TEST(a_slot_of_32_bits_fits_whole_words) {
  Layout layout(5);
  for (Slot slot = 0; slot < 5; ++slot) layout.admit(slot, UINT32_MAX);
  const Layout wide = layout.widened();
  CHECK(wide.words() == 3);
  std::vector<Word> state(wide.words(), 0);
  for (Slot slot = 0; slot < 5; ++slot) wide.set(state.data(), slot, UINT32_MAX - slot);
  for (Slot slot = 0; slot < 5; ++slot) CHECK(wide.get(state.data(), slot) == UINT32_MAX - slot);
}

}  // namespace
}  // namespace volition
