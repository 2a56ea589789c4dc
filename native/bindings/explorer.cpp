// The Python face of the explorer.

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
using RawChoice = std::tuple<Id, Id, bool, std::vector<std::pair<Id, RawWrites>>>;

std::vector<Write> to_writes(const RawWrites& raw) {
  std::vector<Write> writes;
  writes.reserve(raw.size());
  for (const auto& [slot, value] : raw) writes.push_back(Write{slot, value});
  return writes;
}

std::vector<Choice> to_choices(const std::vector<RawChoice>& raw) {
  std::vector<Choice> choices;
  choices.reserve(raw.size());
  for (const auto& [label, reward, reacts, outcomes] : raw) {
    Choice choice{label, reward, reacts, {}};
    for (const auto& [weight, writes] : outcomes) choice.outcomes.push_back(Outcome{weight, to_writes(writes)});
    choices.push_back(std::move(choice));
  }
  return choices;
}

// Runs Python on behalf of the explorer; a Ctrl-C in it becomes the explorer's own interruption.
template <typename Call>
auto guarded(Call&& call) {
  const nb::gil_scoped_acquire python;
  try {
    return call();
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_KeyboardInterrupt)) throw Interrupted{};
    throw;
  }
}

Oracle make_oracle(const nb::callable& trace, const nb::callable& combine, const nb::object& progress) {
  return Oracle{
      .trace =
          [trace](TreeId tree, Place place) {
            return guarded([&] { return nb::cast<std::pair<Reads, LeafId>>(trace(tree, std::pair{place.in_scratch, place.index})); });
          },
      .combine = [combine](Combination how, Id a, Id b) { return guarded([&] { return nb::cast<Id>(combine(how, a, b)); }); },
      .pause =
          [progress] {
            guarded([&] {
              if (PyErr_CheckSignals() != 0) throw nb::python_error();
              if (!progress.is_none()) progress();
            });
          },
  };
}

Out<Id> of_kinds(const Explorer& explorer, Id Kind::*what) {
  const Kinds& kinds = explorer.rows().kinds();
  std::vector<Id> values(kinds.size());
  for (std::size_t kind = 0; kind < values.size(); ++kind) values[kind] = kinds[static_cast<KindId>(kind)].*what;
  return give(std::move(values));
}

// Exceptions that carry more than a text, or that are Python's own.
void bind_exceptions(nb::module_& m) {
  nb::exception<ImpureFunction>(m, "ImpureFunction");
  const nb::object conflict = nb::steal(PyErr_NewException("volition.kernel._native.WriteConflict", nullptr, nullptr));
  m.attr("WriteConflict") = conflict;
  nb::register_exception_translator(
      [](const std::exception_ptr& error, void* conflict_type) {
        try {
          std::rethrow_exception(error);
        } catch (const Interrupted&) {
          PyErr_SetNone(PyExc_KeyboardInterrupt);
        } catch (const WriteConflict& both) {
          PyErr_SetObject(static_cast<PyObject*>(conflict_type), nb::make_tuple(both.first, both.second, both.slot).ptr());
        }
      },
      conflict.ptr());
}

void bind_enums(nb::module_& m) {
  nb::enum_<Ended>(m, "Ended")
      .value("COMPLETE", Ended::kComplete)
      .value("STATES", Ended::kStates)
      .value("MEMORY", Ended::kMemory)
      .value("SECONDS", Ended::kSeconds)
      .value("DEPTH", Ended::kDepth)
      .value("HIT", Ended::kHit)
      .value("INTERRUPTED", Ended::kInterrupted)
      .value("OUTDATED", Ended::kOutdated);
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
      .def(nb::init<std::size_t, std::size_t, std::size_t, bool, std::size_t>(), "slots"_a, "components"_a, "reactions"_a, "synchronous"_a,
           "most_states"_a)
      .def("add_tree", &Explorer::add_tree)
      .def("add_choices", [](Explorer& self, const std::vector<RawChoice>& raw) { return self.add_choices(to_choices(raw)); })
      .def("add_writes", [](Explorer& self, const RawWrites& raw) { return self.add_writes(to_writes(raw)); })
      .def("check_purity", &Explorer::check_purity)
      .def("read",
           [](const Explorer& self, std::pair<bool, std::size_t> place, Slot slot) {
             checked(place.second, self.num_at(place.first));
             return self.read(Place{place.first, place.second}, checked(slot, self.slots()));
           })
      .def("add_outside_bytes", &Explorer::add_outside_bytes)
      .def(
          "explore",
          [](Explorer& self, nb::callable trace, nb::callable combine, nb::object progress, std::size_t states, std::size_t bytes, double seconds,
             std::optional<std::size_t> depth, std::optional<TreeId> stop_tree, std::size_t jobs, std::size_t states_before_jobs) {
            if (stop_tree) checked(*stop_tree, self.num_trees());
            const Oracle oracle = make_oracle(trace, combine, progress);
            const nb::gil_scoped_release others_may_run;
            return self.explore(oracle, Limits{states, bytes, seconds, depth.value_or(Limits::kNoDepth), stop_tree, jobs, states_before_jobs});
          },
          "trace"_a, "combine"_a, "progress"_a.none(), "states"_a, "bytes"_a, "seconds"_a, "depth"_a.none(), "stop_tree"_a.none(), "jobs"_a,
          "states_before_jobs"_a = Limits::kManyStates)
      .def(
          "reduce",
          [](Explorer& self, std::vector<TreeId> atoms, bool single, bool deadlock, bool futures, std::size_t scouts) {
            self.reduce(ReductionRules{std::move(atoms), single, deadlock, futures, scouts});
          },
          "atoms"_a, "single"_a, "deadlock"_a, "futures"_a, "scouts"_a)
      .def("steps_within",
           [](Explorer& self, nb::callable trace, nb::callable combine, StateId state, TreeId component, std::size_t choice, std::size_t outcome) {
             std::vector<std::pair<Id, std::vector<ValueId>>> told;
             for (auto& step : self.steps_within(make_oracle(trace, combine, nb::none()), state, component, choice, outcome)) {
               told.emplace_back(step.component, std::move(step.values));
             }
             return told;
           })
      .def("evaluate",
           [](Explorer& self, nb::callable trace, nb::callable combine, TreeId tree, std::size_t states) {
             checked(tree, self.num_trees());
             checked(states, self.num_states() + 1);
             return give(self.evaluate(make_oracle(trace, combine, nb::none()), tree, states));
           })
      .def("column",
           [](const Explorer& self, Slot slot, std::size_t states) {
             return give(self.column(checked(slot, self.slots()), checked(states, self.num_states() + 1)));
           })
      .def("value",
           [](const Explorer& self, StateId state, Slot slot) { return self.value(checked(state, self.num_states()), checked(slot, self.slots())); })
      .def_prop_ro("num_states", &Explorer::num_states)
      .def_prop_ro("num_expanded", &Explorer::num_expanded)
      .def_prop_ro("num_visited", &Explorer::num_visited)
      .def_prop_ro("num_rounds", &Explorer::num_rounds)
      .def_prop_ro("num_transitions", &Explorer::num_transitions)
      .def_prop_ro("hit", &Explorer::hit)
      .def_prop_ro("depth", &Explorer::depth)
      .def_prop_ro("state_words", [](const Explorer& self) { return self.layout().words(); })
      .def_prop_ro("state_bits", &Explorer::state_bits)
      .def_prop_ro("state_bytes", &Explorer::state_bytes)
      .def_prop_ro("total_bytes", &Explorer::total_bytes)
      .def("rows", [](const Explorer& self) { return StateRows{&self.rows(), self.num_states(), self.num_expanded()}; }, nb::keep_alive<0, 1>())
      .def_prop_ro("targets", [](Explorer& self) { return snapshot(self.rows().all_targets()); }, nb::rv_policy::automatic)
      .def_prop_ro("choice_kinds", [](Explorer& self) { return snapshot(self.rows().choice_kinds()); }, nb::rv_policy::automatic)
      .def_prop_ro("kind_labels", [](const Explorer& self) { return of_kinds(self, &Kind::label); }, nb::rv_policy::automatic)
      .def_prop_ro("kind_rewards", [](const Explorer& self) { return of_kinds(self, &Kind::reward); }, nb::rv_policy::automatic)
      .def_prop_ro("kind_components", [](const Explorer& self) { return of_kinds(self, &Kind::component); }, nb::rv_policy::automatic)
      .def("kind_weights", [](const Explorer& self, KindId kind) {
        const std::span<const Id> weights = self.rows().kinds().weights(checked(kind, self.rows().kinds().size()));
        return std::vector<Id>(weights.begin(), weights.end());
      });
}

}  // namespace volition
