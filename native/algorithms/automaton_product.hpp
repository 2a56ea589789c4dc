// Reachable product of a state space and an omega-automaton.
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

// Automaton that reads letters. A letter is an integer that stands for the set of propositions that
// hold in a state. The edges of automaton state q under letter l are first_edge[q * letters + l] to
// first_edge[q * letters + l + 1], exclusive.
struct Automaton {
  std::size_t states;
  std::size_t letters;
  std::span<const std::int64_t> first_edge;
  std::span<const Node> targets;
  std::span<const Marks> marks;
};

// Transition matrix of a state space, with acceptance marks for each choice.
struct MarkedTransitionMatrix {
  TransitionMatrixView view;
  std::span<const Marks> marks;  // per choice, added to the marks of the automaton
};

// Thrown if a product would have more nodes than allowed.
struct TooManyNodes : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct AutomatonProduct {
  GrowingArray<Node> states;
  NarrowArray automaton_states;
  GrowingArray<std::int64_t> offsets;  // edge offsets per node, as in a Graph
  GrowingArray<Node> targets;
  EdgeMarks marks;
};

// Builds the product of a state space and an automaton, as far as it is reachable from the initial
// nodes. A node is a pair of a state and an automaton state. The initial nodes combine each of
// `start_states` with each of `initial`. They come first, ordered by start state. The automaton
// reads the letter of a state when a run leaves the state. A node in which the automaton has no
// edge for this letter is omitted, unless it is an initial node. Throws TooManyNodes if there are
// more than `max_nodes` nodes, or more than the type Node can number.
AutomatonProduct build_product(const MarkedTransitionMatrix& space, std::span<const Node> letters,
                               const Automaton& automaton, std::span<const Node> start_states,
                               std::span<const Node> initial, std::size_t max_nodes,
                               PollTimer& timer);

}  // namespace volition
