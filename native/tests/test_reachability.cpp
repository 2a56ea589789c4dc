#include "reachability.hpp"

#include <algorithm>
#include <map>

#include "random_graphs.hpp"

namespace volition {
namespace {

using testing::Dice;
using testing::RandomGraph;
using testing::RandomSet;

constexpr int kRounds = 2000;

bool some_successor_in(const Graph& graph, std::size_t node, const Flags& inside) {
  return std::ranges::any_of(graph.successors(node),
                             [&](Node target) { return inside[target] != 0; });
}

TEST(reversed_graph_has_the_same_edges_backwards) {
  Dice dice(6);
  for (int round = 0; round < kRounds; ++round) {
    const RandomGraph random(dice);
    PollTimer timer = testing::never_polling();
    const BackwardGraph back = reversed(random.graph(), timer);
    std::map<std::pair<std::size_t, std::size_t>, int> edges;
    for (std::size_t node = 0; node < random.size(); ++node) {
      for (const Node target : random.graph().successors(node)) ++edges[{node, target}];
      CHECK(std::ranges::is_sorted(back.successors(node)));
      for (const Node source : back.successors(node)) --edges[{source, node}];
    }
    CHECK(std::ranges::all_of(edges, [](const auto& each) { return each.second == 0; }));
  }
}

TEST(next_until_and_globally_are_the_fixed_points_of_ctl) {
  Dice dice(7);
  for (int round = 0; round < kRounds; ++round) {
    const RandomGraph random(dice);
    const Graph graph = random.graph();
    const std::size_t n = random.size();
    const RandomSet goal(dice, n, 1);
    const RandomSet through(dice, n, 3);
    PollTimer timer = testing::never_polling();
    const BackwardGraph back = reversed(graph, timer);

    const Flags inside(through.view().begin(), through.view().end());
    const Flags next = exists_next(graph, through.view(), timer);
    for (std::size_t node = 0; node < n; ++node) {
      CHECK(next[node] == some_successor_in(graph, node, inside));
    }

    // E [ through U goal ] in k steps, for k = 0, 1, ...: least fixed point.
    Flags until(goal.view().begin(), goal.view().end());
    for (std::int64_t steps = 0; steps <= static_cast<std::int64_t>(n); ++steps) {
      CHECK(exists_until(back, goal.view(), through.view(), steps, timer) == until);
      Flags more = until;
      for (std::size_t node = 0; node < n; ++node) {
        more[node] = until[node] != 0 || (through[node] && some_successor_in(graph, node, until));
      }
      until = more;
    }
    CHECK(exists_until(back, goal.view(), through.view(), std::nullopt, timer) == until);

    // E [ G through ]: greatest fixed point.
    Flags stay = inside;
    for (std::size_t step = 0; step < n; ++step) {
      for (std::size_t node = 0; node < n; ++node) {
        stay[node] = stay[node] != 0 && some_successor_in(graph, node, stay);
      }
    }
    CHECK(exists_globally(graph, back, through.view(), timer) == stay);
  }
}

TEST(prob_greater_0_all_is_a_least_fixed_point) {
  Dice dice(9);
  for (int round = 0; round < kRounds; ++round) {
    // One to three choices per state with random targets.
    const std::uint32_t states = 1 + dice.below(8);
    std::vector<std::int64_t> first_choice{0}, first_target{0};
    std::vector<Node> targets;
    for (std::uint32_t state = 0; state < states; ++state) {
      for (std::uint32_t choices = 1 + dice.below(3); choices > 0; --choices) {
        for (std::uint32_t k = 1 + dice.below(3); k > 0; --k) targets.push_back(dice.below(states));
        first_target.push_back(static_cast<std::int64_t>(targets.size()));
      }
      first_choice.push_back(static_cast<std::int64_t>(first_target.size()) - 1);
    }
    const RandomSet choices(dice, first_target.size() - 1, 3);
    const RandomSet goal(dice, states, 1);
    const RandomSet through(dice, states, 3);

    Flags expected(states, 0);
    for (std::size_t state = 0; state < states; ++state) expected[state] = goal[state];
    for (std::size_t step = 0; step < states; ++step) {
      for (std::size_t state = 0; state < states; ++state) {
        std::size_t num_selected = 0;
        std::size_t leading = 0;
        for (auto choice = static_cast<std::size_t>(first_choice[state]);
             choice < static_cast<std::size_t>(first_choice[state + 1]); ++choice) {
          if (!choices[choice]) continue;
          ++num_selected;
          bool leads = false;
          for (auto i = static_cast<std::size_t>(first_target[choice]);
               i < static_cast<std::size_t>(first_target[choice + 1]); ++i) {
            leads = leads || expected[targets[i]] != 0;
          }
          leading += leads ? 1 : 0;
        }
        if (num_selected > 0 && leading == num_selected && through[state]) expected[state] = 1;
      }
    }
    PollTimer timer = testing::never_polling();
    CHECK(prob_greater_0_all({first_choice, first_target, targets}, choices.view(), goal.view(),
                             through.view(), timer) == expected);
  }
}

TEST(shortest_path_is_a_path_and_shortest) {
  Dice dice(8);
  for (int round = 0; round < kRounds; ++round) {
    const RandomGraph random(dice);
    const Graph graph = random.graph();
    const std::size_t n = random.size();
    const RandomSet inside(dice, n, 3);
    const RandomSet goal(dice, n, 1);
    const Node start = dice.below(static_cast<std::uint32_t>(n));
    const Marks wanted = dice.coin() ? 0 : 1;
    const Marks forbidden = dice.coin() ? 0 : 2;
    PollTimer timer = testing::never_polling();
    const auto path = shortest_path(graph, EdgeMarks(random.marks), start, inside.view(),
                                    goal.view(), wanted, forbidden, timer);

    const auto usable = [&](std::size_t edge) {
      return inside[graph.targets[edge]] && (random.marks[edge] & forbidden) == 0;
    };
    const auto final = [&](std::size_t edge) {
      return usable(edge) && goal[graph.targets[edge]] &&
             (wanted == 0 || (random.marks[edge] & wanted) != 0);
    };
    const auto edges_of = [&](std::size_t node) {
      return std::pair{static_cast<std::size_t>(graph.offsets[node]),
                       static_cast<std::size_t>(graph.offsets[node + 1])};
    };
    // `here` has the nodes that are reachable by exactly k edges. The path found must have k + 1
    // edges for the first k for which a permitted last edge leaves one of these nodes.
    std::vector<bool> here(n, false);
    here[start] = true;
    std::optional<std::size_t> length;
    for (std::size_t k = 0; k <= n && !length; ++k) {
      std::vector<bool> there(n, false);
      for (std::size_t node = 0; node < n; ++node) {
        if (!here[node]) continue;
        for (auto [edge, end] = edges_of(node); edge < end; ++edge) {
          if (final(edge)) length = k + 1;
          if (usable(edge)) there[graph.targets[edge]] = true;
        }
      }
      here = there;
    }
    CHECK(path.has_value() == length.has_value());
    if (!path) continue;
    CHECK(path->size() == *length);
    Node at = start;
    for (const std::int64_t each : *path) {
      const auto edge = static_cast<std::size_t>(each);
      CHECK(edges_of(at).first <= edge && edge < edges_of(at).second);
      CHECK(usable(edge));
      at = graph.targets[edge];
    }
    CHECK(final(static_cast<std::size_t>(path->back())));
  }
}

}  // namespace
}  // namespace volition
