// Graphs, and how their edges lie in memory.
//
// Algorithms take whatever has a size and the successors of each node: arrays (Graph), a graph that was turned round (BackwardGraph), or
// the rows of a state space as they are (StateRows), of which no copy is made.  They spend their caller's patience, edge by edge, so that
// Ctrl-C ends them soon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "offsets.hpp"

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
  [[nodiscard]] std::size_t num_edges() const { return targets.size(); }
  [[nodiscard]] std::span<const Node> successors(std::size_t node) const {
    return targets.subspan(static_cast<std::size_t>(offsets[node]), static_cast<std::size_t>(offsets[node + 1] - offsets[node]));
  }
};

// The edges of another graph backwards: the successors of a node are those that lead to it, in ascending order.
struct BackwardGraph {
  Offsets offsets;
  std::vector<Node> sources;

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
  [[nodiscard]] std::span<const Node> successors(std::size_t node) const {
    return std::span(sources).subspan(offsets[node], offsets[node + 1] - offsets[node]);
  }
};

}  // namespace volition
