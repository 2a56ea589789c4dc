// Graph algorithms on the arrays of a state space: what CTL and LTL checking need, each linear in the graph.
//
// Each spends its caller's patience, edge by edge, so that Ctrl-C ends it soon.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "patience.hpp"

namespace volition {

using Node = std::uint32_t;
using Marks = std::uint64_t;  // a set of up to 64 acceptance marks on an edge
using Flags = std::vector<std::uint8_t>;

inline constexpr Node kNone = 0xffffffffu;

// The edges of node n are targets[offsets[n]] to targets[offsets[n + 1]].
struct Graph {
  std::span<const std::int64_t> offsets;
  std::span<const Node> targets;

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
  [[nodiscard]] std::span<const Node> successors(std::size_t node) const {
    return targets.subspan(static_cast<std::size_t>(offsets[node]), static_cast<std::size_t>(offsets[node + 1] - offsets[node]));
  }
};

struct OwnedGraph {
  std::vector<std::int64_t> offsets;
  std::vector<Node> targets;
};

// The same edges backwards.
OwnedGraph reversed(const Graph& graph, Patience& patience);

// EX: nodes with a successor inside.
Flags some_successor(const Graph& graph, std::span<const bool> inside, Patience& patience);

// EU: nodes from which a path through `through` reaches `goal` within so many steps (none: any number).
Flags can_reach(const Graph& backward, std::span<const bool> goal, std::span<const bool> through, std::optional<std::int64_t> steps,
                Patience& patience);

// EG: nodes from which an infinite path stays inside.
Flags can_stay(const Graph& forward, const Graph& backward, std::span<const bool> inside, Patience& patience);

// "Infinitely often some edge marked `when` implies infinitely often some edge marked `then`."
struct StreettPair {
  Marks when;
  Marks then;
};

// The strongly connected parts in which a run can stay for ever and be accepted.
struct AcceptingParts {
  std::vector<Node> part;         // of each node; kNone outside
  std::vector<Marks> required;    // of each part: the marks that an accepted loop collects
  std::vector<Marks> forbidden;   // of each part: edges with one of these marks are not used
};

// A run is accepted if it sees each mark of `always` infinitely often and obeys every pair.  Only parts inside are looked for.
AcceptingParts accepting_parts(const Graph& graph, std::span<const Marks> marks, std::span<const bool> inside, Marks always,
                               const std::vector<StreettPair>& pairs, Patience& patience);

// A shortest path of at least one edge, as positions in `targets`, that starts in `start`, stays inside, uses no edge with a
// forbidden mark, and ends with an edge into `goal` that has one of the `wanted` marks (0: any edge).
std::optional<std::vector<std::int64_t>> shortest_path(const Graph& graph, std::span<const Marks> marks, Node start, std::span<const bool> inside,
                                                       std::span<const bool> goal, Marks wanted, Marks forbidden, Patience& patience);

// The edges of an automaton in state q under letter l stand from first_edge[q * letters + l] on.
struct Automaton {
  std::size_t states;
  std::size_t letters;
  std::span<const std::int64_t> first_edge;
  std::span<const Node> targets;
  std::span<const Marks> marks;
};

// The state space as it is: states, their choices, and the choices' transitions.
struct Choices {
  std::span<const std::int64_t> first_choice;
  std::span<const std::int64_t> first_transition;
  std::span<const Node> targets;
  std::span<const Marks> marks;  // of each choice, added to the automaton's
};

struct Product {
  std::vector<Node> states;
  std::vector<Node> automaton_states;
  OwnedGraph graph;
  std::vector<Marks> marks;
};

// What is reachable from the given states with the automaton in one of its initial states: in that order they are the first
// nodes of the product.  The automaton reads the letter of a state when the state is left; nodes in which it is stuck are left out.
Product product(const Choices& space, std::span<const Node> letters, const Automaton& automaton, std::span<const Node> starts,
                std::span<const Node> initial, Patience& patience);

// What each state is worth one step before its successors are worth `values`: the least, or else the greatest, over its choices of the
// expected value.  `first_choice` may end early, and then only the states up to there are looked at.
//
// Values are not negative.  What would be smaller than the least normal number is raised to it, so that nothing possible becomes 0
// and no sum of n products is too small by more than the factor 1 - (n + 1)u, where u is the rounding of one operation.
std::vector<double> best_before(std::span<const std::int64_t> first_choice, std::span<const std::int64_t> first_transition,
                                std::span<const Node> targets, std::span<const double> probabilities, std::span<const double> values,
                                bool least, Patience& patience);

void bind_graph(nanobind::module_& m);

}  // namespace volition
