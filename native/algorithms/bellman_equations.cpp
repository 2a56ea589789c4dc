#include "bellman_equations.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace volition {

namespace {

constexpr std::int64_t kNoId = -1;

class Builder {
 public:
  Builder(const ChoiceGraph& graph, std::span<const double> probabilities,
          std::span<const double> gains, std::span<const bool> undecided,
          std::span<const bool> choices, std::span<const bool> staying,
          std::span<const std::int64_t> component, PollTimer& timer)
      : graph_(graph),
        probabilities_(probabilities),
        gains_(gains),
        undecided_(undecided),
        choices_(choices),
        staying_(staying),
        component_(component),
        timer_(timer) {}

  EquationSystem build(bool staying_allowed) {
    choose_representatives();
    number_blocks();
    allocate_rows(staying_allowed);
    fill_rows();
    return std::move(result_);
  }

 private:
  // Chooses for each state a representative: another state that has the same value, or the state
  // itself. A state in an end component is represented by the first state of the component. A state
  // with a single choice is represented by its successor if there is only one and the choice adds
  // nothing to the value.
  void choose_representatives() {
    representative_.resize(graph_.num_states());
    std::iota(representative_.begin(), representative_.end(), Node{0});
    is_forwarding_.assign(graph_.num_choices(), 0);
    std::vector<Node> first;  // first state of each component
    for (std::size_t state = 0; state < representative_.size(); ++state) {
      timer_.tick();
      if (component_[state] >= 0) {
        const auto id = static_cast<std::size_t>(component_[state]);
        if (id >= first.size()) first.resize(id + 1, kNone);
        if (first[id] == kNone) first[id] = static_cast<Node>(state);
        representative_[state] = first[id];
      } else if (const std::size_t only = only_choice(state);
                 only < graph_.end(state) && is_certain_step(only)) {
        is_forwarding_[only] = 1;
        result_.forwarding_choices.push_back(static_cast<std::int64_t>(only));
        representative_[state] = graph_.targets_of(only).front();
      }
    }
    // Representatives form chains; replace each by the end of its chain. Successors mostly have
    // larger numbers, so most chains are short if states are visited from the last to the first.
    for (std::size_t state = representative_.size(); state-- > 0;) {
      Node last = representative_[state];
      while (representative_[last] != last) last = representative_[last];
      for (auto on = static_cast<Node>(state); representative_[on] != last;) {
        on = std::exchange(representative_[on], last);
      }
    }
  }

  // Returns the only choice of a state that is in `choices_`. Returns the end of the state's range
  // of choices if there is not exactly one.
  [[nodiscard]] std::size_t only_choice(std::size_t state) const {
    std::size_t only = graph_.end(state);
    for (std::size_t choice = graph_.begin(state); choice < graph_.end(state); ++choice) {
      if (!choices_[choice]) continue;
      if (only != graph_.end(state)) return graph_.end(state);
      only = choice;
    }
    return only;
  }

  [[nodiscard]] bool is_certain_step(std::size_t choice) const {
    const auto targets = graph_.targets_of(choice);
    return !staying_[choice] && gains_[choice] == 0 && targets.size() == 1 &&
           undecided_[targets.front()];
  }

  void number_blocks() {
    result_.block_of_state.assign(representative_.size(), kNoId);
    for (std::size_t state = 0; state < representative_.size(); ++state) {
      if (undecided_[state] && representative_[state] == state) {
        result_.block_of_state[state] = static_cast<std::int64_t>(num_blocks_++);
      }
    }
    for (std::size_t state = 0; state < representative_.size(); ++state) {
      if (undecided_[state]) {
        result_.block_of_state[state] = result_.block_of_state[representative_[state]];
      }
    }
  }

  [[nodiscard]] bool has_row(std::size_t choice) const {
    return choices_[choice] && !staying_[choice] && is_forwarding_[choice] == 0;
  }

  // Allocates the rows of the equation system. A row is one choice in the equation of a block (a
  // set of states with the same value). Every choice for which `has_row` holds gets a row. The rows
  // of a block are consecutive, in the order of their choices. If staying is allowed, a collapsed
  // end component has one more row at the end, for staying inside the component forever.
  void allocate_rows(bool staying_allowed) {
    const auto stays = [&](std::size_t state) {
      return staying_allowed && component_[state] >= 0 && representative_[state] == state;
    };
    std::vector<std::int64_t>& first_row = result_.first_row;
    first_row.assign(num_blocks_ + 1, 0);
    for (std::size_t state = 0; state < representative_.size(); ++state) {
      timer_.tick();
      if (!undecided_[state]) continue;
      std::int64_t& rows = first_row[block_of(state) + 1];
      for (std::size_t choice = graph_.begin(state); choice < graph_.end(state); ++choice) {
        rows += has_row(choice) ? 1 : 0;
      }
      rows += stays(state) ? 1 : 0;
    }
    std::partial_sum(first_row.begin(), first_row.end(), first_row.begin());
    result_.choice_of_row.assign(static_cast<std::size_t>(first_row.back()), kNoId);
    std::vector<std::int64_t> next(first_row.begin(), first_row.end());
    for (std::size_t state = 0; state < representative_.size(); ++state) {
      timer_.tick();
      if (!undecided_[state]) continue;
      std::int64_t& row = next[block_of(state)];
      for (std::size_t choice = graph_.begin(state); choice < graph_.end(state); ++choice) {
        if (has_row(choice)) {
          result_.choice_of_row[static_cast<std::size_t>(row++)] =
              static_cast<std::int64_t>(choice);
        }
      }
    }
  }

  void fill_rows() {
    const std::size_t rows = result_.choice_of_row.size();
    result_.first_entry.reserve(rows + 1);
    result_.first_entry.push_back(0);
    result_.columns.reserve(graph_.targets.size());
    result_.weights.reserve(graph_.targets.size());
    result_.gains.reserve(rows);
    result_.exits.reserve(rows);
    for (const std::int64_t choice : result_.choice_of_row) {
      if (choice == kNoId) {
        result_.gains.push_back(0);
        result_.exits.push_back(1);
      } else {
        add_row(static_cast<std::size_t>(choice));
      }
      result_.first_entry.push_back(static_cast<std::int64_t>(result_.columns.size()));
    }
  }

  void add_row(std::size_t choice) {
    const auto targets = graph_.targets_of(choice);
    const auto weights = probabilities_.subspan(
        static_cast<std::size_t>(graph_.first_target[choice]), targets.size());
    entries_.clear();
    for (std::size_t i = 0; i < targets.size(); ++i) {
      timer_.tick();
      if (undecided_[targets[i]]) {
        entries_.emplace_back(static_cast<Node>(block_of(targets[i])), weights[i]);
      }
    }
    const auto by_column = [](const Entry& one, const Entry& other) {
      return one.first < other.first;
    };
    if (!std::ranges::is_sorted(entries_, by_column)) std::ranges::stable_sort(entries_, by_column);
    const std::size_t begin = result_.columns.size();
    for (const auto& [column, weight] : entries_) {
      if (result_.columns.size() > begin && result_.columns.back() == column) {
        result_.weights.back() += weight;
      } else {
        result_.columns.push_back(column);
        result_.weights.push_back(weight);
      }
    }
    result_.gains.push_back(gains_[choice]);
    result_.exits.push_back(entries_.size() < targets.size() ? 1 : 0);
  }

  [[nodiscard]] std::size_t block_of(std::size_t state) const {
    return static_cast<std::size_t>(result_.block_of_state[state]);
  }

  using Entry = std::pair<Node, double>;

  const ChoiceGraph& graph_;
  std::span<const double> probabilities_, gains_;
  std::span<const bool> undecided_, choices_, staying_;
  std::span<const std::int64_t> component_;
  PollTimer& timer_;
  std::vector<Node> representative_;
  Flags is_forwarding_;
  std::size_t num_blocks_ = 0;
  std::vector<Entry> entries_;
  EquationSystem result_;
};

}  // namespace

EquationSystem build_bellman_equations(
    const ChoiceGraph& graph, std::span<const double> probabilities, std::span<const double> gains,
    std::span<const bool> undecided, std::span<const bool> choices, std::span<const bool> staying,
    std::span<const std::int64_t> component, bool staying_allowed, PollTimer& timer) {
  return Builder(graph, probabilities, gains, undecided, choices, staying, component, timer)
      .build(staying_allowed);
}

}  // namespace volition
