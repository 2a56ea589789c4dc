// Breadth-first exploration of a system whose functions live in Python and are asked only once per distinct reading.
//
// The explorer sees integers only.  Functions of the system are decision trees; where a tree does not know a state, the
// explorer asks Python (`Oracle::trace`), which runs the function, registers its answer as a leaf and returns what was read.
//
// An exploration that stopped can go on: `explore` again, with other limits.  States are expanded in the order in which they were
// found, each as a whole or not at all, so stopping and going on leads to the same arrays as not stopping.  The arrays that were handed
// out before stay as they were (GrowingArray).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "decision_tree.hpp"
#include "futures.hpp"
#include "growing_array.hpp"
#include "layout.hpp"
#include "patience.hpp"
#include "reduction.hpp"
#include "slot_set.hpp"
#include "state_store.hpp"

namespace volition {

using Id = std::uint32_t;  // of a label, weight or reward: an object that Python keeps

inline constexpr Id kNeutral = 0;  // the neutral label (none), weight (one) and reward (nothing)
inline constexpr Id kStutter = 1;  // the label of the self-loop of a terminal state
inline constexpr Id kNoComponent = UINT32_MAX;

struct Write {
  Slot slot;
  ValueId value;
};
struct Outcome {
  Id weight;
  std::vector<Write> writes;
};
struct Choice {
  Id label;
  Id reward;
  bool reacts;
  std::vector<Outcome> outcomes;
};

// Two components of a synchronous system wrote the same slot.
struct WriteConflict : std::runtime_error {
  WriteConflict(TreeId first_, TreeId second_, Slot slot_) : std::runtime_error("write conflict"), first(first_), second(second_), slot(slot_) {}
  TreeId first, second;
  Slot slot;
};

enum class Combination { kLabels, kWeightProduct, kWeightSum, kRewards };

// Where a state is while a function looks at it: among the stored ones, or among the successors that are being made.
struct Place {
  bool in_scratch;
  std::size_t index;
};

// What the explorer asks of Python.
struct Oracle {
  // Runs the function behind a tree on a state; gives the reads and the leaf.  It may evaluate other trees meanwhile.
  std::function<std::pair<Reads, LeafId>(TreeId, Place)> trace;
  // The id of two labels, weights or rewards taken together.
  std::function<Id(Combination, Id, Id)> combine;
  // Called now and then, to show progress; throws Interrupted when the user wants to stop.
  std::function<void()> pause;
};

// The user pressed Ctrl-C, in the explorer or in a function that it traced.
struct Interrupted {};

enum class Ended { kComplete, kStates, kMemory, kSeconds, kHit, kInterrupted };

// Where an exploration stops.  A state that was begun is finished, unless a limit of memory or time is reached inside of it.
struct Limits {
  std::size_t states;
  std::size_t bytes;
  double seconds;                     // from the call on
  std::optional<TreeId> stop_tree{};  // the first state in which this tree's leaf is 1 ends the exploration
};

class Explorer {
 public:
  Explorer(std::size_t slots, std::size_t components, std::size_t reactions, bool synchronous, std::size_t most_states = StateStore::kMostStates);

  // --- what Python registers ---
  TreeId add_tree();
  LeafId add_choices(std::vector<Choice> choices);
  LeafId add_writes(std::vector<Write> writes);
  void check_purity(bool on) { check_purity_ = on; }
  [[nodiscard]] ValueId read(Place place, Slot slot) const { return layout_.get(at(place), slot); }
  // Memory that Python keeps for this state space, such as the values behind the ids.
  void add_outside_bytes(std::size_t bytes) { outside_bytes_ += bytes; }

  // --- the work ---
  // Begins, or goes on where it ended.  States found so far are the first to be looked at for the limits' `stop_tree`.
  Ended explore(const Oracle& oracle, const Limits& limits);
  // Leaves out what no question of these rules can see (reduction.hpp): before the exploration begins, and for interleaved systems without
  // reactions.  An exploration that goes on may number all states anew: what was handed out of it before means nothing then.
  void reduce(ReductionRules rules);
  // The leaf of a tree in each of the first states.
  std::vector<LeafId> evaluate(const Oracle& oracle, TreeId tree, std::size_t states);

  // --- the result ---
  [[nodiscard]] std::size_t num_states() const { return store_.size(); }
  [[nodiscard]] std::size_t num_expanded() const { return expanded_; }
  [[nodiscard]] std::size_t num_choices() const { return choice_label_.size(); }
  [[nodiscard]] std::size_t num_transitions() const { return target_.size(); }
  // Of an exploration with reduction: how many states were looked at, again and again, and how often it began.
  [[nodiscard]] std::size_t num_visited() const { return visited_; }
  [[nodiscard]] std::size_t num_rounds() const { return rounds_; }
  // A state on the way from a state to a stored one, and the component that goes on from it.
  struct LeapStep {
    Id component = kNoComponent;
    std::vector<ValueId> values;
  };
  // The states on the way that one outcome of a choice begins, each with who goes on from it; the last is the stored one.
  std::vector<LeapStep> steps_within(const Oracle& oracle, StateId state, TreeId component, std::size_t choice, std::size_t outcome);
  [[nodiscard]] std::optional<StateId> hit() const { return hit_; }
  [[nodiscard]] ValueId value(StateId state, Slot slot) const { return layout_.get(store_[state], slot); }
  // The value of a slot in each of the first states.
  [[nodiscard]] std::vector<ValueId> column(Slot slot, std::size_t states) const;
  [[nodiscard]] std::size_t slots() const { return layout_.slots(); }
  [[nodiscard]] unsigned state_bits() const { return layout_.bits_needed(); }
  [[nodiscard]] std::size_t state_bytes() const { return store_.bytes(); }
  [[nodiscard]] std::size_t total_bytes() const;

  // Not const: whoever shares an array's memory keeps it as it is now.
  [[nodiscard]] GrowingArray<std::int64_t>& first_choice() { return first_choice_; }
  [[nodiscard]] GrowingArray<std::int64_t>& first_transition() { return first_transition_; }
  [[nodiscard]] GrowingArray<StateId>& targets() { return target_; }
  [[nodiscard]] GrowingArray<Id>& weights() { return weight_; }
  [[nodiscard]] GrowingArray<Id>& labels() { return choice_label_; }
  [[nodiscard]] GrowingArray<Id>& rewards() { return choice_reward_; }
  [[nodiscard]] GrowingArray<Id>& components() { return choice_component_; }

 private:
  // One piece of work: whom it asks, and what makes it end early.
  struct Run {
    const Oracle& oracle;
    Patience patience;
    std::optional<TreeId> stop_tree{};
  };

  // A limit was reached in the middle of a state.
  struct Stopped {
    Ended why;
  };

  // A choice of the state being expanded, before its successors are stored.
  struct Pending {
    Id label;
    Id reward;
    Id component;
    bool reacts;
    std::size_t first_successor;  // in successors_ and their weights
  };

  [[nodiscard]] const Word* at(Place place) const { return place.in_scratch ? scratch(place.index) : store_[place.index]; }
  [[nodiscard]] Word* scratch(std::size_t i) { return successors_.data() + i * layout_.words(); }
  [[nodiscard]] const Word* scratch(std::size_t i) const { return successors_.data() + i * layout_.words(); }
  [[nodiscard]] std::size_t num_successors() const { return successor_weight_.size(); }

  LeafId leaf_of(Run& run, TreeId tree, Place place);
  void make_room(Slot slot, ValueId value);
  Id combine(Run& run, Combination how, Id a, Id b);

  void store_initial_state();
  void expand(Run& run, StateId state);
  void interleave(StateId state, const SlotSet* only = nullptr);
  void synchronise(Run& run, StateId state);
  void add_joint_choice(Run& run, StateId state);
  void stutter(StateId state);
  void react(Run& run);
  void store_successors(Run& run);
  void emit(Run& run, const Pending& choice, std::size_t first, std::size_t last);
  void find_first_hit(Run& run);
  void look_at_new_state(Run& run, StateId state);
  void add_successor(const Word* state, Id weight);
  [[nodiscard]] std::size_t end_of(std::size_t pending) const {
    return pending + 1 < pending_.size() ? pending_[pending + 1].first_successor : num_successors();
  }
  void apply(std::size_t successor, const std::vector<Write>& writes) {
    for (const Write& write : writes) layout_.set(scratch(successor), write.slot, write.value);
  }
  void open_rows();
  void close_rows();
  // Leaves out what was stored last, so that a state is expanded as a whole or not at all.
  void forget_beyond(std::size_t states, std::size_t choices, std::size_t transitions);

  // --- with reduction: reduced_explorer.cpp ---
  // What the choices of a leaf do, whatever the state.
  struct Effect {
    SlotSet writes;
    std::size_t successors;
  };
  // What all components and atoms see in one state.
  struct Look {
    std::vector<Offer> offers;
    std::vector<LeafId> leaves;
    std::vector<Sight> atoms;
    std::size_t successors = 0;
  };
  void note_path(TreeId tree, const Reads& reads, LeafId leaf);
  const Effect& effect_of(LeafId leaf);
  LeafId see(Run& run, TreeId tree, Place place, SlotSet& reads);
  void look_around(Run& run, Place place, Look& look);
  bool is_terminal(Run& run, Place place);
  bool choose_ample(Run& run, Place place, const Look& look, Ample& ample);
  bool close_by_futures(Place place, const Look& look, Ample& ample);
  bool is_invisible(Run& run, Place place, const Look& look, Ample& ample);
  bool leaves_atoms(Run& run, const Look& before, Ample& ample);
  bool goes_on(Run& run, Ample& ample);
  template <typename Test>
  bool each_outcome(Place place, LeafId leaf, Test&& passes);
  bool steps_alone(Run& run, Place place, const Look& look);
  void leap(Run& run, std::size_t successor, std::vector<LeapStep>* told = nullptr);
  void leap_from_all(Run& run);
  void expand_reduced(Run& run, StateId state);
  void open_work_states(StateId state);
  [[nodiscard]] bool all_lie_ahead(StateId state) const;
  bool decisions_stand();
  void begin_again();
  void scout(Run& run);
  [[nodiscard]] LeapStep leap_step(Place place) const;
  void copy_state(const Word* from, std::size_t to) { std::copy_n(from, layout_.words(), scratch(to)); }

  bool synchronous_;
  std::size_t num_components_;
  std::size_t num_reactions_;
  bool check_purity_ = false;

  Layout layout_;
  StateStore store_;
  std::vector<DecisionTree> trees_;
  std::vector<std::vector<Choice>> choice_leaves_;
  std::vector<std::vector<Write>> write_leaves_;
  std::unordered_map<std::uint64_t, Id> combined_[4];

  // Successors of the state being expanded, packed; kept here so that a widened slot repacks them too.
  GrowingArray<Word> successors_;
  std::vector<Id> successor_weight_;
  std::vector<Pending> pending_;
  std::vector<LeafId> component_leaf_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::pair<StateId, Id>> row_;
  std::vector<std::size_t> joint_;  // which choice of each component makes up the joint choice at hand
  std::vector<TreeId> writer_;      // of each slot in the joint choice at hand

  std::optional<Reduction> reduction_;
  std::deque<Effect> effects_;  // of each leaf of choices; offers point to them
  Look here_, there_;
  Ample here_ample_, there_ample_, candidate_;
  SlotSet after_;
  Futures futures_{0};
  bool trees_grew_ = false;  // since this round began
  std::size_t visited_ = 0;
  std::size_t rounds_ = 0;

  std::size_t outside_bytes_ = 0;
  std::size_t leaf_bytes_ = 0;
  std::size_t tree_bytes_ = 0;
  std::size_t combined_bytes_ = 0;
  std::size_t expanded_ = 0;
  std::optional<StateId> hit_;
  GrowingArray<std::int64_t> first_choice_;
  GrowingArray<std::int64_t> first_transition_;
  GrowingArray<StateId> target_;
  GrowingArray<Id> weight_;
  GrowingArray<Id> choice_label_;
  GrowingArray<Id> choice_reward_;
  GrowingArray<Id> choice_component_;
};

}  // namespace volition
