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

constexpr std::int64_t kNowhere = -1;

class Builder {
 public:
  Builder(const ChoiceGraph& graph, std::span<const double> probabilities, std::span<const double> gains, std::span<const bool> undecided,
          std::span<const bool> choices, std::span<const bool> staying, std::span<const std::int64_t> component, Patience& patience)
      : graph_(graph),
        probabilities_(probabilities),
        gains_(gains),
        undecided_(undecided),
        choices_(choices),
        staying_(staying),
        component_(component),
        patience_(patience) {}

  EquationSystem build(bool may_stay) {
    choose_leaders();
    number_parts();
    place_rows(may_stay);
    fill_rows();
    return std::move(result_);
  }

 private:
  // The state that each one is worth the same as: the first one of its component, or the next one of a certain step.
  void choose_leaders() {
    leader_.resize(graph_.num_states());
    std::iota(leader_.begin(), leader_.end(), Node{0});
    follows_.assign(graph_.num_choices(), 0);
    std::vector<Node> first;  // state of each component
    for (std::size_t state = 0; state < leader_.size(); ++state) {
      patience_.spend();
      if (component_[state] >= 0) {
        const auto which = static_cast<std::size_t>(component_[state]);
        if (which >= first.size()) first.resize(which + 1, kNone);
        if (first[which] == kNone) first[which] = static_cast<Node>(state);
        leader_[state] = first[which];
      } else if (const std::size_t only = only_choice(state); only < graph_.end(state) && is_certain_step(only)) {
        follows_[only] = 1;
        result_.following.push_back(static_cast<std::int64_t>(only));
        leader_[state] = graph_.targets_of(only).front();
      }
    }
    // States have mostly larger numbers than those that lead to them: from the last to the first, ways are short.
    for (std::size_t state = leader_.size(); state-- > 0;) {
      Node last = leader_[state];
      while (leader_[last] != last) last = leader_[last];
      for (auto on = static_cast<Node>(state); leader_[on] != last;) on = std::exchange(leader_[on], last);
    }
  }

  // The one sensible choice that a state has, or the end of its choices.
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
    return !staying_[choice] && gains_[choice] == 0 && targets.size() == 1 && undecided_[targets.front()];
  }

  void number_parts() {
    result_.part.assign(leader_.size(), kNowhere);
    for (std::size_t state = 0; state < leader_.size(); ++state) {
      if (undecided_[state] && leader_[state] == state) result_.part[state] = static_cast<std::int64_t>(parts_++);
    }
    for (std::size_t state = 0; state < leader_.size(); ++state) {
      if (undecided_[state]) result_.part[state] = result_.part[leader_[state]];
    }
  }

  [[nodiscard]] bool has_row(std::size_t choice) const { return choices_[choice] && !staying_[choice] && follows_[choice] == 0; }

  // The rows of each part stand together, in the order of their choices; that of staying comes last.
  void place_rows(bool may_stay) {
    const auto stays = [&](std::size_t state) { return may_stay && component_[state] >= 0 && leader_[state] == state; };
    std::vector<std::int64_t>& first_row = result_.first_row;
    first_row.assign(parts_ + 1, 0);
    for (std::size_t state = 0; state < leader_.size(); ++state) {
      patience_.spend();
      if (!undecided_[state]) continue;
      std::int64_t& rows = first_row[part_of(state) + 1];
      for (std::size_t choice = graph_.begin(state); choice < graph_.end(state); ++choice) rows += has_row(choice) ? 1 : 0;
      rows += stays(state) ? 1 : 0;
    }
    std::partial_sum(first_row.begin(), first_row.end(), first_row.begin());
    result_.choice_of_row.assign(static_cast<std::size_t>(first_row.back()), kNowhere);
    std::vector<std::int64_t> next(first_row.begin(), first_row.end());
    for (std::size_t state = 0; state < leader_.size(); ++state) {
      patience_.spend();
      if (!undecided_[state]) continue;
      std::int64_t& row = next[part_of(state)];
      for (std::size_t choice = graph_.begin(state); choice < graph_.end(state); ++choice) {
        if (has_row(choice)) result_.choice_of_row[static_cast<std::size_t>(row++)] = static_cast<std::int64_t>(choice);
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
    result_.leaving.reserve(rows);
    for (const std::int64_t choice : result_.choice_of_row) {
      if (choice == kNowhere) {
        result_.gains.push_back(0);
        result_.leaving.push_back(1);
      } else {
        add_row(static_cast<std::size_t>(choice));
      }
      result_.first_entry.push_back(static_cast<std::int64_t>(result_.columns.size()));
    }
  }

  void add_row(std::size_t choice) {
    const auto targets = graph_.targets_of(choice);
    const auto weights = probabilities_.subspan(static_cast<std::size_t>(graph_.first_target[choice]), targets.size());
    entries_.clear();
    for (std::size_t i = 0; i < targets.size(); ++i) {
      patience_.spend();
      if (undecided_[targets[i]]) entries_.emplace_back(static_cast<Node>(part_of(targets[i])), weights[i]);
    }
    const auto by_column = [](const Entry& one, const Entry& other) { return one.first < other.first; };
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
    result_.leaving.push_back(entries_.size() < targets.size() ? 1 : 0);
  }

  [[nodiscard]] std::size_t part_of(std::size_t state) const { return static_cast<std::size_t>(result_.part[state]); }

  using Entry = std::pair<Node, double>;

  const ChoiceGraph& graph_;
  std::span<const double> probabilities_, gains_;
  std::span<const bool> undecided_, choices_, staying_;
  std::span<const std::int64_t> component_;
  Patience& patience_;
  std::vector<Node> leader_;
  Flags follows_;
  std::size_t parts_ = 0;
  std::vector<Entry> entries_;
  EquationSystem result_;
};

}  // namespace

EquationSystem equations_of(const ChoiceGraph& graph, std::span<const double> probabilities, std::span<const double> gains,
                       std::span<const bool> undecided, std::span<const bool> choices, std::span<const bool> staying,
                       std::span<const std::int64_t> component, bool may_stay, Patience& patience) {
  return Builder(graph, probabilities, gains, undecided, choices, staying, component, patience).build(may_stay);
}

}  // namespace volition
