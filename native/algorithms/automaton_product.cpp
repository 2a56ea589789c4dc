#include "automaton_product.hpp"

#include <algorithm>
#include <string>

namespace volition {

Product product(const Choices& space, std::span<const Node> letters, const Automaton& automaton, std::span<const Node> starts,
                std::span<const Node> initial, std::size_t most_nodes, Patience& patience) {
  Product result;
  result.offsets.push_back(0);
  const std::size_t most = std::min<std::size_t>(most_nodes, kNone);
  // Where each pair of a state and an automaton state is in the product.
  std::vector<Node> known(letters.size() * automaton.states, kNone);
  const auto number = [&](Node state, Node q) {
    Node& id = known[state * automaton.states + q];
    if (id == kNone) {
      if (result.states.size() >= most) throw TooManyNodes("the product has more than " + std::to_string(most) + " nodes");
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
      const Rows& rows = *space.rows.rows;
      const std::span<const Node> targets = space.rows.successors(state);
      std::size_t t = 0;
      for (std::size_t choice = space.rows.first_choice(state); choice < space.rows.first_choice(state + 1); ++choice) {
        const Marks earned = space.marks.empty() ? 0 : space.marks[choice];
        for (const std::size_t end = t + rows.kind_of(choice).transitions; t < end; ++t) {
          const Node target = targets[t];
          for (std::size_t edge = first; edge < last; ++edge) {
            patience.spend();
            const Node q = automaton.targets[edge];
            const auto [next_first, next_last] = edges(target, q);
            if (next_first == next_last) continue;
            result.targets.push_back(number(target, q));
            result.marks.push_back(automaton.marks[edge] | earned);
          }
        }
      }
    }
    result.offsets.push_back(static_cast<std::int64_t>(result.targets.size()));
  }
  return result;
}

}  // namespace volition
