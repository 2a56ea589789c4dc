// Random systems whose functions are in C++ instead of Python, and a naive explorer to compare
// results with.
#pragma once

#include "explorer.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "testing.hpp"

namespace volition::testing {

using State = std::vector<ValueId>;

// Weights are residues modulo a prime, so that sums and products are exact and independent of their
// order. Rewards are integers.
constexpr std::uint64_t kPrime = 1'000'003;

struct PlainOutcome {
  std::uint64_t weight;
  std::vector<Write> writes;
};
struct PlainChoice {
  std::string label;
  std::uint64_t reward;
  bool reacts;
  std::vector<PlainOutcome> outcomes;
};

// System whose functions are derived from a random seed. A function reads slots through `read`.
// Which slot it reads next and what it returns depend only on the values read before.
struct RandomSystem {
  std::uint64_t seed;
  std::size_t components;
  bool synchronous;
  bool reacts;
  Slot slots = 4;
  ValueId values = 3;

  template <typename Read>
  [[nodiscard]] std::vector<PlainChoice> step(std::size_t component, Read&& read) const {
    std::uint64_t path = seed * 31 + component;
    for (int i = Dice(path).below(3) == 0 ? 0 : 2; i > 0; --i) {
      path = path * 131 + read(Dice(path).below(slots)) + 1;
    }
    Dice dice(path);
    std::vector<PlainChoice> choices;
    for (std::uint32_t k = dice.below(3); k > 0; --k) {
      PlainChoice choice{
          dice.below(4) == 0 ? "" : "c" + std::to_string(component) + std::to_string(k),
          dice.below(3),
          dice.coin(),
          {}};
      for (std::uint32_t outcomes = 1 + dice.below(3); outcomes > 0; --outcomes) {
        PlainOutcome outcome{2 + dice.below(5), {}};
        for (Slot slot = 0; slot < slots; ++slot) {
          // In a synchronous system each slot has one component that may write it.
          if (dice.coin() && (!synchronous || slot % components == component)) {
            outcome.writes.push_back({slot, dice.below(values)});
          }
        }
        choice.outcomes.push_back(outcome);
      }
      choices.push_back(choice);
    }
    return choices;
  }

  template <typename Read>
  [[nodiscard]] std::vector<Write> react(Read&& read) const {
    if (read(1) != 0) return {};
    return {{0, (read(0) + 1) % values}};
  }
};

// Stands in for Python in tests: runs the functions of a system, records their reads and assigns
// ids to their results.
class PythonSide {
 public:
  PythonSide(const RandomSystem& system, Explorer& explorer)
      : system_(system), explorer_(explorer) {}

  [[nodiscard]] ExplorerCallbacks callbacks() {
    return {
        .trace = [this](TreeId tree, StateRef state_ref) { return trace(tree, state_ref); },
        .combine = [this](Combination how, ObjectId a, ObjectId b) { return combine(how, a, b); },
        .poll = [] {}};
  }

  std::size_t calls = 0;
  // Number of the call of `trace` that is interrupted as if the user pressed Ctrl-C.
  std::size_t interrupted_at = std::numeric_limits<std::size_t>::max();
  std::vector<std::string> labels{"", "stutter"};
  std::vector<std::uint64_t> weights{1};
  std::vector<std::uint64_t> rewards{0};

 private:
  template <typename T>
  static ObjectId id_of(std::vector<T>& table, const T& thing) {
    const auto at = std::ranges::find(table, thing);
    if (at == table.end()) table.push_back(thing);
    return static_cast<ObjectId>(std::ranges::find(table, thing) - table.begin());
  }

  std::pair<Reads, LeafId> trace(TreeId tree, StateRef state_ref) {
    if (++calls == interrupted_at) throw Interrupted{};
    Reads reads;
    const auto read = [&](Slot slot) {
      const ValueId value = explorer_.read(state_ref, slot);
      const bool again =
          std::ranges::any_of(reads, [&](const auto& each) { return each.first == slot; });
      if (!again) reads.emplace_back(slot, value);
      return value;
    };
    if (tree < system_.components) {
      std::vector<Choice> choices;
      for (const PlainChoice& plain : system_.step(tree, read)) {
        Choice choice{id_of(labels, plain.label), id_of(rewards, plain.reward), plain.reacts, {}};
        for (const PlainOutcome& outcome : plain.outcomes) {
          choice.outcomes.push_back({id_of(weights, outcome.weight), outcome.writes});
        }
        choices.push_back(choice);
      }
      return {reads, explorer_.add_choices(choices)};
    }
    if (system_.reacts && tree == system_.components) {
      return {reads, explorer_.add_writes(system_.react(read))};
    }
    // Predicate for the stop condition: two slots hold the last value.
    const bool holds = read(2) == system_.values - 1 && read(3) == system_.values - 1;
    return {reads, holds ? 1u : 0u};
  }

  ObjectId combine(Combination how, ObjectId a, ObjectId b) {
    switch (how) {
      case Combination::kLabels:
        return id_of(labels, labels[a] + labels[b]);
      case Combination::kWeightProduct:
        return id_of(weights, weights[a] * weights[b] % kPrime);
      case Combination::kWeightSum:
        return id_of(weights, (weights[a] + weights[b]) % kPrime);
      case Combination::kRewards:
        return id_of(rewards, rewards[a] + rewards[b]);
    }
    return 0;
  }

  const RandomSystem& system_;
  Explorer& explorer_;
};

struct Row {
  std::string label;
  std::uint64_t reward;
  std::map<State, std::uint64_t> targets;
  bool operator==(const Row&) const = default;
};
using Space = std::map<State, std::vector<Row>>;

inline Row row_of(const RandomSystem& system, const State& state,
                  const std::vector<PlainChoice>& parts) {
  Row row{"", 0, {}};
  bool reacts = false;
  std::vector<std::pair<State, std::uint64_t>> successors{{state, 1}};
  for (const PlainChoice& part : parts) {
    row.label += part.label;
    row.reward += part.reward;
    reacts = reacts || part.reacts;
    std::vector<std::pair<State, std::uint64_t>> after;
    for (const auto& [before, weight] : successors) {
      for (const PlainOutcome& outcome : part.outcomes) {
        State next = before;
        for (const Write& write : outcome.writes) next[write.slot] = write.value;
        after.emplace_back(next, weight * outcome.weight % kPrime);
      }
    }
    successors = after;
  }
  for (auto& [next, weight] : successors) {
    if (reacts && system.reacts) {
      for (const Write& write : system.react([&](Slot slot) { return next[slot]; })) {
        next[write.slot] = write.value;
      }
    }
    row.targets[next] = (row.targets[next] + weight) % kPrime;
  }
  return row;
}

inline Space explored_naively(const RandomSystem& system) {
  Space space;
  std::deque<State> waiting{State(system.slots, 0)};
  while (!waiting.empty()) {
    const State state = waiting.front();
    waiting.pop_front();
    if (space.contains(state)) continue;
    std::vector<std::vector<PlainChoice>> component_choices;
    for (std::size_t i = 0; i < system.components; ++i) {
      component_choices.push_back(system.step(i, [&](Slot slot) { return state[slot]; }));
    }
    std::vector<Row>& rows = space[state];
    if (std::ranges::all_of(component_choices,
                            [](const auto& choices) { return choices.empty(); })) {
      rows.push_back({"stutter", 0, {{state, 1}}});
    } else if (!system.synchronous) {
      for (const auto& choices : component_choices) {
        for (const PlainChoice& choice : choices) rows.push_back(row_of(system, state, {choice}));
      }
    } else {
      std::vector<std::vector<PlainChoice>> joint{{}};
      // Enumerate the joint choices in the order of the explorer, in which the choices of the first
      // component vary fastest.
      for (std::size_t i = component_choices.size(); i-- > 0;) {
        std::vector<std::vector<PlainChoice>> longer;
        for (const auto& rest : joint) {
          if (component_choices[i].empty()) longer.push_back(rest);
          for (const PlainChoice& choice : component_choices[i]) {
            longer.push_back({choice});
            longer.back().insert(longer.back().end(), rest.begin(), rest.end());
          }
        }
        joint = longer;
      }
      for (const auto& parts : joint) rows.push_back(row_of(system, state, parts));
    }
    for (const Row& row : rows) {
      for (const auto& [target, weight] : row.targets) waiting.push_back(target);
    }
  }
  return space;
}

// Explorer of a random system, with the callbacks that it needs.
struct Exploration {
  explicit Exploration(const RandomSystem& system)
      : explorer(system.slots, system.components, system.reacts ? 1 : 0, system.synchronous),
        python(system, explorer),
        predicate(explorer.add_tree()) {}

  ExplorationStatus up_to(std::size_t states, bool stop_at_match = false, std::size_t threads = 1,
                          std::size_t parallel_threshold = 0) {
    Limits limits{states, std::numeric_limits<std::size_t>::max(),
                  std::numeric_limits<double>::infinity()};
    limits.threads = threads;
    limits.parallel_threshold = parallel_threshold;
    if (stop_at_match) limits.stop_tree = predicate;
    return explorer.explore(python.callbacks(), limits);
  }
  ExplorationStatus complete() { return up_to(std::numeric_limits<std::size_t>::max()); }

  [[nodiscard]] State state(StateId id) const {
    State values;
    for (Slot slot = 0; slot < explorer.slots(); ++slot) values.push_back(explorer.value(id, slot));
    return values;
  }

  [[nodiscard]] Space space() {
    Space result;
    for (StateId id = 0; id < explorer.num_states(); ++id) {
      std::vector<Row>& rows = result[state(id)];
      const TransitionMatrix& matrix = explorer.matrix();
      for (std::size_t c = matrix.first_choice(id); c < matrix.first_choice(id + 1); ++c) {
        CHECK(matrix.state_of(c) == id);
        Row row{python.labels[matrix.signature_of(c).label],
                python.rewards[matrix.signature_of(c).reward],
                {}};
        const auto [begin, end] = matrix.transitions_of(c);
        const std::span<const ObjectId> weights =
            matrix.signatures().weights(matrix.signature_id(c));
        for (std::size_t t = begin; t < end; ++t) {
          const StateId target = matrix.targets(id)[t - matrix.first_transition(id)];
          const bool once =
              row.targets.emplace(state(target), python.weights[weights[t - begin]]).second;
          CHECK(once);
        }
        rows.push_back(row);
      }
    }
    return result;
  }

  Explorer explorer;
  PythonSide python;
  TreeId predicate;
};

// Contents of an explorer at one time.
struct Snapshot {
  explicit Snapshot(Exploration& from)
      : view{&from.explorer.matrix(), from.explorer.num_states(), from.explorer.num_expanded()},
        shared_targets(from.explorer.matrix().all_targets().share()),
        shared_signatures(from.explorer.matrix().choice_signatures().share()),
        signature_bytes(view.matrix->num_choices() *
                        from.explorer.matrix().choice_signatures().width()) {
    for (std::size_t state = 0; state <= view.states; ++state) {
      first_choice.push_back(view.first_choice(state));
    }
    for (std::size_t state = 0; state < view.states; ++state) {
      for (const StateId target : view.successors(state)) targets.push_back(target);
    }
    for (std::size_t choice = 0; choice < view.num_choices(); ++choice) {
      const ChoiceSignature& signature = view.matrix->signature_of(choice);
      const std::span<const ObjectId> weights =
          view.matrix->signatures().weights(view.matrix->signature_id(choice));
      signatures.push_back({view.matrix->signature_id(choice), signature.label, signature.reward,
                            signature.component});
      signatures.back().insert(signatures.back().end(), weights.begin(), weights.end());
    }
    for (Slot slot = 0; slot < from.explorer.slots(); ++slot) {
      columns.push_back(from.explorer.column(slot, from.explorer.num_states()));
    }
    memory.assign(shared_signatures.get(), shared_signatures.get() + signature_bytes);
  }
  // Returns whether a resumed explorer still contains this snapshot, and the shared memory is
  // unchanged.
  [[nodiscard]] bool unchanged(Exploration& from) const {
    Snapshot now(from);
    now.view.states = view.states;
    now.view.expanded = view.expanded;
    for (std::size_t state = 0; state <= view.states; ++state) {
      if (now.view.first_choice(state) != first_choice[state]) return false;
    }
    return std::equal(targets.begin(), targets.end(), shared_targets.get()) &&
           std::equal(targets.begin(), targets.end(), now.targets.begin()) &&
           std::equal(signatures.begin(), signatures.end(), now.signatures.begin()) &&
           std::equal(memory.begin(), memory.end(), shared_signatures.get());
  }
  bool operator==(const Snapshot& other) const {
    return first_choice == other.first_choice && targets == other.targets &&
           signatures == other.signatures && columns == other.columns;
  }

  TransitionMatrixView view;
  std::shared_ptr<const StateId> shared_targets;
  std::shared_ptr<const std::uint8_t> shared_signatures;
  std::size_t signature_bytes;
  std::vector<std::size_t> first_choice;
  std::vector<StateId> targets;
  // Per choice: its signature id and the contents of the signature.
  std::vector<std::vector<ObjectId>> signatures;
  std::vector<std::vector<ValueId>> columns;
  std::vector<std::uint8_t> memory;
};

inline RandomSystem random_system(Dice& dice) {
  return {dice.below(1u << 30), 1 + dice.below(3), dice.coin(), dice.coin()};
}

}  // namespace volition::testing
