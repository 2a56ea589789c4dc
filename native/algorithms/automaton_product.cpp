#include "automaton_product.hpp"

#include <algorithm>
#include <string>

namespace volition {

AutomatonProduct build_product(const MarkedTransitionMatrix& space, std::span<const Node> letters,
                               const Automaton& automaton, std::span<const Node> start_states,
                               std::span<const Node> initial, std::size_t max_nodes,
                               PollTimer& timer) {
  AutomatonProduct result;
  result.offsets.push_back(0);
  const std::size_t node_limit = std::min<std::size_t>(max_nodes, kNone);
  // Per pair of a state and an automaton state: its product node, or kNone if it has none yet.
  std::vector<Node> node_of(letters.size() * automaton.states, kNone);
  const auto id_of = [&](Node state, Node q) {
    Node& id = node_of[state * automaton.states + q];
    if (id == kNone) {
      if (result.states.size() >= node_limit) {
        throw TooManyNodes("the product has more than " + std::to_string(node_limit) + " nodes");
      }
      id = static_cast<Node>(result.states.size());
      result.states.push_back(state);
      result.automaton_states.push_back(q);
    }
    return id;
  };
  const auto edges = [&](Node state, Node q) {
    const std::size_t at = q * automaton.letters + letters[state];
    return std::pair{static_cast<std::size_t>(automaton.first_edge[at]),
                     static_cast<std::size_t>(automaton.first_edge[at + 1])};
  };
  for (const Node state : start_states) {
    for (const Node q : initial) id_of(state, q);
  }
  for (std::size_t node = 0; node < result.states.size(); ++node) {
    timer.tick();
    const Node state = result.states[node];
    const auto [first, last] = edges(state, result.automaton_states[node]);
    if (first != last) {
      const TransitionMatrix& matrix = *space.view.matrix;
      const std::span<const Node> targets = space.view.successors(state);
      std::size_t t = 0;
      for (std::size_t choice = space.view.first_choice(state);
           choice < space.view.first_choice(state + 1); ++choice) {
        const Marks choice_marks = space.marks.empty() ? 0 : space.marks[choice];
        for (const std::size_t end = t + matrix.signature_of(choice).transitions; t < end; ++t) {
          const Node target = targets[t];
          for (std::size_t edge = first; edge < last; ++edge) {
            timer.tick();
            const Node q = automaton.targets[edge];
            const auto [next_first, next_last] = edges(target, q);
            if (next_first == next_last) continue;
            result.targets.push_back(id_of(target, q));
            result.marks.push_back(automaton.marks[edge] | choice_marks);
          }
        }
      }
    }
    result.offsets.push_back(static_cast<std::int64_t>(result.targets.size()));
  }
  return result;
}

}  // namespace volition
