#include "automaton_product.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "random_graphs.hpp"

namespace volition {
namespace {

using testing::Dice;
using testing::RandomGraph;

using Pair = std::pair<Node, Node>;  // state and automaton state
using Edges = std::map<Pair, std::multiset<std::pair<Pair, Marks>>>;

TEST(product_matches_naive_construction) {
  Dice dice(10);
  for (int round = 0; round < 1000; ++round) {
    // Random state space. Each state has one choice, whose transitions are the edges of a node of
    // the random graph.
    const RandomGraph space(dice);
    const auto n = static_cast<std::uint32_t>(space.size());
    const TransitionMatrix matrix = space.matrix();
    const TransitionMatrixView view{&matrix, n, n};
    std::vector<Marks> choice_marks;
    std::vector<Node> letters;
    const std::uint32_t num_letters = 1 + dice.below(2);
    for (std::uint32_t state = 0; state < n; ++state) {
      choice_marks.push_back(Marks{16} << dice.below(3));
      letters.push_back(dice.below(num_letters));
    }
    // Random automaton with up to two edges for each pair of automaton state and letter.
    const std::uint32_t states = 1 + dice.below(3);
    std::vector<std::int64_t> first_edge{0};
    std::vector<Node> edge_targets;
    std::vector<Marks> edge_marks;
    for (std::uint32_t i = 0; i < states * num_letters; ++i) {
      for (std::uint32_t edges = dice.below(3); edges > 0; --edges) {
        edge_targets.push_back(dice.below(states));
        edge_marks.push_back(dice.below(16));
      }
      first_edge.push_back(static_cast<std::int64_t>(edge_targets.size()));
    }
    const std::vector<Node> start_states{0};
    const std::vector<Node> initial{0};
    PollTimer timer = testing::never_polling();
    const AutomatonProduct found = build_product(
        {view, choice_marks}, letters, {states, num_letters, first_edge, edge_targets, edge_marks},
        start_states, initial, kNone, timer);
    const auto fits = [&](std::size_t max_nodes) {
      try {
        build_product({view, choice_marks}, letters,
                      {states, num_letters, first_edge, edge_targets, edge_marks}, start_states,
                      initial, max_nodes, timer);
        return true;
      } catch (const TooManyNodes&) {
        return false;
      }
    };
    CHECK(fits(found.states.size()));
    CHECK(!fits(found.states.size() - 1));

    const auto edges_of = [&](const Pair& at) {
      const std::size_t row = at.second * num_letters + letters[at.first];
      return std::pair{static_cast<std::size_t>(first_edge[row]),
                       static_cast<std::size_t>(first_edge[row + 1])};
    };
    Edges expected;
    std::queue<Pair> waiting({Pair{0, 0}});
    expected[{0, 0}];
    while (!waiting.empty()) {
      const Pair at = waiting.front();
      waiting.pop();
      for (auto [edge, end] = edges_of(at); edge < end; ++edge) {
        for (const Node target : space.graph().successors(at.first)) {
          const Pair next{target, edge_targets[edge]};
          // The automaton has no edge for the letter of this state, so the product omits the pair.
          if (edges_of(next).first == edges_of(next).second) continue;
          if (expected.try_emplace(next).second) waiting.push(next);
          expected[at].insert({next, edge_marks[edge] | choice_marks[at.first]});
        }
      }
    }

    Edges given;
    const auto pair_of = [&](std::size_t node) {
      return Pair{found.states[node], found.automaton_states[node]};
    };
    for (std::size_t node = 0; node < found.states.size(); ++node) {
      auto& edges = given[pair_of(node)];
      for (std::int64_t edge = found.offsets[node]; edge < found.offsets[node + 1]; ++edge) {
        const auto e = static_cast<std::size_t>(edge);
        edges.insert({pair_of(found.targets[e]), found.marks[e]});
      }
    }
    CHECK(found.states.size() == given.size());
    CHECK(given == expected);
  }
}

}  // namespace
}  // namespace volition
