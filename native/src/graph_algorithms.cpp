// Literature: Clarke, Emerson, Sistla, "Automatic verification of finite-state concurrent systems using temporal logic
// specifications" (1986) for EX, EU, EG; Tarjan (1972) for strongly connected components; Emerson and Lei, "Modalities for model
// checking" (1987) for their refinement under strong fairness.

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "graph.hpp"

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

namespace {

// Tarjan's algorithm without recursion, on some nodes and the edges without a forbidden mark.  On the way it collects the
// marks of the edges inside each component, so that no edge is looked at twice.
class Components {
 public:
  Components(const Graph& graph, std::span<const Marks> marks, Patience& patience)
      : graph_(graph), marks_(marks), patience_(patience), order_(graph.size(), kDone) {}

  // Calls found(nodes, has_edges, marks) for each component of the subgraph of the given nodes.
  template <typename Found>
  void run(const std::vector<Node>& nodes, Marks forbidden, Found&& found) {
    // Between runs every node is done, so the others are out of sight.
    for (const Node node : nodes) order_[node] = kUnseen;
    for (const Node root : nodes) {
      if (order_[root] == kUnseen) search(root, forbidden, found);
    }
  }

 private:
  // A node on the way from the root, the next edge to look at, the earliest open node seen from here, and what is known
  // of the edges inside its component.
  struct Frame {
    Node node;
    std::uint32_t low;
    std::int64_t edge;
    Marks marks;
    bool has_edges;
  };
  static constexpr std::uint32_t kUnseen = 0;
  static constexpr std::uint32_t kDone = 0xffffffffu;

  [[nodiscard]] Marks marks_of(std::int64_t edge) const { return marks_.empty() ? 0 : marks_[static_cast<std::size_t>(edge)]; }

  void enter(Node node) {
    order_[node] = ++clock_;
    open_.push_back(node);
    frames_.push_back({node, clock_, graph_.offsets[node], 0, false});
  }

  template <typename Found>
  void search(Node root, Marks forbidden, Found&& found) {
    clock_ = 0;
    enter(root);
    while (!frames_.empty()) {
      patience_.spend();
      Frame& frame = frames_.back();
      if (frame.edge < graph_.offsets[frame.node + 1]) {
        const std::int64_t edge = frame.edge++;
        const std::uint32_t order = order_[graph_.targets[static_cast<std::size_t>(edge)]];
        if (order == kDone || (marks_of(edge) & forbidden) != 0) continue;
        if (order == kUnseen) {
          enter(graph_.targets[static_cast<std::size_t>(edge)]);
        } else {
          // An open node reaches the one we are in: the edge is inside a component.
          frame.low = std::min(frame.low, order);
          frame.marks |= marks_of(edge);
          frame.has_edges = true;
        }
        continue;
      }
      const Frame done = frame;
      frames_.pop_back();
      if (done.low == order_[done.node]) {
        close(done, found);
      } else {
        Frame& parent = frames_.back();
        parent.low = std::min(parent.low, done.low);
        parent.marks |= done.marks | marks_of(parent.edge - 1);
        parent.has_edges = true;
      }
    }
  }

  template <typename Found>
  void close(const Frame& root, Found&& found) {
    component_.clear();
    Node node;
    do {
      node = open_.back();
      open_.pop_back();
      order_[node] = kDone;
      component_.push_back(node);
    } while (node != root.node);
    found(component_, root.has_edges, root.marks);
  }

  const Graph& graph_;
  std::span<const Marks> marks_;
  Patience& patience_;
  std::vector<std::uint32_t> order_;
  std::uint32_t clock_ = 0;
  std::vector<Node> open_;
  std::vector<Frame> frames_;
  std::vector<Node> component_;
};

}  // namespace

AcceptingParts accepting_parts(const Graph& graph, std::span<const Marks> marks, std::span<const bool> inside, Marks always,
                               const std::vector<StreettPair>& pairs, Patience& patience) {
  struct Work {
    std::vector<Node> nodes;
    Marks forbidden;
  };
  AcceptingParts result{std::vector<Node>(graph.size(), kNone), {}, {}};
  Components search(graph, marks, patience);
  std::vector<Work> waiting(1);
  waiting[0].forbidden = 0;
  for (std::size_t node = 0; node < graph.size(); ++node) {
    if (inside[node]) waiting[0].nodes.push_back(static_cast<Node>(node));
  }

  while (!waiting.empty()) {
    const Work work = std::move(waiting.back());
    waiting.pop_back();
    search.run(work.nodes, work.forbidden, [&](const std::vector<Node>& component, bool has_edges, Marks seen) {
      if (!has_edges || (seen & always) != always) return;
      Marks broken = 0;
      Marks obeyed = 0;
      for (const StreettPair& pair : pairs) {
        if ((seen & pair.then) != 0) {
          obeyed |= seen & pair.then;
        } else {
          broken |= seen & pair.when;
        }
      }
      if (broken != 0) {
        // Without the edges that break a pair, smaller components may remain that obey it.
        waiting.push_back({component, work.forbidden | broken});
        return;
      }
      const Node part = static_cast<Node>(result.required.size());
      for (const Node node : component) result.part[node] = part;
      result.required.push_back(always | obeyed);
      result.forbidden.push_back(work.forbidden);
    });
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

Product product(const Choices& space, std::span<const Node> letters, const Automaton& automaton, std::span<const Node> starts,
                std::span<const Node> initial, Patience& patience) {
  Product result;
  result.graph.targets.reserve(space.targets.size());
  result.marks.reserve(space.targets.size());
  result.graph.offsets.push_back(0);
  // Where each pair of a state and an automaton state is in the product.
  std::vector<Node> known(letters.size() * automaton.states, kNone);
  const auto number = [&](Node state, Node q) {
    Node& id = known[state * automaton.states + q];
    if (id == kNone) {
      if (result.states.size() >= kNone) throw std::length_error("the product with the automaton has more than 2^32 nodes");
      id = static_cast<Node>(result.states.size());
      result.states.push_back(state);
      result.automaton_states.push_back(q);
    }
    return id;
  };
  const auto edges = [&](Node state, Node q) {
    const std::size_t at = q * automaton.letters + letters[state];
    return std::pair{static_cast<std::size_t>(automaton.first_edge[at]), static_cast<std::size_t>(automaton.first_edge[at + 1])};
  };
  for (const Node state : starts) {
    for (const Node q : initial) number(state, q);
  }
  for (std::size_t node = 0; node < result.states.size(); ++node) {
    patience.spend();
    const Node state = result.states[node];
    const auto [first, last] = edges(state, result.automaton_states[node]);
    if (first != last) {
      for (std::int64_t choice = space.first_choice[state]; choice < space.first_choice[state + 1]; ++choice) {
        const std::size_t c = static_cast<std::size_t>(choice);
        const Marks earned = space.marks.empty() ? 0 : space.marks[c];
        for (std::int64_t t = space.first_transition[c]; t < space.first_transition[c + 1]; ++t) {
          const Node target = space.targets[static_cast<std::size_t>(t)];
          for (std::size_t edge = first; edge < last; ++edge) {
            patience.spend();
            const Node q = automaton.targets[edge];
            const auto [next_first, next_last] = edges(target, q);
            if (next_first == next_last) continue;
            result.graph.targets.push_back(number(target, q));
            result.marks.push_back(automaton.marks[edge] | earned);
          }
        }
      }
    }
    result.graph.offsets.push_back(static_cast<std::int64_t>(result.graph.targets.size()));
  }
  return result;
}

std::vector<double> best_before(std::span<const std::int64_t> first_choice, std::span<const std::int64_t> first_transition,
                                std::span<const Node> targets, std::span<const double> probabilities, std::span<const double> values,
                                bool least, Patience& patience) {
  constexpr double smallest = std::numeric_limits<double>::min();
  const auto value_of = [&](std::size_t choice) {
    const auto begin = static_cast<std::size_t>(first_transition[choice]);
    const auto end = static_cast<std::size_t>(first_transition[choice + 1]);
    double sum = 0;
    for (std::size_t t = begin; t < end; ++t) sum += probabilities[t] * values[targets[t]];
    if (sum >= smallest) return sum;
    for (std::size_t t = begin; t < end; ++t) {
      if (probabilities[t] > 0 && values[targets[t]] > 0) return smallest;
    }
    return 0.0;
  };
  std::vector<double> result(first_choice.size() - 1);
  for (std::size_t state = 0; state < result.size(); ++state) {
    auto choice = static_cast<std::size_t>(first_choice[state]);
    const auto end = static_cast<std::size_t>(first_choice[state + 1]);
    patience.spend();
    double best = value_of(choice);
    while (++choice < end) best = least ? std::min(best, value_of(choice)) : std::max(best, value_of(choice));
    result[state] = best;
  }
  return result;
}

}  // namespace volition
