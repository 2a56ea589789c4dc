// Choices and successors of expanded states, before they are stored in the state space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "choice_signatures.hpp"
#include "decision_tree.hpp"
#include "growing_array.hpp"
#include "joint_choices.hpp"
#include "layout.hpp"

namespace volition {

using TreeId = std::uint32_t;  // components, then reactions, then state predicates

// Choices and successors of one or more states, before they are stored. They are in the order of
// the states. Successors are packed states.
struct Expansion {
  struct PendingChoice {
    ObjectId label;
    ObjectId reward;
    ObjectId component;
    bool triggers_reactions;
    std::size_t first_successor;  // index into `successors` and `weights`
  };

  explicit Expansion(std::size_t words_, std::size_t components, std::size_t slots)
      : words(words_), component_leaf(components), slot_writer(slots) {}

  [[nodiscard]] Word* successor(std::size_t i) { return successors.data() + i * words; }
  [[nodiscard]] const Word* successor(std::size_t i) const { return successors.data() + i * words; }
  [[nodiscard]] std::size_t num_successors() const { return weights.size(); }
  [[nodiscard]] std::size_t end_of(std::size_t choice) const {
    return choice + 1 < pending.size() ? pending[choice + 1].first_successor : num_successors();
  }
  // Returns the index in `pending` of the first choice of the state that is being expanded. This
  // state is the last one in the expansion.
  [[nodiscard]] std::size_t begin() const { return first_pending.back(); }
  [[nodiscard]] std::size_t num_states() const { return first_pending.size(); }
  [[nodiscard]] std::size_t end_of_state(std::size_t state) const {
    return state + 1 < first_pending.size() ? first_pending[state + 1] : pending.size();
  }
  [[nodiscard]] std::size_t bytes() const {
    return successors.bytes() + weights.capacity() * sizeof(ObjectId) +
           pending.capacity() * sizeof(PendingChoice) +
           (first_pending.capacity() + joint_selection.capacity()) * sizeof(std::size_t) +
           hashes.capacity() * sizeof(std::uint64_t) + joint_choices.bytes();
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
  // Drops the choices and successors of the state for which `begin_state` was called last.
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

  std::size_t words;  // words per packed state
  GrowingArray<Word> successors;
  std::vector<ObjectId> weights;
  std::vector<PendingChoice> pending;
  std::vector<std::size_t> first_pending;  // per state
  std::vector<std::uint64_t> hashes;       // hashes of the successors

  // Intermediate results for the state that is being expanded. They are overwritten for each state.
  std::size_t successors_before = 0;
  std::vector<LeafId> component_leaf;
  std::vector<TreeId> enabled_components;    // components with at least one choice
  std::vector<std::size_t> joint_selection;  // the choice of each of them in the joint choice
  std::vector<TreeId> slot_writer;           // per slot: its writer in the joint choice
  // For each lookup table (lookup_tables.hpp): the id of its answer for the state, which stands for
  // the leaves of all decision trees in the table. Then the leaf of each tree that is in no table.
  std::vector<std::uint32_t> answer_ids;
  WriteMasks silent_masks{0};  // writes of silent leaves
  JointChoices joint_choices;  // all joint choices of the state
};

}  // namespace volition
