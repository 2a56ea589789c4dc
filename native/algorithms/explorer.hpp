// Breadth-first exploration of a system whose functions live in Python and are asked only once per distinct reading.
//
// The explorer sees integers only.  Functions of the system are decision trees; where a tree does not know a state, the
// explorer asks Python (`Oracle::trace`), which runs the function, registers its answer as a leaf and returns what was read.
//
// An exploration that stopped can go on: `explore` again, with other limits.  States are expanded in the order in which they were
// found, each as a whole or not at all, so stopping and going on leads to the same rows as not stopping.  Rows of finished states stay as
// they are, and so do the arrays that were handed out before (GrowingArray).
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

#include "first_slot_index.hpp"
#include "decision_tree.hpp"
#include "expansion.hpp"
#include "interference_analysis.hpp"
#include "growing_array.hpp"
#include "joint_choices.hpp"
#include "choice_signatures.hpp"
#include "layout.hpp"
#include "poll_timer.hpp"
#include "partial_order_reduction.hpp"
#include "transition_matrix.hpp"
#include "slot_set.hpp"
#include "state_store.hpp"

namespace volition {


inline constexpr ObjectId kNeutral = 0;  // the neutral label (none), weight (one) and reward (nothing)
inline constexpr ObjectId kStutter = 1;  // the label of the self-loop of a terminal state
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

// Two components of a synchronous system wrote the same slot.
struct WriteConflict : std::runtime_error {
  WriteConflict(TreeId first_, TreeId second_, Slot slot_) : std::runtime_error("write conflict"), first(first_), second(second_), slot(slot_) {}
  TreeId first, second;
  Slot slot;
};

enum class Combination { kLabels, kWeightProduct, kWeightSum, kRewards };

// Where a state is while a function looks at it: among the stored ones, or among the successors that are being made.
struct StateRef {
  bool is_successor;
  std::size_t index;
};

// What the explorer asks of Python.
struct ExplorerCallbacks {
  // Runs the function behind a tree on a state; gives the reads and the leaf.  It may evaluate other trees meanwhile.
  std::function<std::pair<Reads, LeafId>(TreeId, StateRef)> trace;
  // The id of two labels, weights or rewards taken together.
  std::function<ObjectId(Combination, ObjectId, ObjectId)> combine;
  // Called now and then, to show progress; throws Interrupted when the user wants to stop.
  std::function<void()> poll;
};

// The user pressed Ctrl-C, in the explorer or in a function that it traced.
struct Interrupted {};

enum class ExplorationStatus {
  kComplete,
  kStateLimit,
  kMemoryLimit,
  kTimeLimit,
  kDepthLimit,
  kStopConditionMet,
  kInterrupted,
  kReductionInvalidated,  // what an earlier call has left was reduced wrongly by what is known now: it stays as it is, and another explorer has to begin
};

// Where an exploration stops.  A state that was begun is finished, unless a limit of memory or time is reached inside of it.
struct Limits {
  std::size_t states;
  std::size_t bytes;
  double seconds;                     // from the call on
  std::size_t depth = kNoDepth;       // states so many steps away from the initial one are not expanded
  std::optional<TreeId> stop_tree{};  // the first state in which this tree's leaf is 1 ends the exploration
  std::size_t threads = 1;               // threads that work at the same time, once there are many states; the result is the same
  std::size_t parallel_threshold = kParallelThreshold;

  static constexpr std::size_t kParallelThreshold = std::size_t{1} << 15;
  static constexpr std::size_t kNoDepth = SIZE_MAX;
  static constexpr std::size_t kNoLimit = PTRDIFF_MAX;  // of bytes: nobody has so many
};

class ParallelExplorer;

class Explorer {
 public:
  Explorer(std::size_t slots, std::size_t components, std::size_t reactions, bool synchronous, std::size_t max_states = StateStore::kMaxStates);

  // --- what Python registers ---
  TreeId add_tree();
  LeafId add_choices(std::vector<Choice> choices);
  LeafId add_writes(std::vector<Write> writes);
  void check_purity(bool on) { check_purity_ = on; }
  [[nodiscard]] ValueId read(StateRef state_ref, Slot slot) const { return layout_.get(at(state_ref), slot); }
  // Memory that Python keeps for this state space, such as the values behind the ids.
  void add_external_bytes(std::size_t bytes) { external_bytes_ += bytes; }

  // --- the work ---
  // Begins, or goes on where it ended.  States found so far are the first to be looked at for the limits' `stop_tree`.
  ExplorationStatus explore(const ExplorerCallbacks& callbacks, const Limits& limits);
  // Leaves out what no question of these rules can see (reduction.hpp): before the exploration begins, and for interleaved systems without
  // reactions.
  void enable_reduction(ReductionOptions options);
  // Begins with what was explored elsewhere, by an explorer of the same system; see soundness.hpp.
  void restore(Layout layout, GrowingArray<Word> states, TransitionMatrix matrix, std::optional<StateId> stop_state);
  // The leaf of a tree in each of the first states.
  std::vector<LeafId> evaluate(const ExplorerCallbacks& callbacks, TreeId tree, std::size_t states);

  // --- the result ---
  [[nodiscard]] std::size_t num_states() const { return store_.size(); }
  // How many states there are to be read at such places.
  [[nodiscard]] std::size_t num_at(bool is_successor) const { return is_successor ? expansion_.num_successors() : num_states(); }
  [[nodiscard]] std::size_t num_trees() const { return trees_.size(); }
  [[nodiscard]] std::size_t num_expanded() const { return expanded_; }
  [[nodiscard]] std::size_t num_choices() const { return matrix_.num_choices(); }
  [[nodiscard]] std::size_t num_transitions() const { return matrix_.num_transitions(); }
  // Of an exploration with reduction: how many states were looked at, again and again, and how often it began.
  [[nodiscard]] std::size_t num_states_evaluated() const { return states_evaluated_; }
  [[nodiscard]] std::size_t num_restarts() const { return restarts_; }
  // A state on the way from a state to a stored one, and the component that goes on from it.
  struct ChainStep {
    ObjectId component = kNoComponent;
    std::vector<ValueId> values;
  };
  // The states on the way that one outcome of a choice begins, each with who goes on from it; the last is the stored one.
  std::vector<ChainStep> expand_chain(const ExplorerCallbacks& callbacks, StateId state, TreeId component, std::size_t choice, std::size_t outcome);
  [[nodiscard]] std::optional<StateId> stop_state() const { return stop_state_; }
  // All runs of so many steps are among the rows.
  [[nodiscard]] std::size_t depth() const { return depth_; }
  [[nodiscard]] ValueId value(StateId state, Slot slot) const { return layout_.get(store_[state], slot); }
  // The value of a slot in each of the first states.
  [[nodiscard]] std::vector<ValueId> column(Slot slot, std::size_t states) const;
  [[nodiscard]] std::size_t slots() const { return layout_.slots(); }
  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] unsigned state_bits() const { return layout_.total_bits_used(); }
  [[nodiscard]] std::size_t state_bytes() const { return store_.bytes(); }
  [[nodiscard]] std::size_t total_bytes() const { return persistent_bytes() + expansion_.bytes() + first_slot_index_.bytes(); }

  // Not const: whoever shares an array's memory keeps it as it is now.
  [[nodiscard]] GrowingArray<Word>& states() { return store_.all_states(); }
  [[nodiscard]] TransitionMatrix& matrix() { return matrix_; }
  [[nodiscard]] const TransitionMatrix& matrix() const { return matrix_; }

 private:
  // One piece of work: whom it asks, and what makes it end early.
  struct Context {
    const ExplorerCallbacks* callbacks;  // nobody, where Python cannot be asked
    PollTimer timer;
    std::optional<TreeId> stop_tree{};
    bool single_threaded = true;  // nobody else reads what is learnt on the way
  };

  // A limit was reached in the middle of a state.
  struct LimitReached {
    ExplorationStatus status;
  };

  // Python would have to be asked.
  struct PythonNeeded {};

  // Without what only makes the work faster, and depends on who did it: a limit stops several threads where it stops one.
  [[nodiscard]] std::size_t persistent_bytes() const;

  [[nodiscard]] const Word* at(StateRef state_ref) const { return state_ref.is_successor ? expansion_.successor(state_ref.index) : store_[state_ref.index]; }

  // The leaf of a state that stands at a place, where Python can look at it too.
  LeafId leaf_of(Context& context, TreeId tree, const Word* state, StateRef state_ref);
  LeafId leaf_of(Context& context, TreeId tree, StateRef state_ref) { return leaf_of(context, tree, at(state_ref), state_ref); }
  // Those of all components in a stored state, in `made`, walked from where they begin.
  void find_leaves(Context& context, Expansion& expansion, StateId state);
  // Takes note of the values; false if one does not fit, and room has to be made.
  bool note_values(const std::vector<Write>& writes);
  void widen_layout();
  ObjectId combine(Context& context, Combination how, ObjectId a, ObjectId b);

  void store_initial_state();
  // The next states, as far as nobody has to be asked, or the next one, whoever has to be.
  void expand_next(Context& context, Context& without_python);
  // What a state does, without storing its successors.
  void expand_into(Context& context, Expansion& expansion, StateId state);
  void expand_interleaved(Expansion& expansion, StateId state, const SlotSet* only = nullptr) const;
  void expand_synchronous(Context& context, Expansion& expansion, StateId state);
  // The same by the answers alone, which are known; false where two components write the same slot.
  bool expand_synchronous_memoised(Context& context, Expansion& expansion, StateId state, FirstSlotIndex::Entry& entry);
  bool emit_joint_choices(Expansion& expansion, StateId state, const JointChoices& from, std::size_t begin, std::size_t end) const;
  // What a leaf writes that has one certain choice, without label, reward and reactions; nothing for other leaves.
  [[nodiscard]] const std::vector<Write>* silent_writes(LeafId leaf) const;
  void build_joint_choices(Context& context, Expansion& expansion);
  void add_joint_choice(Context& context, Expansion& expansion);
  void add_stutter_loop(Expansion& expansion, StateId state) const;
  void apply_reactions(Context& context, Expansion& expansion);
  // Stores what follows the states that were expanded, until the exploration has ended.
  std::optional<ExplorationStatus> store_successors(Context& context, const std::function<std::optional<ExplorationStatus>()>& status);
  // The same; `stored` gives the number of a successor, which may be new.
  template <typename Stored>
  std::optional<ExplorationStatus> emit_states(Context& context, const Expansion& expansion, const std::function<std::optional<ExplorationStatus>()>& status, Stored&& stored);
  template <typename Stored>
  void emit(Context& context, const Expansion& expansion, std::size_t choice, Stored&& stored);
  void find_stop_state(Context& context);
  // Takes note that one more state is expanded: perhaps the last that is so far from the initial one.
  void count_expanded();
  void check_stop_condition(Context& context, StateId state);
  void apply(Word* successor, const std::vector<Write>& writes) const {
    for (const Write& write : writes) layout_.set(successor, write.slot, write.value);
  }
  // Leaves out what was stored last, so that a state is expanded as a whole or not at all.
  void discard_states_from(std::size_t states);

  // --- with reduction: reduced_explorer.cpp ---
  // What the choices of a leaf do, whatever the state.
  struct Effect {
    SlotSet writes;
    std::size_t successors;
  };
  // What all components and atoms see in one state.
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
  bool choose_ample(Context& context, StateRef state_ref, const StateEvaluation& evaluation, AmpleSet& ample);
  bool close_by_lookahead(StateRef state_ref, const StateEvaluation& evaluation, AmpleSet& ample);
  bool is_invisible(Context& context, StateRef state_ref, const StateEvaluation& evaluation, AmpleSet& ample);
  bool preserves_atoms(Context& context, const StateEvaluation& before, AmpleSet& ample);
  bool stays_enabled(Context& context, AmpleSet& ample);
  template <typename Test>
  bool each_outcome(StateRef state_ref, LeafId leaf, Test&& passes);
  bool has_single_invisible_step(Context& context, StateRef state_ref, const StateEvaluation& evaluation);
  void compress_chain(Context& context, std::size_t successor, std::vector<ChainStep>* steps = nullptr);
  void compress_all_chains(Context& context);
  void expand_reduced(Context& context, StateId state);
  void add_scratch_states(StateId state);
  [[nodiscard]] bool satisfies_cycle_proviso(StateId state) const;
  bool decisions_still_valid();
  void restart();
  void run_warmup_walks(Context& context);
  [[nodiscard]] ChainStep chain_step(StateRef state_ref) const;
  void copy_state(const Word* from, std::size_t to) { std::copy_n(from, layout_.words(), expansion_.successor(to)); }

  friend class ParallelExplorer;

  bool synchronous_;
  std::size_t num_components_;
  std::size_t num_reactions_;
  bool check_purity_ = false;

  Layout layout_;
  StateStore store_;
  std::vector<DecisionTree> trees_;
  FirstSlotIndex first_slot_index_;  // of the components
  std::vector<std::vector<Choice>> choice_leaves_;
  std::vector<std::vector<Write>> write_leaves_;
  std::unordered_map<std::uint64_t, ObjectId> combined_[4];

  Expansion expansion_;  // of the state being expanded; kept here so that a widened slot repacks its successors too
  std::vector<std::pair<StateId, ObjectId>> row_;

  std::optional<Reduction> reduction_;
  std::deque<Effect> effects_;  // of each leaf of choices; offers point to them
  StateEvaluation source_eval_, chain_eval_;
  AmpleSet source_ample_, chain_ample_, candidate_;
  SlotSet reads_after_;
  InterferenceAnalysis interference_{0};
  bool trees_changed_ = false;  // since this round began
  bool reduction_invalidated_ = false;
  std::size_t states_evaluated_ = 0;
  std::size_t restarts_ = 0;

  std::size_t external_bytes_ = 0;
  std::size_t leaf_bytes_ = 0;
  std::size_t tree_bytes_ = 0;
  std::size_t combined_bytes_ = 0;
  std::size_t python_calls_ = 0;  // asked of Python so far
  std::size_t python_calls_before_ = 0;
  std::size_t python_expected_until_ = 0;  // up to this state more questions are expected
  std::size_t expanded_ = 0;
  std::size_t depth_ = 0;      // states nearer to the initial one are expanded
  std::size_t level_end_ = 1;  // the states before this one are at most so far away
  std::optional<StateId> stop_state_;
  TransitionMatrix matrix_;
};

template <typename Stored>
std::optional<ExplorationStatus> Explorer::emit_states(Context& context, const Expansion& expansion, const std::function<std::optional<ExplorationStatus>()>& status, Stored&& stored) {
  for (std::size_t state = 0; state < expansion.num_states(); ++state) {
    const std::size_t states = num_states();
    try {
      for (std::size_t choice = expansion.first_pending[state]; choice < expansion.end_of_state(state); ++choice) emit(context, expansion, choice, stored);
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
void Explorer::emit(Context& context, const Expansion& expansion, std::size_t choice, Stored&& stored) {
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
      row_[distinct - 1].second = combine(context, Combination::kWeightSum, row_[distinct - 1].second, row_[i].second);
    } else {
      row_[distinct++] = row_[i];
    }
  }
  row_.resize(distinct);
  matrix_.add_choice(pending.label, pending.reward, pending.component, row_);
}

}  // namespace volition
