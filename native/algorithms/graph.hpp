// Graphs and their memory layout.
//
// Graph algorithms accept any type that has a size and the successors of each node: arrays (Graph),
// a reversed graph (BackwardGraph), or the transition matrix of a state space
// (TransitionMatrixView), which is not copied. The algorithms call the poll timer once per edge, so
// that Ctrl-C ends them soon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "offsets.hpp"

namespace volition {

using Node = std::uint32_t;
using Marks = std::uint64_t;  // set of up to 64 acceptance marks on an edge
using Flags = std::vector<std::uint8_t>;

inline constexpr Node kNone = 0xffffffffu;

// Graph in CSR form. The edges of node n are targets[offsets[n]] to targets[offsets[n + 1]],
// exclusive.
struct Graph {
  std::span<const std::int64_t> offsets;
  std::span<const Node> targets;

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
  [[nodiscard]] std::size_t num_edges() const { return targets.size(); }
  [[nodiscard]] std::span<const Node> successors(std::size_t node) const {
    return targets.subspan(static_cast<std::size_t>(offsets[node]),
                           static_cast<std::size_t>(offsets[node + 1] - offsets[node]));
  }
};

// Reversed graph: the successors of a node are its predecessors in the original, in ascending
// order.
struct BackwardGraph {
  Offsets offsets;
  std::vector<Node> sources;

  [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
  [[nodiscard]] std::span<const Node> successors(std::size_t node) const {
    return std::span(sources).subspan(offsets[node], offsets[node + 1] - offsets[node]);
  }
};

}  // namespace volition
