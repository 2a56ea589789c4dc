// Breadth-first exploration of a system whose functions are written in Python and run once per
// distinct sequence of reads.
//
// The explorer handles integer ids only. Functions of the system are decision trees. If a tree does
// not know a state, the explorer calls Python (`ExplorerCallbacks::trace`), which runs the
// function, registers its result as a leaf and returns the slots and values that the function read.
//
// A stopped exploration can be resumed: call `explore` again with other limits. States are expanded
// in the order of their discovery, each completely or not at all. A resumed exploration therefore
// yields the same transition matrix as an uninterrupted one. Finished states and shared arrays
// (GrowingArray) never change.
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

#include "choice_signatures.hpp"
#include "decision_tree.hpp"
#include "expansion.hpp"
#include "first_slot_index.hpp"
#include "growing_array.hpp"
#include "interference_analysis.hpp"
#include "joint_choices.hpp"
#include "layout.hpp"
#include "partial_order_reduction.hpp"
#include "poll_timer.hpp"
#include "slot_set.hpp"
#include "state_store.hpp"
#include "transition_matrix.hpp"

namespace volition {

inline constexpr ObjectId kNeutral = 0;  // neutral label (none), weight (one) and reward (zero)
inline constexpr ObjectId kStutter = 1;  // label of the self-loop of a terminal state
inline constexpr ObjectId kNoComponent = UINT32_MAX;

struct Outcome {
  ObjectId weight;
  std::vector<Write> writes;
};
struct Choice {
  ObjectId label;
  ObjectId reward;
  bool triggers_reactions;
  std::vector<Outcome> outcomes;
};

// Thrown if two components of a synchronous system write the same slot.
struct WriteConflict : std::runtime_error {
  WriteConflict(TreeId first_, TreeId second_, Slot slot_)
      : std::runtime_error("write conflict"), first(first_), second(second_), slot(slot_) {}
  TreeId first, second;
  Slot slot;
};

enum class Combination { kLabels, kWeightProduct, kWeightSum, kRewards };

// Reference to a stored state (by id), or to a successor in the current expansion that is not
// stored yet (by index).
struct StateRef {
  bool is_successor;
  std::size_t index;
};

// Functions provided by Python that the explorer calls.
struct ExplorerCallbacks {
  // Runs the function of a tree on a state and returns its reads and its leaf. The function may
  // evaluate other trees.
  std::function<std::pair<Reads, LeafId>(TreeId, StateRef)> trace;
  // Returns the id of the combination of two labels, weights or rewards.
  std::function<ObjectId(Combination, ObjectId, ObjectId)> combine;
  // Called regularly to report progress. Throws Interrupted if the user wants to stop.
  std::function<void()> poll;
};

// Thrown if the user pressed Ctrl-C, in the explorer or in a traced function.
struct Interrupted {};

enum class ExplorationStatus {
  kComplete,
  kStateLimit,
  kMemoryLimit,
  kTimeLimit,
  kDepthLimit,
  kStopConditionMet,
  kInterrupted,
  // New reads or writes show that an ample set chosen in an earlier call of `explore` is unsound.
  // The states found so far stay unchanged. Start a new explorer.
  kReductionInvalidated,
};

// Limits of an exploration. The expansion of a state is completed once it has started, unless the
// memory or time limit is reached during it.
struct Limits {
  std::size_t states;
  std::size_t bytes;
  double seconds;                     // from the start of the call
  std::size_t depth = kNoDepth;       // states at this depth are not expanded
  std::optional<TreeId> stop_tree{};  // stop at the first state in which the leaf of this tree is 1
  std::size_t threads = 1;            // number of threads; the result does not depend on it
  std::size_t parallel_threshold = kParallelThreshold;

  static constexpr std::size_t kParallelThreshold = std::size_t{1} << 15;
  static constexpr std::size_t kNoDepth = SIZE_MAX;
  static constexpr std::size_t kNoLimit = PTRDIFF_MAX;  // for bytes: more than any machine has
};

class ParallelExplorer;

class Explorer {
 public:
  Explorer(std::size_t slots, std::size_t components, std::size_t reactions, bool synchronous,
           std::size_t max_states = StateStore::kMaxStates);

  // --- registration of trees and leaves by Python ---
  TreeId add_tree();
  LeafId add_choices(std::vector<Choice> choices);
  LeafId add_writes(std::vector<Write> writes);
  void check_purity(bool on) { check_purity_ = on; }
  [[nodiscard]] ValueId read(StateRef state_ref, Slot slot) const {
    return layout_.get(at(state_ref), slot);
  }
  // Adds to the number of bytes that Python holds for this state space, for example for the values
  // behind the ids.
  void add_external_bytes(std::size_t bytes) { external_bytes_ += bytes; }

  // --- running the exploration ---

  // Starts or resumes the exploration. The stop condition `limits.stop_tree` is first evaluated in
  // the states that earlier calls found.
  ExplorationStatus explore(const ExplorerCallbacks& callbacks, const Limits& limits);
  // Enables partial-order reduction (partial_order_reduction.hpp). Call it before the exploration
  // starts, and only for interleaved systems without reactions.
  void enable_reduction(ReductionOptions options);
  // Restores a state space explored earlier for the same system. The arguments must be valid
  // (validation.hpp).
  void restore(Layout layout, GrowingArray<Word> states, TransitionMatrix matrix,
               std::optional<StateId> stop_state);
  // Returns the leaf of a tree in each of the first `states` states.
  std::vector<LeafId> evaluate(const ExplorerCallbacks& callbacks, TreeId tree, std::size_t states);

  // --- results of the exploration ---
  [[nodiscard]] std::size_t num_states() const { return store_.size(); }
  // Returns the number of states that a StateRef can refer to: successors in the current expansion
  // if `is_successor` is true, stored states otherwise.
  [[nodiscard]] std::size_t num_at(bool is_successor) const {
    return is_successor ? expansion_.num_successors() : num_states();
  }
  [[nodiscard]] std::size_t num_trees() const { return trees_.size(); }
  [[nodiscard]] std::size_t num_expanded() const { return expanded_; }
  [[nodiscard]] std::size_t num_choices() const { return matrix_.num_choices(); }
  [[nodiscard]] std::size_t num_transitions() const { return matrix_.num_transitions(); }
  // Statistics of an exploration with partial-order reduction: number of states evaluated since the
  // last restart, and number of restarts. The exploration restarts if an ample set that it has
  // chosen proves unsound.
  [[nodiscard]] std::size_t num_states_evaluated() const { return states_evaluated_; }
  [[nodiscard]] std::size_t num_restarts() const { return restarts_; }
  // State of a compressed chain, and the component that moves from it.
  struct ChainStep {
    ObjectId component = kNoComponent;
    std::vector<ValueId> values;
  };
  // Returns the states of a compressed chain. The chain starts with the given outcome of a
  // component's choice in a stored state. The last state returned is the stored state at the end of
  // the chain.
  std::vector<ChainStep> expand_chain(const ExplorerCallbacks& callbacks, StateId state,
                                      TreeId component, std::size_t choice, std::size_t outcome);
  [[nodiscard]] std::optional<StateId> stop_state() const { return stop_state_; }
  // Returns the depth up to which the space is complete: all runs of this length are in the
  // transition matrix.
  [[nodiscard]] std::size_t depth() const { return depth_; }
  [[nodiscard]] ValueId value(StateId state, Slot slot) const {
    return layout_.get(store_[state], slot);
  }
  // Returns the value of a slot in each of the first `states` states.
  [[nodiscard]] std::vector<ValueId> column(Slot slot, std::size_t states) const;
  [[nodiscard]] std::size_t slots() const { return layout_.slots(); }
  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] unsigned state_bits() const { return layout_.total_bits_used(); }
  [[nodiscard]] std::size_t state_bytes() const { return store_.bytes(); }
  [[nodiscard]] std::size_t total_bytes() const {
    return persistent_bytes() + expansion_.bytes() + first_slot_index_.bytes();
  }

  // These accessors are not const, because a caller may share the memory of the arrays, which
  // freezes their current contents.
  [[nodiscard]] GrowingArray<Word>& states() { return store_.all_states(); }
  [[nodiscard]] TransitionMatrix& matrix() { return matrix_; }
  [[nodiscard]] const TransitionMatrix& matrix() const { return matrix_; }

 private:
  // Data that the functions of one exploration or evaluation share: the callbacks to Python, the
  // poll timer, the stop condition, and whether caches may be updated.
  struct Context {
    const ExplorerCallbacks* callbacks;  // nullptr if Python must not be called
    PollTimer timer;
    std::optional<TreeId> stop_tree{};
    bool single_threaded = true;  // caches may be updated
  };

  // Thrown if a limit is reached while a state is expanded.
  struct LimitReached {
    ExplorationStatus status;
  };

  // Thrown if expanding a state needs a call of Python but `Context::callbacks` is nullptr.
  struct PythonNeeded {};

  // Returns the bytes in use, without caches. The memory limit uses this value, so that the
  // exploration stops at the same state for any number of threads.
  [[nodiscard]] std::size_t persistent_bytes() const;

  [[nodiscard]] const Word* at(StateRef state_ref) const {
    return state_ref.is_successor ? expansion_.successor(state_ref.index) : store_[state_ref.index];
  }

  // Returns the leaf of a tree in a state. `state_ref` refers to the same state; Python reads the
  // state through it.
  LeafId leaf_of(Context& context, TreeId tree, const Word* state, StateRef state_ref);
  LeafId leaf_of(Context& context, TreeId tree, StateRef state_ref) {
    return leaf_of(context, tree, at(state_ref), state_ref);
  }
  // Finds the leaves of all components in a stored state and writes them to `expansion`.
  void find_leaves(Context& context, Expansion& expansion, StateId state);
  // Records the written values in the layout. Returns false if one of them does not fit into it.
  bool note_values(const std::vector<Write>& writes);
  void widen_layout();
  ObjectId combine(Context& context, Combination how, ObjectId a, ObjectId b);

  void store_initial_state();
  // Expands a batch of states without calling Python. If the first state of the batch needs Python,
  // expands only that state.
  void expand_next(Context& context, Context& without_python);
  // Computes the choices and successors of a state without storing them.
  void expand_into(Context& context, Expansion& expansion, StateId state);
  void expand_interleaved(Expansion& expansion, StateId state, const SlotSet* only = nullptr) const;
  void expand_synchronous(Context& context, Expansion& expansion, StateId state);
  // Expands a state of a synchronous system without evaluating decision trees. The leaves of the
  // trees are given by `expansion.answer_ids`, the answers of the lookup tables. The joint choices
  // of these leaves (one choice per component) are taken from the cache in `entry`, or built if
  // they are not cached. Returns false if two components write the same slot.
  bool expand_synchronous_memoised(Context& context, Expansion& expansion, StateId state,
                                   FirstSlotIndex::Entry& entry);
  bool emit_joint_choices(Expansion& expansion, StateId state, const JointChoices& from,
                          std::size_t begin, std::size_t end) const;
  // Returns the writes of a silent leaf, or nullptr for other leaves. A leaf is silent if its only
  // choice is deterministic and has no label, reward or reaction.
  [[nodiscard]] const std::vector<Write>* silent_writes(LeafId leaf) const;
  void build_joint_choices(Context& context, Expansion& expansion);
  void add_joint_choice(Context& context, Expansion& expansion);
  void add_stutter_loop(Expansion& expansion, StateId state) const;
  void apply_reactions(Context& context, Expansion& expansion);
  // Stores the successors of the expanded states, state by state. `status` is called after each
  // state. If it says that the exploration ended, stops and returns this status. Otherwise returns
  // nullopt.
  std::optional<ExplorationStatus> store_successors(
      Context& context, const std::function<std::optional<ExplorationStatus>()>& status);
  // Adds the choices and transitions of the expanded states to the matrix, state by state. `stored`
  // returns the id of a successor and whether it is new. `status` is called after each state. If it
  // says that the exploration ended, stops and returns this status. Otherwise returns nullopt.
  template <typename Stored>
  std::optional<ExplorationStatus> emit_states(
      Context& context, const Expansion& expansion,
      const std::function<std::optional<ExplorationStatus>()>& status, Stored&& stored);
  template <typename Stored>
  void emit(Context& context, const Expansion& expansion, std::size_t choice, Stored&& stored);
  void find_stop_state(Context& context);
  // Counts an expanded state. Increments the depth if it was the last state of its level.
  void count_expanded();
  void check_stop_condition(Context& context, StateId state);
  void apply(Word* successor, const std::vector<Write>& writes) const {
    for (const Write& write : writes) layout_.set(successor, write.slot, write.value);
  }
  // Drops all states from the id `states` on, and the choices of the unfinished state. Called if
  // storing the successors of a state fails midway, so that each state is expanded completely or
  // not at all.
  void discard_states_from(std::size_t states);

  // --- exploration with partial-order reduction, defined in reduced_explorer.cpp ---

  // Slots that the choices of a leaf write, and the number of successors of these choices. Neither
  // depends on the state.
  struct Effect {
    SlotSet writes;
    std::size_t successors;
  };
  // Data about one state for partial-order reduction: the leaf of each component, its footprint
  // (reads, writes and number of successors), the value and reads of each atom of the property, and
  // the total number of successors.
  struct StateEvaluation {
    std::vector<ComponentFootprint> footprints;
    std::vector<LeafId> leaves;
    std::vector<AtomEvaluation> atoms;
    std::size_t successors = 0;
  };
  void record_accesses(TreeId tree, const Reads& reads, LeafId leaf);
  const Effect& effect_of(LeafId leaf);
  LeafId evaluate_with_reads(Context& context, TreeId tree, StateRef state_ref, SlotSet& reads);
  void evaluate_all(Context& context, StateRef state_ref, StateEvaluation& evaluation);
  bool is_terminal(Context& context, StateRef state_ref);
  bool choose_ample(Context& context, StateRef state_ref, const StateEvaluation& evaluation,
                    AmpleSet& ample);
  bool close_by_lookahead(StateRef state_ref, const StateEvaluation& evaluation, AmpleSet& ample);
  bool is_invisible(Context& context, StateRef state_ref, const StateEvaluation& evaluation,
                    AmpleSet& ample);
  bool preserves_atoms(Context& context, const StateEvaluation& before, AmpleSet& ample);
  bool stays_enabled(Context& context, AmpleSet& ample);
  template <typename Test>
  bool each_outcome(StateRef state_ref, LeafId leaf, Test&& passes);
  bool has_single_invisible_step(Context& context, StateRef state_ref,
                                 const StateEvaluation& evaluation);
  void compress_chain(Context& context, std::size_t successor,
                      std::vector<ChainStep>* steps = nullptr);
  void compress_all_chains(Context& context);
  void expand_reduced(Context& context, StateId state);
  void add_scratch_states(StateId state);
  [[nodiscard]] bool satisfies_cycle_proviso(StateId state) const;
  bool decisions_still_valid();
  void restart();
  void run_warmup_walks(Context& context);
  [[nodiscard]] ChainStep chain_step(StateRef state_ref) const;
  void copy_state(const Word* from, std::size_t to) {
    std::copy_n(from, layout_.words(), expansion_.successor(to));
  }

  friend class ParallelExplorer;

  bool synchronous_;
  std::size_t num_components_;
  std::size_t num_reactions_;
  bool check_purity_ = false;

  Layout layout_;
  StateStore store_;
  std::vector<DecisionTree> trees_;
  FirstSlotIndex first_slot_index_;  // index of the component trees
  std::vector<std::vector<Choice>> choice_leaves_;
  std::vector<std::vector<Write>> write_leaves_;
  std::unordered_map<std::uint64_t, ObjectId> combined_[4];

  // Expansion of the current states. It is a member, so that `widen_layout` repacks its successors
  // too.
  Expansion expansion_;
  std::vector<std::pair<StateId, ObjectId>> row_;

  std::optional<Reduction> reduction_;
  std::deque<Effect> effects_;  // per choice leaf; footprints point to them
  StateEvaluation source_eval_, chain_eval_;
  AmpleSet source_ample_, chain_ample_, candidate_;
  SlotSet reads_after_;
  InterferenceAnalysis interference_{0};
  bool trees_changed_ = false;  // since the last restart
  bool reduction_invalidated_ = false;
  std::size_t states_evaluated_ = 0;
  std::size_t restarts_ = 0;

  std::size_t external_bytes_ = 0;
  std::size_t leaf_bytes_ = 0;
  std::size_t tree_bytes_ = 0;
  std::size_t combined_bytes_ = 0;
  std::size_t python_calls_ = 0;  // calls of Python so far
  std::size_t python_calls_before_ = 0;
  std::size_t python_expected_until_ = 0;  // until this state, more calls of Python are expected
  std::size_t expanded_ = 0;
  std::size_t depth_ = 0;      // all states at a smaller depth are expanded
  std::size_t level_end_ = 1;  // all states before this one are at most at this depth
  std::optional<StateId> stop_state_;
  TransitionMatrix matrix_;
};

template <typename Stored>
std::optional<ExplorationStatus> Explorer::emit_states(
    Context& context, const Expansion& expansion,
    const std::function<std::optional<ExplorationStatus>()>& status, Stored&& stored) {
  for (std::size_t state = 0; state < expansion.num_states(); ++state) {
    const std::size_t states = num_states();
    try {
      for (std::size_t choice = expansion.first_pending[state];
           choice < expansion.end_of_state(state); ++choice) {
        emit(context, expansion, choice, stored);
      }
    } catch (...) {
      discard_states_from(states);
      throw;
    }
    matrix_.finish_state();
    count_expanded();
    if (const std::optional<ExplorationStatus> now = status()) return now;
  }
  return std::nullopt;
}

template <typename Stored>
void Explorer::emit(Context& context, const Expansion& expansion, std::size_t choice,
                    Stored&& stored) {
  const Expansion::PendingChoice& pending = expansion.pending[choice];
  row_.clear();
  for (std::size_t i = pending.first_successor; i < expansion.end_of(choice); ++i) {
    context.timer.tick();
    const auto [state, is_new] = stored(i);
    row_.emplace_back(state, expansion.weights[i]);
    if (is_new) check_stop_condition(context, state);
  }
  if (row_.size() > 1) std::sort(row_.begin(), row_.end());
  std::size_t distinct = 1;
  for (std::size_t i = 1; i < row_.size(); ++i) {
    if (row_[i].first == row_[distinct - 1].first) {
      row_[distinct - 1].second =
          combine(context, Combination::kWeightSum, row_[distinct - 1].second, row_[i].second);
    } else {
      row_[distinct++] = row_[i];
    }
  }
  row_.resize(distinct);
  matrix_.add_choice(pending.label, pending.reward, pending.component, row_);
}

}  // namespace volition
