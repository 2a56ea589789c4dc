// Compressed transition matrix: states, their choices, and the transitions of each choice (CSR with
// interned choice signatures).
//
// A choice is a signature id; the signature gives its number of transitions. The targets of all
// choices form one array. Each state has the offsets of its first choice and its first transition.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "choice_signatures.hpp"
#include "growing_array.hpp"
#include "narrow_array.hpp"
#include "offsets.hpp"
#include "state_store.hpp"

namespace volition {

// Transition matrix under construction. States are added in order, choice by choice, and then
// finished. Finished states never change.
class TransitionMatrix {
 public:
  TransitionMatrix() {
    first_choice_.push_back(0);
    first_transition_.push_back(0);
  }

  // --- construction of the matrix ---

  // Adds a choice to the next state, with its transitions sorted by target.
  void add_choice(ObjectId label, ObjectId reward, ObjectId component,
                  std::span<const std::pair<StateId, ObjectId>> transitions) {
    current_weights_.clear();
    for (const auto& [target, weight] : transitions) {
      targets_.push_back(target);
      current_weights_.push_back(weight);
    }
    choice_signatures_.push_back(signatures_.intern(label, reward, component, current_weights_));
  }
  void finish_state() {
    first_choice_.push_back(num_choices());
    first_transition_.push_back(num_transitions());
  }
  // Drops the choices that were added for a state that is not finished.
  void discard_unfinished() {
    choice_signatures_.truncate(first_choice_.back());
    targets_.truncate(first_transition_.back());
  }

  // --- access to states, choices and transitions ---
  [[nodiscard]] std::size_t num_states() const { return first_choice_.size() - 1; }
  [[nodiscard]] std::size_t num_choices() const { return choice_signatures_.size(); }
  [[nodiscard]] std::size_t num_transitions() const { return targets_.size(); }
  [[nodiscard]] std::size_t bytes() const {
    return first_choice_.bytes() + first_transition_.bytes() + choice_signatures_.bytes() +
           targets_.bytes() + signatures_.bytes();
  }

  [[nodiscard]] const ChoiceSignatures& signatures() const { return signatures_; }
  // The choices of a state are first_choice(state) to first_choice(state + 1), exclusive.
  [[nodiscard]] std::size_t first_choice(std::size_t state) const { return first_choice_[state]; }
  [[nodiscard]] std::size_t first_transition(std::size_t state) const {
    return first_transition_[state];
  }
  [[nodiscard]] SignatureId signature_id(std::size_t choice) const {
    return choice_signatures_[choice];
  }
  [[nodiscard]] const ChoiceSignature& signature_of(std::size_t choice) const {
    return signatures_[choice_signatures_[choice]];
  }
  // Targets of all choices of a state, in order of the choices.
  [[nodiscard]] std::span<const StateId> targets(std::size_t state) const {
    const std::size_t begin = first_transition(state);
    return {targets_.data() + begin, first_transition(state + 1) - begin};
  }
  [[nodiscard]] std::size_t state_of(std::size_t choice) const {
    std::size_t low = 0;
    std::size_t high = num_states();
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (first_choice(middle) <= choice ? low : high) = middle;
    }
    return low;
  }
  // Returns the first and the past-the-end transition of a choice.
  [[nodiscard]] std::pair<std::size_t, std::size_t> transitions_of(std::size_t choice) const {
    const std::size_t state = state_of(choice);
    std::size_t begin = first_transition(state);
    for (std::size_t before = first_choice(state); before < choice; ++before) {
      begin += signature_of(before).transitions;
    }
    return {begin, begin + signature_of(choice).transitions};
  }

  // The accessor is not const, because sharing the memory of an array freezes its current contents.
  [[nodiscard]] GrowingArray<StateId>& all_targets() { return targets_; }
  [[nodiscard]] NarrowArray& choice_signatures() { return choice_signatures_; }
  [[nodiscard]] Offsets& first_choices() { return first_choice_; }
  [[nodiscard]] Offsets& first_transitions() { return first_transition_; }
  [[nodiscard]] ChoiceSignatures& signatures() { return signatures_; }

 private:
  ChoiceSignatures signatures_;
  Offsets first_choice_;
  Offsets first_transition_;  // per state
  NarrowArray choice_signatures_;
  GrowingArray<StateId> targets_;
  std::vector<ObjectId> current_weights_;
};

// View of a growing transition matrix as it was when a state space was created. It has only the
// first `states` states. Of these, the states from the id `expanded` on have no choices yet.
struct TransitionMatrixView {
  const TransitionMatrix* matrix;
  std::size_t states;
  std::size_t expanded;

  [[nodiscard]] std::size_t size() const { return states; }
  [[nodiscard]] std::size_t num_choices() const { return matrix->first_choice(expanded); }
  [[nodiscard]] std::size_t num_transitions() const { return matrix->first_transition(expanded); }
  [[nodiscard]] std::size_t first_choice(std::size_t state) const {
    return matrix->first_choice(std::min(state, expanded));
  }
  [[nodiscard]] std::span<const StateId> successors(std::size_t state) const {
    return state < expanded ? matrix->targets(state) : std::span<const StateId>();
  }
};

}  // namespace volition
