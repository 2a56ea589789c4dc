#include "bellman_equations.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "random_graphs.hpp"

namespace volition {
namespace {

using testing::Dice;
using testing::RandomSet;

constexpr int kRounds = 2000;

// Random MDP. Certain steps without gain lead only to later states. Some pairs of neighbouring
// states are end components: each of the two has a choice that leads to the other.
struct RandomMdp {
  std::vector<std::int64_t> first_choice{0}, first_target{0}, component;
  std::vector<Node> targets;
  std::vector<double> probabilities, gains;
  std::unique_ptr<bool[]> choices, staying;

  RandomMdp(Dice& dice, const RandomSet& undecided, std::uint32_t states) : component(states, -1) {
    std::vector<bool> admissible, stays;
    const auto add = [&](std::vector<Node> to, double gain, bool is_admissible, bool is_staying) {
      for (const Node target : to) {
        targets.push_back(target);
        probabilities.push_back(1.0 / static_cast<double>(to.size()));
      }
      first_target.push_back(static_cast<std::int64_t>(targets.size()));
      gains.push_back(gain);
      admissible.push_back(is_admissible);
      stays.push_back(is_staying);
    };
    for (std::uint32_t state = 0; state + 1 < states; ++state) {
      if (component[state] < 0 && undecided[state] && undecided[state + 1] && dice.below(4) == 0) {
        component[state] = component[state + 1] = state;
      }
    }
    for (std::uint32_t state = 0; state < states; ++state) {
      if (component[state] >= 0) {
        add({component[state] == state ? state + 1 : state - 1}, 0, true, true);
      }
      for (std::uint32_t more = 1 + dice.below(2); more > 0; --more) {
        std::vector<Node> to;
        for (std::uint32_t k = 1 + dice.below(3); k > 0; --k) to.push_back(dice.below(states));
        const bool onward = to.size() > 1 || to.front() > state;
        add(to, onward && dice.coin() ? 0 : 1 + dice.below(9),
            undecided[state] && dice.below(4) > 0, false);
      }
      first_choice.push_back(static_cast<std::int64_t>(gains.size()));
    }
    choices.reset(new bool[gains.size()]);
    staying.reset(new bool[gains.size()]);
    std::ranges::copy(admissible, choices.get());
    std::ranges::copy(stays, staying.get());
  }

  [[nodiscard]] ChoiceGraph graph() const { return {first_choice, first_target, targets}; }
};

TEST(equations_match_choices_of_undecided_states) {
  Dice dice(11);
  for (int round = 0; round < kRounds; ++round) {
    const std::uint32_t states = 1 + dice.below(9);
    const RandomSet undecided(dice, states, 3);
    const RandomMdp mdp(dice, undecided, states);
    const ChoiceGraph graph = mdp.graph();
    const std::size_t num_choices = graph.num_choices();
    const bool staying_allowed = dice.coin();
    PollTimer timer = testing::never_polling();
    const EquationSystem equations = build_bellman_equations(
        graph, mdp.probabilities, mdp.gains, undecided.view(), {mdp.choices.get(), num_choices},
        {mdp.staying.get(), num_choices}, mdp.component, staying_allowed, timer);

    const std::size_t blocks = equations.first_row.size() - 1;
    std::vector<double> values;  // per block: arbitrary values
    for (std::size_t block = 0; block < blocks; ++block) values.push_back(dice.below(100));
    const auto value = [&](Node state) {
      return undecided[state] ? values[static_cast<std::size_t>(equations.block_of_state[state])]
                              : 0.0;
    };
    std::vector<int> seen(num_choices, 0);

    for (std::size_t block = 0; block < blocks; ++block) {
      int stays = 0;
      for (auto row = static_cast<std::size_t>(equations.first_row[block]);
           row < static_cast<std::size_t>(equations.first_row[block + 1]); ++row) {
        const auto begin = static_cast<std::size_t>(equations.first_entry[row]);
        const auto end = static_cast<std::size_t>(equations.first_entry[row + 1]);
        double sum = equations.gains[row];
        for (std::size_t i = begin; i < end; ++i) {
          CHECK(i == begin || equations.columns[i - 1] < equations.columns[i]);
          sum += equations.weights[i] * values[equations.columns[i]];
        }
        if (equations.choice_of_row[row] < 0) {
          CHECK(sum == 0 && begin == end && equations.exits[row] != 0);
          ++stays;
          continue;
        }
        const auto choice = static_cast<std::size_t>(equations.choice_of_row[row]);
        ++seen[choice];
        double expected = mdp.gains[choice];
        bool leaves = false;
        for (const Node target : graph.targets_of(choice)) {
          expected += value(target) / static_cast<double>(graph.targets_of(choice).size());
          leaves = leaves || !undecided[target];
        }
        CHECK(std::abs(sum - expected) < 1e-9);
        CHECK((equations.exits[row] != 0) == leaves);
        const auto state =
            static_cast<std::size_t>(
                std::ranges::upper_bound(mdp.first_choice, equations.choice_of_row[row]) -
                mdp.first_choice.begin()) -
            1;
        CHECK(equations.block_of_state[state] == static_cast<std::int64_t>(block));
      }
      bool collapsed = false;
      for (std::size_t state = 0; state < states; ++state) {
        collapsed =
            collapsed || (mdp.component[state] >= 0 &&
                          equations.block_of_state[state] == static_cast<std::int64_t>(block));
      }
      CHECK(stays == (staying_allowed && collapsed ? 1 : 0));
    }

    // Compute the expected blocks. `same` links each state to another one of its block: a state of
    // the same end component, or its successor if its only choice is deterministic and without
    // gain.
    std::vector<std::size_t> same(states);
    for (std::size_t state = states; state-- > 0;) {
      same[state] = state;
      if (mdp.component[state] >= 0) {
        same[state] = static_cast<std::size_t>(mdp.component[state]);
      }
    }
    for (const std::int64_t step : equations.forwarding_choices) {
      ++seen[static_cast<std::size_t>(step)];
    }
    std::size_t roots = 0;
    for (std::size_t state = states; state-- > 0;) {
      CHECK((equations.block_of_state[state] >= 0) == undecided[state]);
      std::vector<std::size_t> has;
      for (std::size_t choice = graph.begin(state); choice < graph.end(state); ++choice) {
        if (mdp.choices[choice]) has.push_back(choice);
        CHECK(seen[choice] == (mdp.choices[choice] && !mdp.staying[choice] ? 1 : 0));
      }
      const bool forwards = has.size() == 1 && !mdp.staying[has[0]] && mdp.gains[has[0]] == 0 &&
                            graph.targets_of(has[0]).size() == 1 &&
                            undecided[graph.targets_of(has[0]).front()];
      if (forwards) same[state] = same[graph.targets_of(has[0]).front()];
      CHECK(equations.block_of_state[state] == equations.block_of_state[same[state]] ||
            !undecided[state]);
      roots += undecided[state] && same[state] == state ? 1 : 0;
    }
    CHECK(roots == blocks);
  }
}

}  // namespace
}  // namespace volition
