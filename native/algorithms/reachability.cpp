#include "reachability.hpp"

#include <algorithm>

namespace volition {

Flags unavoidable(const ChoiceGraph& graph, std::span<const bool> choices, std::span<const bool> goal, std::span<const bool> through,
                  Patience& patience) {
  const BackwardGraph backward = reversed(Graph{graph.first_target, graph.targets}, patience);
  std::vector<Node> state_of(choices.size());
  std::vector<Node> open(goal.size(), 0);  // how many of a state's choices are not known to lead there
  for (std::size_t state = 0; state < goal.size(); ++state) {
    for (auto choice = static_cast<std::size_t>(graph.first_choice[state]); choice < static_cast<std::size_t>(graph.first_choice[state + 1]); ++choice) {
      state_of[choice] = static_cast<Node>(state);
      open[state] += choices[choice] ? 1 : 0;
    }
  }
  Flags result(goal.begin(), goal.end());
  Flags leads(choices.size(), 0);
  std::vector<Node> waiting;
  for (std::size_t state = 0; state < goal.size(); ++state) {
    if (goal[state]) waiting.push_back(static_cast<Node>(state));
  }
  while (!waiting.empty()) {
    const Node target = waiting.back();
    waiting.pop_back();
    for (const Node choice : backward.successors(target)) {
      patience.spend();
      if (!choices[choice] || leads[choice] != 0) continue;
      leads[choice] = 1;
      const Node state = state_of[choice];
      if (--open[state] == 0 && through[state] && result[state] == 0) {
        result[state] = 1;
        waiting.push_back(state);
      }
    }
  }
  return result;
}

std::optional<std::vector<std::int64_t>> shortest_path(const Graph& graph, const EdgeMarks& marks, Node start, std::span<const bool> inside,
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
