// Validation of a saved state space that was loaded: checks every invariant that the algorithms
// rely on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "growing_array.hpp"
#include "layout.hpp"
#include "transition_matrix.hpp"

namespace volition {

// Numbers of labels, weights, rewards, components and values that a state space refers to by id.
struct IdCounts {
  std::size_t labels;
  std::size_t weights;
  std::size_t rewards;
  std::size_t components;
  std::span<const std::uint32_t> values;  // per slot
};

// Checks choice signatures: ids are in range, and each signature has at least one transition.
bool is_valid(const ChoiceSignatures& signatures, const IdCounts& counts);

// Checks the transition matrix of the first `expanded` of `states` states: each state has a choice
// with a transition, the targets of a choice ascend, and states are numbered in order of discovery,
// so that every state is reached from one with a smaller number.
bool is_valid(TransitionMatrix& matrix, std::size_t states, std::size_t expanded);

// Checks packed states: the first holds the initial values, each slot holds an existing value,
// unused bits are 0, and no state occurs twice.
bool is_valid(const GrowingArray<Word>& states, const Layout& layout, const IdCounts& counts);

}  // namespace volition
