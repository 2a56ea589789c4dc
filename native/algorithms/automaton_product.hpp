// A state space that an automaton reads: what is reachable of the two together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "edge_marks.hpp"
#include "graph.hpp"
#include "growing_array.hpp"
#include "narrow_array.hpp"
#include "poll_timer.hpp"
#include "transition_matrix.hpp"

namespace volition {

// The edges of an automaton in state q under letter l stand from first_edge[q * letters + l] on.
struct Automaton {
  std::size_t states;
  std::size_t letters;
  std::span<const std::int64_t> first_edge;
  std::span<const Node> targets;
  std::span<const Marks> marks;
};

// The state space as it is: states, their choices, and the choices' transitions.
struct MarkedTransitionMatrix {
  TransitionMatrixView view;
  std::span<const Marks> marks;  // of each choice, added to the automaton's
};

// There are more nodes than the product may have.
struct TooManyNodes : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct AutomatonProduct {
  GrowingArray<Node> states;
  NarrowArray automaton_states;
  GrowingArray<std::int64_t> offsets;  // of the edges of each node, as in a Graph
  GrowingArray<Node> targets;
  EdgeMarks marks;
};

// What is reachable from the given states with the automaton in one of its initial states: in that order they are the first
// nodes of the product.  The automaton reads the letter of a state when the state is left; nodes in which it is stuck are left out.
// Throws TooManyNodes where there are more than `most_nodes`, or more than a node can number.
AutomatonProduct build_product(const MarkedTransitionMatrix& space, std::span<const Node> letters, const Automaton& automaton, std::span<const Node> start_states,
                std::span<const Node> initial, std::size_t max_nodes, PollTimer& timer);

}  // namespace volition
