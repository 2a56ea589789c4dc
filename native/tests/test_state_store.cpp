#include "state_store.hpp"

#include <map>
#include <vector>

#include "testing.hpp"

namespace volition {
namespace {

using testing::Dice;

// Packs a state of two slots.
std::vector<Word> packed(const Layout& layout, ValueId a, ValueId b) {
  std::vector<Word> state(layout.words(), 0);
  layout.set(state.data(), 0, a);
  layout.set(state.data(), 1, b);
  return state;
}

TEST(store_keeps_each_state_once) {
  Dice dice(4);
  Layout layout(2);
  StateStore store(layout.words());
  std::map<std::pair<ValueId, ValueId>, StateId> expected;
  for (std::uint32_t i = 0; i < 20000; ++i) {
    const std::uint32_t range = 1 + i / 100;
    const ValueId a = dice.below(range);
    const ValueId b = dice.below(range);
    const bool fits = layout.note_value(0, a) & layout.note_value(1, b);
    if (!fits) {
      const Layout wider = layout.widened();
      store.repack(layout, wider);
      layout = wider;
    }
    const std::vector<Word> state = packed(layout, a, b);
    const auto [id, is_new] = store.insert(state.data(), store.hash(state.data()));
    const auto [entry, expected_new] =
        expected.try_emplace({a, b}, static_cast<StateId>(expected.size()));
    CHECK(is_new == expected_new);
    CHECK(id == entry->second);
    CHECK(store.size() == expected.size());
    if (dice.below(2000) == 0) {
      const std::size_t kept = store.size() / 2;
      store.truncate(kept);
      std::erase_if(expected, [&](const auto& each) { return each.second >= kept; });
    }
  }
  for (const auto& [values, id] : expected) {
    CHECK(layout.get(store[id], 0) == values.first);
    CHECK(layout.get(store[id], 1) == values.second);
  }
}

TEST(full_store_finds_states_and_refuses_new_ones) {
  Layout layout(2);
  layout.note_value(0, 7);
  layout = layout.widened();
  StateStore store(layout.words(), 5);
  const auto insert = [&](ValueId a) {
    const std::vector<Word> state = packed(layout, a, 0);
    return store.insert(state.data(), store.hash(state.data()));
  };
  for (ValueId a = 0; a < 5; ++a) CHECK(insert(a).second);
  bool full = false;
  try {
    insert(5);
  } catch (const StoreIsFull&) {
    full = true;
  }
  CHECK(full);
  CHECK(store.size() == 5);
  CHECK(insert(3) == std::pair(StateId{3}, false));
  store.truncate(4);
  CHECK(insert(5).second);
}

}  // namespace
}  // namespace volition
