// A graph as the arrays of a state space have it.
//
// Algorithms on it spend their caller's patience, edge by edge, so that Ctrl-C ends them soon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace volition
