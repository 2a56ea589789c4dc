#include "transition_matrix.hpp"

#include <vector>

#include "testing.hpp"

namespace volition {
namespace {

using testing::Dice;

TEST(narrow_array_keeps_values_when_widened) {
  Dice dice(20);
  for (int round = 0; round < 50; ++round) {
    NarrowArray array;
    std::vector<std::uint32_t> expected;
    std::uint32_t bound = 1 + dice.below(250);
    std::shared_ptr<const std::uint8_t> shared;
    std::vector<std::uint8_t> seen;
    for (int i = 0; i < 400; ++i) {
      if (dice.below(60) == 0) bound = bound < 1u << 30 ? bound * 4 : bound;
      array.push_back(dice.below(4) == 0 ? bound - 1 : dice.below(bound));
      expected.push_back(array[array.size() - 1]);
      if (dice.below(50) == 0) {
        const std::size_t kept = dice.below(static_cast<std::uint32_t>(array.size()));
        array.truncate(kept);
        expected.resize(kept);
      }
      if (dice.below(100) == 0) {
        shared = array.share();
        seen.assign(shared.get(), shared.get() + array.bytes());
      }
      CHECK(array.size() == expected.size());
      CHECK(array.bytes() == array.size() * array.width());
    }
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(array[i] == expected[i]);
    CHECK(std::equal(seen.begin(), seen.end(), shared.get()));
  }
}

TEST(offsets_round_trip) {
  Dice dice(21);
  for (int round = 0; round < 50; ++round) {
    Offsets offsets;
    std::vector<std::uint64_t> expected{0};
    offsets.push_back(0);
    for (int i = 0; i < 500; ++i) {
      expected.push_back(expected.back() +
                         dice.below(dice.below(20) == 0 ? 1u << dice.below(26) : 7));
      offsets.push_back(expected.back());
      CHECK(offsets.back() == expected.back());
    }
    CHECK(offsets.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(offsets[i] == expected[i]);
  }
}

TEST(signatures_are_interned_by_value) {
  Dice dice(22);
  ChoiceSignatures signatures;
  std::vector<std::vector<ObjectId>> met;
  for (int i = 0; i < 20000; ++i) {
    std::vector<ObjectId> all{dice.below(20), dice.below(3), dice.below(3)};
    for (std::uint32_t count = 1 + dice.below(3); count > 0; --count) all.push_back(dice.below(4));
    const SignatureId id = signatures.intern(all[0], all[1], all[2], std::span(all).subspan(3));
    CHECK(id <= met.size());
    if (id == met.size()) {
      CHECK(std::ranges::find(met, all) == met.end());
      met.push_back(all);
    }
    CHECK(met[id] == all);
    CHECK(signatures[id].label == all[0] && signatures[id].reward == all[1] &&
          signatures[id].component == all[2]);
    CHECK(std::ranges::equal(signatures.weights(id), std::span(all).subspan(3)));
  }
  CHECK(met.size() == signatures.size());
  CHECK(met.size() > 5000);
}

TEST(discarded_state_leaves_no_transitions) {
  TransitionMatrix matrix;
  const std::vector<std::pair<StateId, ObjectId>> two{{3, 1}, {5, 2}};
  matrix.add_choice(1, 0, 0, two);
  matrix.finish_state();
  matrix.add_choice(2, 0, 0, two);
  matrix.discard_unfinished();
  CHECK(matrix.num_states() == 1 && matrix.num_choices() == 1 && matrix.num_transitions() == 2);
  matrix.add_choice(3, 0, 0, std::span(two).first(1));
  matrix.add_choice(1, 0, 0, two);
  matrix.finish_state();
  CHECK(matrix.transitions_of(1) == std::pair(std::size_t{2}, std::size_t{3}));
  CHECK(matrix.transitions_of(2) == std::pair(std::size_t{3}, std::size_t{5}));
  CHECK(matrix.state_of(0) == 0 && matrix.state_of(1) == 1 && matrix.state_of(2) == 1);
  CHECK(matrix.signature_id(2) == matrix.signature_id(0));
  const TransitionMatrixView first{&matrix, 6, 1};
  CHECK(first.num_choices() == 1 && first.successors(0).size() == 2 && first.successors(1).empty());
  CHECK(first.first_choice(1) == 1 && first.first_choice(6) == 1);
}

}  // namespace
}  // namespace volition
