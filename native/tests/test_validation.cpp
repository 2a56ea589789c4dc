// What the explorer made is sound, and what was changed in it is noticed where an algorithm could go astray.

#include "validation.hpp"

#include <limits>
#include <memory>
#include <vector>

#include "random_systems.hpp"

namespace volition {
namespace {

using namespace testing;

// An array with the same elements, to be changed.
template <typename T>
std::shared_ptr<T> copy_of(GrowingArray<T>& array) {
  std::shared_ptr<T> copy(new T[array.size() + 1], std::default_delete<T[]>());
  std::copy_n(array.data(), array.size(), copy.get());
  return copy;
}

TEST(what_was_explored_is_sound_and_targets_out_of_range_are_not) {
  Dice dice(31);
  for (int round = 0; round < 60; ++round) {
    const RandomSystem system = random_system(dice);
    Exploration exploration(system);
    exploration.up_to(dice.coin() ? std::numeric_limits<std::size_t>::max() : dice.below(20));
    Explorer& explorer = exploration.explorer;
    Rows& rows = explorer.rows();
    CHECK(is_sound(rows, explorer.num_states(), explorer.num_expanded()));
    CHECK(!is_sound(rows, explorer.num_states(), explorer.num_expanded() + 1));
    std::vector<std::uint32_t> values(system.slots, system.values);
    const Referred referred{exploration.outside.labels.size(), exploration.outside.weights.size(), exploration.outside.rewards.size(),
                            system.components, values};
    CHECK(is_sound(rows.kinds(), referred));
    CHECK(is_sound(explorer.states(), explorer.layout(), referred));
    if (rows.num_transitions() == 0) continue;
    CHECK(!is_sound(rows.kinds(), Referred{0, 0, 0, 0, values}));
    const std::shared_ptr<StateId> targets = copy_of(rows.all_targets());
    targets.get()[dice.below(static_cast<std::uint32_t>(rows.num_transitions()))] = static_cast<StateId>(explorer.num_states());
    rows.all_targets().adopt(targets, rows.num_transitions());
    CHECK(!is_sound(rows, explorer.num_states(), explorer.num_expanded()));
  }
}

TEST(a_value_that_no_slot_has_is_noticed) {
  Dice dice(32);
  const RandomSystem system = random_system(dice);
  Exploration exploration(system);
  exploration.to_the_end();
  Explorer& explorer = exploration.explorer;
  std::vector<std::uint32_t> values(system.slots, 0);
  CHECK(!is_sound(explorer.states(), explorer.layout(), Referred{0, 0, 0, 0, values}));
}

TEST(states_out_of_order_and_states_twice_are_noticed) {
  Dice dice(33);
  for (int round = 0; round < 60; ++round) {
    const RandomSystem system = random_system(dice);
    Exploration exploration(system);
    exploration.to_the_end();
    Explorer& explorer = exploration.explorer;
    Rows& rows = explorer.rows();
    const std::size_t states = explorer.num_states();
    if (states < 3) continue;
    const std::size_t words = explorer.layout().words();
    std::vector<std::uint32_t> values(system.slots, system.values);
    const Referred referred{exploration.outside.labels.size(), exploration.outside.weights.size(), exploration.outside.rewards.size(),
                            system.components, values};
    const std::shared_ptr<Word> twice = copy_of(explorer.states());
    std::copy_n(twice.get() + words, words, twice.get() + 2 * words);
    GrowingArray<Word> packed;
    packed.adopt(twice, states * words);
    CHECK(!is_sound(packed, explorer.layout(), referred));
    packed.adopt(twice, states * words - 1);
    CHECK(words == 1 || !is_sound(packed, explorer.layout(), referred));
    packed.adopt(twice, 0);
    CHECK(!is_sound(packed, explorer.layout(), referred));

    // The last state gets a number that is found before others.
    const std::shared_ptr<StateId> targets = copy_of(rows.all_targets());
    for (std::size_t i = 0; i < rows.num_transitions(); ++i) {
      StateId& target = targets.get()[i];
      if (target != 0) target = static_cast<StateId>(states - target);
    }
    rows.all_targets().adopt(targets, rows.num_transitions());
    CHECK(!is_sound(rows, states, states));
  }
}

TEST(no_layout_has_no_words_or_more_than_its_slots_need) {
  const std::vector<std::uint32_t> none;
  const std::vector<std::uint32_t> zeros(2, 0);
  CHECK(!Layout::described(none, none, 0));
  CHECK(Layout::described(none, none, 1));
  CHECK(!Layout::described(zeros, zeros, 0));
  CHECK(!Layout::described(none, zeros, 1));
  CHECK(!Layout::described(zeros, zeros, std::size_t{1} << 40));
}

}  // namespace
}  // namespace volition
