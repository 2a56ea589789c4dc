#include "decision_tree.hpp"

#include <functional>
#include <optional>
#include <vector>

#include "testing.hpp"

namespace volition {
namespace {

using testing::Dice;

Layout wide_layout(Slot slots, ValueId largest) {
  Layout layout(slots);
  for (Slot slot = 0; slot < slots; ++slot) layout.note_value(slot, largest);
  return layout.widened();
}

std::vector<Word> packed(const Layout& layout, const std::vector<ValueId>& values) {
  std::vector<Word> state(layout.words(), 0);
  for (Slot slot = 0; slot < values.size(); ++slot) layout.set(state.data(), slot, values[slot]);
  return state;
}

TEST(header_example) {
  constexpr LeafId a = 0, b = 1, c = 2;
  const Layout layout = wide_layout(3, 9);
  DecisionTree tree;
  const auto walk = [&](ValueId door, ValueId lamp, ValueId room) {
    return tree.walk(layout, packed(layout, {door, lamp, room}).data());
  };
  CHECK(walk(1, 0, 7) == DecisionTree::kUnknown);
  tree.insert({{0, 1}}, a);
  CHECK(walk(1, 1, 9) == a);
  CHECK(walk(0, 1, 7) == DecisionTree::kUnknown);
  tree.insert({{0, 0}, {1, 1}}, b);
  CHECK(walk(0, 1, 8) == b);
  CHECK(walk(0, 0, 7) == DecisionTree::kUnknown);
  tree.insert({{0, 0}, {1, 0}}, c);
  CHECK(walk(0, 0, 2) == c);
  CHECK(walk(1, 0, 7) == a);
}

TEST(tree_agrees_with_traced_function) {
  Dice dice(5);
  for (std::uint32_t round = 0; round < 20; ++round) {
    constexpr Slot slots = 6;
    const ValueId values = 2 + dice.below(30);
    const Layout layout = wide_layout(slots, values);
    // Function to be traced: returns the slots that it reads in a state, with their values, and its
    // result. The next slot and the result depend only on the values read so far.
    const auto function = [&](const std::vector<ValueId>& state) {
      std::pair<Reads, LeafId> run;
      std::vector<bool> seen(slots, false);
      std::uint32_t path = round;
      for (std::uint32_t depth = 0; depth < 4 && path % 5 != 4; ++depth) {
        const Slot slot = path % slots;
        if (!seen[slot]) run.first.emplace_back(slot, state[slot]);
        seen[slot] = true;
        path = path * 31 + state[slot] + 1;
      }
      run.second = path % 7;
      return run;
    };
    DecisionTree tree;
    std::size_t runs = 0;
    for (int i = 0; i < 2000; ++i) {
      std::vector<ValueId> state(slots);
      for (ValueId& value : state) value = dice.below(values);
      const auto [reads, leaf] = function(state);
      const std::int64_t known = tree.walk(layout, packed(layout, state).data());
      CHECK(known == DecisionTree::kUnknown || known == leaf);
      if (known == DecisionTree::kUnknown) {
        ++runs;
        tree.insert(reads, leaf);
        CHECK(tree.walk(layout, packed(layout, state).data()) == leaf);
      }
    }
    CHECK(runs > 0);
  }
}

TEST(contradicting_runs_are_impure) {
  const auto after = [](const Reads& reads, LeafId leaf) {
    DecisionTree tree;
    tree.insert({{0, 1}, {1, 2}}, 3);
    tree.insert(reads, leaf);
  };
  after({{0, 1}, {1, 2}}, 3);
  after({{0, 1}, {1, 4}}, 3);
  CHECK_THROWS(ImpureFunction, after({{0, 1}, {1, 2}}, 4));          // another result
  CHECK_THROWS(ImpureFunction, after({{0, 1}, {2, 2}}, 3));          // another slot
  CHECK_THROWS(ImpureFunction, after({{1, 1}}, 3));                  // another slot at the root
  CHECK_THROWS(ImpureFunction, after({{0, 1}}, 3));                  // returns early
  CHECK_THROWS(ImpureFunction, after({{0, 1}, {1, 2}, {2, 0}}, 3));  // reads more
}

}  // namespace
}  // namespace volition
