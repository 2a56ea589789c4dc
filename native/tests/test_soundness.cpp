// What the explorer made is sound, and what was changed in it is noticed where an algorithm could go astray.

#include "soundness.hpp"

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

}  // namespace
}  // namespace volition
