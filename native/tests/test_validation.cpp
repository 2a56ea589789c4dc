// Tests of the validation of saved state spaces: results of the explorer are valid, and damaged
// arrays that could mislead an algorithm are not.

#include "validation.hpp"

#include <limits>
#include <memory>
#include <vector>

#include "random_systems.hpp"

namespace volition {
namespace {

using namespace testing;

// Returns a mutable copy of an array.
template <typename T>
std::shared_ptr<T> copy_of(GrowingArray<T>& array) {
  std::shared_ptr<T> copy(new T[array.size() + 1], std::default_delete<T[]>());
  std::copy_n(array.data(), array.size(), copy.get());
  return copy;
}

TEST(explored_spaces_are_valid_and_bad_targets_are_not) {
  Dice dice(31);
  for (int round = 0; round < 60; ++round) {
    const RandomSystem system = random_system(dice);
    Exploration exploration(system);
    exploration.up_to(dice.coin() ? std::numeric_limits<std::size_t>::max() : dice.below(20));
    Explorer& explorer = exploration.explorer;
    TransitionMatrix& matrix = explorer.matrix();
    CHECK(is_valid(matrix, explorer.num_states(), explorer.num_expanded()));
    CHECK(!is_valid(matrix, explorer.num_states(), explorer.num_expanded() + 1));
    std::vector<std::uint32_t> values(system.slots, system.values);
    const IdCounts counts{exploration.python.labels.size(), exploration.python.weights.size(),
                          exploration.python.rewards.size(), system.components, values};
    CHECK(is_valid(matrix.signatures(), counts));
    CHECK(is_valid(explorer.states(), explorer.layout(), counts));
    if (matrix.num_transitions() == 0) continue;
    CHECK(!is_valid(matrix.signatures(), IdCounts{0, 0, 0, 0, values}));
    const std::shared_ptr<StateId> targets = copy_of(matrix.all_targets());
    targets.get()[dice.below(static_cast<std::uint32_t>(matrix.num_transitions()))] =
        static_cast<StateId>(explorer.num_states());
    matrix.all_targets().adopt(targets, matrix.num_transitions());
    CHECK(!is_valid(matrix, explorer.num_states(), explorer.num_expanded()));
  }
}

TEST(unknown_slot_value_is_invalid) {
  Dice dice(32);
  const RandomSystem system = random_system(dice);
  Exploration exploration(system);
  exploration.complete();
  Explorer& explorer = exploration.explorer;
  std::vector<std::uint32_t> values(system.slots, 0);
  CHECK(!is_valid(explorer.states(), explorer.layout(), IdCounts{0, 0, 0, 0, values}));
}

TEST(unordered_and_duplicate_states_are_invalid) {
  Dice dice(33);
  for (int round = 0; round < 60; ++round) {
    const RandomSystem system = random_system(dice);
    Exploration exploration(system);
    exploration.complete();
    Explorer& explorer = exploration.explorer;
    TransitionMatrix& matrix = explorer.matrix();
    const std::size_t states = explorer.num_states();
    if (states < 3) continue;
    const std::size_t words = explorer.layout().words();
    std::vector<std::uint32_t> values(system.slots, system.values);
    const IdCounts counts{exploration.python.labels.size(), exploration.python.weights.size(),
                          exploration.python.rewards.size(), system.components, values};
    const std::shared_ptr<Word> twice = copy_of(explorer.states());
    std::copy_n(twice.get() + words, words, twice.get() + 2 * words);
    GrowingArray<Word> packed;
    packed.adopt(twice, states * words);
    CHECK(!is_valid(packed, explorer.layout(), counts));
    packed.adopt(twice, states * words - 1);
    CHECK(words == 1 || !is_valid(packed, explorer.layout(), counts));
    packed.adopt(twice, 0);
    CHECK(!is_valid(packed, explorer.layout(), counts));

    // Reverse the numbers of all states except the initial one, so that states are no longer
    // numbered in order of discovery.
    const std::shared_ptr<StateId> targets = copy_of(matrix.all_targets());
    for (std::size_t i = 0; i < matrix.num_transitions(); ++i) {
      StateId& target = targets.get()[i];
      if (target != 0) target = static_cast<StateId>(states - target);
    }
    matrix.all_targets().adopt(targets, matrix.num_transitions());
    CHECK(!is_valid(matrix, states, states));
  }
}

TEST(layout_word_count_is_bounded) {
  const std::vector<std::uint32_t> none;
  const std::vector<std::uint32_t> zeros(2, 0);
  CHECK(!Layout::from_fields(none, none, 0));
  CHECK(Layout::from_fields(none, none, 1));
  CHECK(!Layout::from_fields(zeros, zeros, 0));
  CHECK(!Layout::from_fields(none, zeros, 1));
  CHECK(!Layout::from_fields(zeros, zeros, std::size_t{1} << 40));
}

}  // namespace
}  // namespace volition
