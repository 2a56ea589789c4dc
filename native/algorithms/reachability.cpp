#include "reachability.hpp"

#include <algorithm>

namespace volition {

namespace {

// Returns whether a state has at least one choice in `choices`, and each of those may lead to a
// reached state.
bool every_choice_may_reach(const ChoiceGraph& graph, std::span<const bool> choices, Node state,
                            const Flags& reached) {
  bool some = false;
  for (std::size_t choice = graph.begin(state); choice < graph.end(state); ++choice) {
    if (!choices[choice]) continue;
    some = true;
    if (std::ranges::none_of(graph.targets_of(choice),
                             [&](Node target) { return reached[target] != 0; })) {
      return false;
    }
  }
  return some;
}

// Adds to `reached`, until nothing changes, each state of `through` that has choices in `choices`
// and whose choices in `choices` all may lead to a reached state. Follows reversed edges, so that
// the time is linear in the graph for any order of the states.
void propagate_backwards(const ChoiceGraph& graph, std::span<const bool> choices,
                         std::span<const bool> through, Flags& reached, PollTimer& timer) {
  const BackwardGraph backward = reversed(Graph{graph.first_target, graph.targets}, timer);
  std::vector<Node> state_of(choices.size());
  // Per state: number of choices that are not known to lead to a reached state.
  std::vector<Node> remaining(reached.size(), 0);
  std::vector<Node> waiting;
  for (std::size_t state = 0; state < reached.size(); ++state) {
    for (std::size_t choice = graph.begin(state); choice < graph.end(state); ++choice) {
      state_of[choice] = static_cast<Node>(state);
      remaining[state] += choices[choice] ? 1 : 0;
    }
    if (reached[state] != 0) waiting.push_back(static_cast<Node>(state));
  }
  Flags leads(choices.size(), 0);
  while (!waiting.empty()) {
    const Node target = waiting.back();
    waiting.pop_back();
    for (const Node choice : backward.successors(target)) {
      timer.tick();
      if (!choices[choice] || leads[choice] != 0) continue;
      leads[choice] = 1;
      const Node state = state_of[choice];
      if (--remaining[state] == 0 && through[state] && reached[state] == 0) {
        reached[state] = 1;
        waiting.push_back(state);
      }
    }
  }
}

}  // namespace

Flags prob_greater_0_all(const ChoiceGraph& graph, std::span<const bool> choices,
                         std::span<const bool> goal, std::span<const bool> through,
                         PollTimer& timer) {
  Flags reached(goal.begin(), goal.end());
  std::vector<Node> remaining;
  for (std::size_t state = goal.size(); state-- > 0;) {
    if (!goal[state] && through[state]) remaining.push_back(static_cast<Node>(state));
  }
  // Propagate in passes over all states first. Successors mostly have larger numbers, so a pass
  // from the last state to the first decides most states without the reversed graph. Passes are
  // repeated while each decides at least a quarter of the remaining states. Together they cost at
  // most four passes over all states.
  for (std::size_t before = 2 * remaining.size();
       !remaining.empty() && remaining.size() <= before - before / 4;) {
    before = remaining.size();
    std::size_t left = 0;
    for (const Node state : remaining) {
      timer.tick();
      if (every_choice_may_reach(graph, choices, state, reached)) {
        reached[state] = 1;
      } else {
        remaining[left++] = state;
      }
    }
    if (left == before) return reached;
    remaining.resize(left);
  }
  if (!remaining.empty()) propagate_backwards(graph, choices, through, reached, timer);
  return reached;
}

std::optional<std::vector<std::int64_t>> shortest_path(const Graph& graph, const EdgeMarks& marks,
                                                       Node start, std::span<const bool> inside,
                                                       std::span<const bool> goal, Marks required,
                                                       Marks forbidden, PollTimer& timer) {
  // The edge through which each node was reached, and the source of that edge.
  std::vector<std::int64_t> reached_by(graph.size(), -1);
  std::vector<Node> reached_from(graph.size(), kNone);
  std::vector<Node> queue{start};
  reached_from[start] = start;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Node node = queue[head];
    for (std::int64_t edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge) {
      timer.tick();
      const std::size_t at = static_cast<std::size_t>(edge);
      const Node target = graph.targets[at];
      const Marks here = marks.empty() ? 0 : marks[at];
      if (!inside[target] || (here & forbidden) != 0) continue;
      if (goal[target] && (required == 0 || (here & required) != 0)) {
        std::vector<std::int64_t> path{edge};
        for (Node back = node; back != start; back = reached_from[back]) {
          path.push_back(reached_by[back]);
        }
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
