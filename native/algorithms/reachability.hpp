// Reachability: EX, EU and EG of CTL, and shortest paths, each in linear time.
//
// Literature: Clarke, Emerson, Sistla, "Automatic verification of finite-state concurrent systems
// using temporal logic specifications" (1986).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "edge_marks.hpp"
#include "graph.hpp"
#include "poll_timer.hpp"

namespace volition {

// Returns the graph with all edges reversed.
template <typename AnyGraph>
BackwardGraph reversed(const AnyGraph& graph, PollTimer& timer) {
  const std::size_t n = graph.size();
  std::vector<Node> missing(n, 0);  // number of incoming edges that are not placed yet
  for (std::size_t node = 0; node < n; ++node) {
    for (const Node target : graph.successors(node)) {
      timer.tick();
      ++missing[target];
    }
  }
  BackwardGraph result;
  std::uint64_t edges = 0;
  for (std::size_t node = 0; node < n; ++node) {
    result.offsets.push_back(edges);
    edges += missing[node];
  }
  result.offsets.push_back(edges);
  result.sources.resize(edges);
  for (std::size_t node = n; node-- > 0;) {
    for (const Node target : graph.successors(node)) {
      timer.tick();
      result.sources[result.offsets[target] + --missing[target]] = static_cast<Node>(node);
    }
  }
  return result;
}

// EX of CTL: returns the nodes that have a successor in `inside`.
template <typename AnyGraph>
Flags exists_next(const AnyGraph& graph, std::span<const bool> inside, PollTimer& timer) {
  Flags result(graph.size(), 0);
  for (std::size_t node = 0; node < graph.size(); ++node) {
    timer.tick();
    result[node] =
        std::ranges::any_of(graph.successors(node), [&](Node target) { return inside[target]; });
  }
  return result;
}

// EU of CTL: returns the nodes from which a path through nodes of `through` reaches `goal` within
// `steps` steps (nullopt: any number of steps). The first argument is the reversed graph.
template <typename AnyGraph>
Flags exists_until(const AnyGraph& backward, std::span<const bool> goal,
                   std::span<const bool> through, std::optional<std::int64_t> steps,
                   PollTimer& timer) {
  Flags result(goal.begin(), goal.end());
  std::vector<Node> layer;
  for (std::size_t node = 0; node < goal.size(); ++node) {
    if (goal[node]) layer.push_back(static_cast<Node>(node));
  }
  std::vector<Node> next;
  for (std::int64_t step = 0; !layer.empty() && (!steps || step < *steps); ++step) {
    next.clear();
    for (const Node node : layer) {
      timer.tick();
      for (const Node source : backward.successors(node)) {
        timer.tick();
        if (result[source] == 0 && through[source]) {
          result[source] = 1;
          next.push_back(source);
        }
      }
    }
    layer.swap(next);
  }
  return result;
}

// EG of CTL: returns the nodes from which an infinite path stays in `inside`.
template <typename AnyGraph>
Flags exists_globally(const AnyGraph& forward, const BackwardGraph& backward,
                      std::span<const bool> inside, PollTimer& timer) {
  const std::size_t n = forward.size();
  Flags result(inside.begin(), inside.end());
  // Per node: number of edges to nodes that are not removed.
  std::vector<Node> remaining_edges(n, 0);
  std::vector<Node> removed;
  for (std::size_t node = 0; node < n; ++node) {
    timer.tick();
    if (!inside[node]) continue;
    remaining_edges[node] = static_cast<Node>(std::ranges::count_if(
        forward.successors(node), [&](Node target) { return inside[target]; }));
    if (remaining_edges[node] == 0) removed.push_back(static_cast<Node>(node));
  }
  while (!removed.empty()) {
    const Node node = removed.back();
    removed.pop_back();
    result[node] = 0;
    for (const Node source : backward.successors(node)) {
      timer.tick();
      if (inside[source] && --remaining_edges[source] == 0) removed.push_back(source);
    }
  }
  return result;
}

// Graph of an MDP without probabilities: the choices of each state, and the targets of each choice.
struct ChoiceGraph {
  std::span<const std::int64_t> first_choice;  // per state
  std::span<const std::int64_t> first_target;  // per choice
  std::span<const Node> targets;

  [[nodiscard]] std::size_t num_states() const { return first_choice.size() - 1; }
  [[nodiscard]] std::size_t num_choices() const { return first_target.size() - 1; }
  // The choices of a state are begin(state) to end(state), exclusive.
  [[nodiscard]] std::size_t begin(std::size_t state) const {
    return static_cast<std::size_t>(first_choice[state]);
  }
  [[nodiscard]] std::size_t end(std::size_t state) const {
    return static_cast<std::size_t>(first_choice[state + 1]);
  }
  [[nodiscard]] std::span<const Node> targets_of(std::size_t choice) const {
    return Graph{first_target, targets}.successors(choice);
  }
};

// Prob>0 A: returns the states from which every strategy restricted to `choices` reaches `goal`
// through states of `through` with positive probability (least fixed point). A state without any of
// these choices is not included.
Flags prob_greater_0_all(const ChoiceGraph& graph, std::span<const bool> choices,
                         std::span<const bool> goal, std::span<const bool> through,
                         PollTimer& timer);

// Returns a shortest path of at least one edge, as indices of edges in `targets`. It starts in
// `start`, stays in `inside`, uses no edge with a mark of `forbidden`, and ends with an edge into
// `goal` that has a mark of `required` (0: any edge). Returns nullopt if there is none.
std::optional<std::vector<std::int64_t>> shortest_path(const Graph& graph, const EdgeMarks& marks,
                                                       Node start, std::span<const bool> inside,
                                                       std::span<const bool> goal, Marks required,
                                                       Marks forbidden, PollTimer& timer);

}  // namespace volition
