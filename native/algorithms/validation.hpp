// Whether what claims to be explored states and their rows can be: everything that the algorithms rely on, for what comes from outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "growing_array.hpp"
#include "layout.hpp"
#include "transition_matrix.hpp"

namespace volition {

// How many there are of what the rows and states of a space refer to by numbers.
struct IdCounts {
  std::size_t labels;
  std::size_t weights;
  std::size_t rewards;
  std::size_t components;
  std::span<const std::uint32_t> values;  // of each slot
};

// The kinds of choices: their numbers mean something, and there is one transition or more to each.
bool is_valid(const ChoiceSignatures& signatures, const IdCounts& counts);

// The rows of so many of the first states: each has a choice with a transition, targets of a choice ascend, and states are numbered in the order
// in which they are found, so that every state is reached from one with a lower number.
bool is_valid(TransitionMatrix& matrix, std::size_t states, std::size_t expanded);

// Packed states: the first holds the initial values, each slot holds a value that is there, other bits are 0, and no state is there twice.
bool is_valid(const GrowingArray<Word>& states, const Layout& layout, const IdCounts& counts);

}  // namespace volition
