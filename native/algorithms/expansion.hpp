// What some states do, before their successors are stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "decision_tree.hpp"
#include "growing_array.hpp"
#include "joint_choices.hpp"
#include "choice_signatures.hpp"
#include "layout.hpp"

namespace volition {

using TreeId = std::uint32_t;  // components first, then reactions, then whatever is read off states

// The choices of one or several states, one after the other, with their successors packed.
struct Expansion {
  struct PendingChoice {
    ObjectId label;
    ObjectId reward;
    ObjectId component;
    bool triggers_reactions;
    std::size_t first_successor;  // in `successors` and their weights
  };

  explicit Expansion(std::size_t words_, std::size_t components, std::size_t slots) : words(words_), component_leaf(components), slot_writer(slots) {}

  [[nodiscard]] Word* successor(std::size_t i) { return successors.data() + i * words; }
  [[nodiscard]] const Word* successor(std::size_t i) const { return successors.data() + i * words; }
  [[nodiscard]] std::size_t num_successors() const { return weights.size(); }
  [[nodiscard]] std::size_t end_of(std::size_t choice) const {
    return choice + 1 < pending.size() ? pending[choice + 1].first_successor : num_successors();
  }
  // Where the choices of the state begin that is being expanded: the last one.
  [[nodiscard]] std::size_t begin() const { return first_pending.back(); }
  [[nodiscard]] std::size_t num_states() const { return first_pending.size(); }
  [[nodiscard]] std::size_t end_of_state(std::size_t state) const {
    return state + 1 < first_pending.size() ? first_pending[state + 1] : pending.size();
  }
  [[nodiscard]] std::size_t bytes() const {
    return successors.bytes() + weights.capacity() * sizeof(ObjectId) + pending.capacity() * sizeof(PendingChoice) +
           (first_pending.capacity() + joint_selection.capacity()) * sizeof(std::size_t) + hashes.capacity() * sizeof(std::uint64_t) + joint_choices.bytes();
  }

  void clear() {
    successors.clear();
    weights.clear();
    pending.clear();
    first_pending.clear();
    hashes.clear();
  }
  void begin_state() {
    first_pending.push_back(pending.size());
    successors_before = num_successors();
  }
  // Leaves out the state that was begun last.
  void discard_state() {
    successors.truncate(successors_before * words);
    weights.resize(successors_before);
    pending.resize(begin());
    first_pending.pop_back();
  }
  void add_successor(const Word* state, ObjectId weight) {
    successors.append(state, words);
    weights.push_back(weight);
  }

  std::size_t words;  // of a packed state
  GrowingArray<Word> successors;
  std::vector<ObjectId> weights;
  std::vector<PendingChoice> pending;
  std::vector<std::size_t> first_pending;  // of each state
  std::vector<std::uint64_t> hashes;       // of the successors

  // For the state at hand.
  std::size_t successors_before = 0;
  std::vector<LeafId> component_leaf;
  std::vector<TreeId> enabled_components;      // components that have choices
  std::vector<std::size_t> joint_selection;  // which choice of each of them makes up the joint choice
  std::vector<TreeId> slot_writer;      // of each slot in the joint choice
  std::vector<std::uint32_t> answer_ids;  // of all components, as numbers
  WriteMasks silent_masks{0};                      // what components do that nobody is told of
  JointChoices joint_choices;                   // all joint choices
};

}  // namespace volition
