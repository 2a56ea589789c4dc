// What can be reached in a graph, and how soon: EX, EU and EG of CTL, and shortest paths, each linear in the graph.
//
// Literature: Clarke, Emerson, Sistla, "Automatic verification of finite-state concurrent systems using temporal logic
// specifications" (1986).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph.hpp"
#include "patience.hpp"

namespace volition {

// The same edges backwards.
OwnedGraph reversed(const Graph& graph, Patience& patience);

// EX: nodes with a successor inside.
Flags some_successor(const Graph& graph, std::span<const bool> inside, Patience& patience);

// EU: nodes from which a path through `through` reaches `goal` within so many steps (none: any number).
Flags can_reach(const Graph& backward, std::span<const bool> goal, std::span<const bool> through, std::optional<std::int64_t> steps,
                Patience& patience);

// EG: nodes from which an infinite path stays inside.
Flags can_stay(const Graph& forward, const Graph& backward, std::span<const bool> inside, Patience& patience);

// A shortest path of at least one edge, as positions in `targets`, that starts in `start`, stays inside, uses no edge with a
// forbidden mark, and ends with an edge into `goal` that has one of the `wanted` marks (0: any edge).
std::optional<std::vector<std::int64_t>> shortest_path(const Graph& graph, std::span<const Marks> marks, Node start, std::span<const bool> inside,
                                                       std::span<const bool> goal, Marks wanted, Marks forbidden, Patience& patience);

}  // namespace volition
