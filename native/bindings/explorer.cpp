// Python bindings of the explorer.

#include "explorer.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace volition {
namespace {

using RawWrites = std::vector<std::pair<Slot, ValueId>>;
using RawChoice = std::tuple<ObjectId, ObjectId, bool, std::vector<std::pair<ObjectId, RawWrites>>>;

std::vector<Write> to_writes(const RawWrites& raw) {
  std::vector<Write> writes;
  writes.reserve(raw.size());
  for (const auto& [slot, value] : raw) writes.push_back(Write{slot, value});
  return writes;
}

std::vector<Choice> to_choices(const std::vector<RawChoice>& raw) {
  std::vector<Choice> choices;
  choices.reserve(raw.size());
  for (const auto& [label, reward, triggers_reactions, outcomes] : raw) {
    Choice choice{label, reward, triggers_reactions, {}};
    for (const auto& [weight, writes] : outcomes) {
      choice.outcomes.push_back(Outcome{weight, to_writes(writes)});
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

// Calls Python with the GIL held. KeyboardInterrupt becomes Interrupted.
template <typename Call>
auto call_python(Call&& call) {
  const nb::gil_scoped_acquire python;
  try {
    return call();
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_KeyboardInterrupt)) throw Interrupted{};
    throw;
  }
}

ExplorerCallbacks make_callbacks(const nb::callable& trace, const nb::callable& combine,
                                 const nb::object& progress) {
  return ExplorerCallbacks{
      .trace =
          [trace](TreeId tree, StateRef state_ref) {
            return call_python([&] {
              return nb::cast<std::pair<Reads, LeafId>>(
                  trace(tree, std::pair{state_ref.is_successor, state_ref.index}));
            });
          },
      .combine =
          [combine](Combination how, ObjectId a, ObjectId b) {
            return call_python([&] { return nb::cast<ObjectId>(combine(how, a, b)); });
          },
      .poll =
          [progress] {
            call_python([&] {
              if (PyErr_CheckSignals() != 0) throw nb::python_error();
              if (!progress.is_none()) progress();
            });
          },
  };
}

OutputArray<ObjectId> signature_column(const Explorer& explorer, ObjectId ChoiceSignature::* what) {
  const ChoiceSignatures& signatures = explorer.matrix().signatures();
  std::vector<ObjectId> values(signatures.size());
  for (std::size_t signature = 0; signature < values.size(); ++signature) {
    values[signature] = signatures[static_cast<SignatureId>(signature)].*what;
  }
  return to_numpy(std::move(values));
}

// Binds exceptions that carry data beyond a message, or that map to built-in Python exceptions.
void bind_exceptions(nb::module_& m) {
  nb::exception<ImpureFunction>(m, "ImpureFunction");
  const nb::object conflict =
      nb::steal(PyErr_NewException("volition.kernel._native.WriteConflict", nullptr, nullptr));
  m.attr("WriteConflict") = conflict;
  nb::register_exception_translator(
      [](const std::exception_ptr& error, void* conflict_type) {
        try {
          std::rethrow_exception(error);
        } catch (const Interrupted&) {
          PyErr_SetNone(PyExc_KeyboardInterrupt);
        } catch (const WriteConflict& both) {
          PyErr_SetObject(static_cast<PyObject*>(conflict_type),
                          nb::make_tuple(both.first, both.second, both.slot).ptr());
        }
      },
      conflict.ptr());
}

void bind_enums(nb::module_& m) {
  nb::enum_<ExplorationStatus>(m, "ExplorationStatus")
      .value("COMPLETE", ExplorationStatus::kComplete)
      .value("STATE_LIMIT", ExplorationStatus::kStateLimit)
      .value("MEMORY_LIMIT", ExplorationStatus::kMemoryLimit)
      .value("TIME_LIMIT", ExplorationStatus::kTimeLimit)
      .value("DEPTH_LIMIT", ExplorationStatus::kDepthLimit)
      .value("STOP_CONDITION_MET", ExplorationStatus::kStopConditionMet)
      .value("INTERRUPTED", ExplorationStatus::kInterrupted)
      .value("REDUCTION_INVALIDATED", ExplorationStatus::kReductionInvalidated);
  nb::enum_<Combination>(m, "Combination")
      .value("LABELS", Combination::kLabels)
      .value("WEIGHT_PRODUCT", Combination::kWeightProduct)
      .value("WEIGHT_SUM", Combination::kWeightSum)
      .value("REWARDS", Combination::kRewards);
}

}  // namespace

void bind_explorer(nb::module_& m) {
  bind_exceptions(m);
  bind_enums(m);
  nb::class_<Explorer>(m, "Explorer")
      .def(nb::init<std::size_t, std::size_t, std::size_t, bool, std::size_t>(), "slots"_a,
           "components"_a, "reactions"_a, "synchronous"_a, "max_states"_a)
      .def("add_tree", &Explorer::add_tree)
      .def("add_choices",
           [](Explorer& self, const std::vector<RawChoice>& raw) {
             return self.add_choices(to_choices(raw));
           })
      .def("add_writes",
           [](Explorer& self, const RawWrites& raw) { return self.add_writes(to_writes(raw)); })
      .def("check_purity", &Explorer::check_purity)
      .def("read",
           [](const Explorer& self, std::pair<bool, std::size_t> state_ref, Slot slot) {
             checked(state_ref.second, self.num_at(state_ref.first));
             return self.read(StateRef{state_ref.first, state_ref.second},
                              checked(slot, self.slots()));
           })
      .def("add_external_bytes", &Explorer::add_external_bytes)
      .def(
          "explore",
          [](Explorer& self, nb::callable trace, nb::callable combine, nb::object progress,
             std::size_t states, std::size_t bytes, double seconds,
             std::optional<std::size_t> depth, std::optional<TreeId> stop_tree, std::size_t threads,
             std::size_t parallel_threshold) {
            if (stop_tree) checked(*stop_tree, self.num_trees());
            const ExplorerCallbacks callbacks = make_callbacks(trace, combine, progress);
            const nb::gil_scoped_release others_may_run;
            return self.explore(callbacks,
                                Limits{states, bytes, seconds, depth.value_or(Limits::kNoDepth),
                                       stop_tree, threads, parallel_threshold});
          },
          "trace"_a, "combine"_a, "progress"_a.none(), "states"_a, "bytes"_a, "seconds"_a,
          "depth"_a.none(), "stop_tree"_a.none(), "threads"_a,
          "parallel_threshold"_a = Limits::kParallelThreshold)
      .def(
          "enable_reduction",
          [](Explorer& self, std::vector<TreeId> atoms, bool singleton_only, bool deadlock_visible,
             bool lookahead, std::size_t warmup_walks) {
            self.enable_reduction(ReductionOptions{std::move(atoms), singleton_only,
                                                   deadlock_visible, lookahead, warmup_walks});
          },
          "atoms"_a, "singleton_only"_a, "deadlock_visible"_a, "lookahead"_a, "warmup_walks"_a)
      .def("expand_chain",
           [](Explorer& self, nb::callable trace, nb::callable combine, StateId state,
              TreeId component, std::size_t choice, std::size_t outcome) {
             std::vector<std::pair<ObjectId, std::vector<ValueId>>> steps;
             for (auto& step : self.expand_chain(make_callbacks(trace, combine, nb::none()), state,
                                                 component, choice, outcome)) {
               steps.emplace_back(step.component, std::move(step.values));
             }
             return steps;
           })
      .def("evaluate",
           [](Explorer& self, nb::callable trace, nb::callable combine, TreeId tree,
              std::size_t states) {
             checked(tree, self.num_trees());
             checked(states, self.num_states() + 1);
             return to_numpy(
                 self.evaluate(make_callbacks(trace, combine, nb::none()), tree, states));
           })
      .def("column",
           [](const Explorer& self, Slot slot, std::size_t states) {
             return to_numpy(
                 self.column(checked(slot, self.slots()), checked(states, self.num_states() + 1)));
           })
      .def("value",
           [](const Explorer& self, StateId state, Slot slot) {
             return self.value(checked(state, self.num_states()), checked(slot, self.slots()));
           })
      .def_prop_ro("num_states", &Explorer::num_states)
      .def_prop_ro("num_expanded", &Explorer::num_expanded)
      .def_prop_ro("num_states_evaluated", &Explorer::num_states_evaluated)
      .def_prop_ro("num_restarts", &Explorer::num_restarts)
      .def_prop_ro("num_transitions", &Explorer::num_transitions)
      .def_prop_ro("stop_state", &Explorer::stop_state)
      .def_prop_ro("depth", &Explorer::depth)
      .def_prop_ro("state_words", [](const Explorer& self) { return self.layout().words(); })
      .def_prop_ro("state_bits", &Explorer::state_bits)
      .def_prop_ro("state_bytes", &Explorer::state_bytes)
      .def_prop_ro("total_bytes", &Explorer::total_bytes)
      .def(
          "transition_matrix",
          [](const Explorer& self) {
            return TransitionMatrixView{&self.matrix(), self.num_states(), self.num_expanded()};
          },
          nb::keep_alive<0, 1>())
      .def_prop_ro(
          "targets", [](Explorer& self) { return snapshot(self.matrix().all_targets()); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "choice_signatures",
          [](Explorer& self) { return snapshot(self.matrix().choice_signatures()); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "signature_labels",
          [](const Explorer& self) { return signature_column(self, &ChoiceSignature::label); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "signature_rewards",
          [](const Explorer& self) { return signature_column(self, &ChoiceSignature::reward); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "signature_components",
          [](const Explorer& self) { return signature_column(self, &ChoiceSignature::component); },
          nb::rv_policy::automatic)
      .def("signature_weights", [](const Explorer& self, SignatureId signature) {
        const std::span<const ObjectId> weights = self.matrix().signatures().weights(
            checked(signature, self.matrix().signatures().size()));
        return std::vector<ObjectId>(weights.begin(), weights.end());
      });
}

}  // namespace volition
