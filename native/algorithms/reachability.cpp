#include "reachability.hpp"

#include <algorithm>

namespace volition {

OwnedGraph reversed(const Graph& graph, Patience& patience) {
  const std::size_t n = graph.size();
  OwnedGraph result{std::vector<std::int64_t>(n + 1, 0), std::vector<Node>(graph.targets.size())};
  for (const Node target : graph.targets) {
    patience.spend();
    ++result.offsets[target + 1];
  }
  for (std::size_t i = 0; i < n; ++i) result.offsets[i + 1] += result.offsets[i];
  std::vector<std::int64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::size_t node = 0; node < n; ++node) {
    for (const Node target : graph.successors(node)) {
      patience.spend();
      result.targets[static_cast<std::size_t>(next[target]++)] = static_cast<Node>(node);
    }
  }
  return result;
}

Flags some_successor(const Graph& graph, std::span<const bool> inside, Patience& patience) {
  Flags result(graph.size(), 0);
  for (std::size_t node = 0; node < graph.size(); ++node) {
    patience.spend();
    result[node] = std::ranges::any_of(graph.successors(node), [&](Node target) { return inside[target]; });
  }
  return result;
}

Flags can_reach(const Graph& backward, std::span<const bool> goal, std::span<const bool> through, std::optional<std::int64_t> steps,
                Patience& patience) {
  Flags result(goal.begin(), goal.end());
  std::vector<Node> layer;
  for (std::size_t node = 0; node < goal.size(); ++node) {
    if (goal[node]) layer.push_back(static_cast<Node>(node));
  }
  std::vector<Node> next;
  for (std::int64_t step = 0; !layer.empty() && (!steps || step < *steps); ++step) {
    next.clear();
    for (const Node node : layer) {
      patience.spend();
      for (const Node source : backward.successors(node)) {
        patience.spend();
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

Flags can_stay(const Graph& forward, const Graph& backward, std::span<const bool> inside, Patience& patience) {
  const std::size_t n = forward.size();
  Flags result(inside.begin(), inside.end());
  // How many edges of each node lead to nodes that may still be able to stay.
  std::vector<std::int64_t> ways(n, 0);
  std::vector<Node> lost;
  for (std::size_t node = 0; node < n; ++node) {
    patience.spend();
    if (!inside[node]) continue;
    ways[node] = std::ranges::count_if(forward.successors(node), [&](Node target) { return inside[target]; });
    if (ways[node] == 0) lost.push_back(static_cast<Node>(node));
  }
  while (!lost.empty()) {
    const Node node = lost.back();
    lost.pop_back();
    result[node] = 0;
    for (const Node source : backward.successors(node)) {
      patience.spend();
      if (inside[source] && --ways[source] == 0) lost.push_back(source);
    }
  }
  return result;
}

std::optional<std::vector<std::int64_t>> shortest_path(const Graph& graph, std::span<const Marks> marks, Node start, std::span<const bool> inside,
                                                       std::span<const bool> goal, Marks wanted, Marks forbidden, Patience& patience) {
  // The edge through which each node was reached, and the node that the edge leaves.
  std::vector<std::int64_t> reached_by(graph.size(), -1);
  std::vector<Node> reached_from(graph.size(), kNone);
  std::vector<Node> queue{start};
  reached_from[start] = start;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Node node = queue[head];
    for (std::int64_t edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge) {
      patience.spend();
      const std::size_t at = static_cast<std::size_t>(edge);
      const Node target = graph.targets[at];
      const Marks here = marks.empty() ? 0 : marks[at];
      if (!inside[target] || (here & forbidden) != 0) continue;
      if (goal[target] && (wanted == 0 || (here & wanted) != 0)) {
        std::vector<std::int64_t> path{edge};
        for (Node back = node; back != start; back = reached_from[back]) path.push_back(reached_by[back]);
        std::ranges::reverse(path);
        return path;
      }
      if (reached_from[target] == kNone) {
        reached_from[target] = node;
        reached_by[target] = edge;
        queue.push_back(target);
      }
    }
  }
  return std::nullopt;
}

}  // namespace volition
