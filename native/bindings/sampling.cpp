// Python bindings of the sampler.

#include "sampling.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace volition {
namespace {

using RawWrites = std::vector<std::pair<Slot, ValueId>>;
// Choice as Python passes it: stable hash, label, reward, whether it triggers reactions, and
// outcomes with cumulative probabilities.
using RawChoice =
    std::tuple<std::uint64_t, ObjectId, double, bool, std::vector<std::pair<double, RawWrites>>>;
using RawProposition = std::pair<std::vector<TreeId>, bool>;

std::vector<Write> to_writes(const RawWrites& raw) {
  std::vector<Write> writes;
  writes.reserve(raw.size());
  for (const auto& [slot, value] : raw) writes.push_back(Write{slot, value});
  return writes;
}

std::vector<SampledChoice> to_choices(const std::vector<RawChoice>& raw) {
  std::vector<SampledChoice> choices;
  choices.reserve(raw.size());
  for (const auto& [stable_hash, label, reward, triggers_reactions, outcomes] : raw) {
    SampledChoice choice{stable_hash, label, reward, triggers_reactions, {}};
    for (const auto& [cumulative_probability, writes] : outcomes) {
      choice.outcomes.push_back(SampledOutcome{cumulative_probability, to_writes(writes)});
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

// Calls Python. A KeyboardInterrupt becomes Interrupted, which ends the batch.
template <typename Call>
auto call_python(Call&& call) {
  try {
    return call();
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_KeyboardInterrupt)) throw Interrupted{};
    throw;
  }
}

}  // namespace

void bind_sampling(nb::module_& m) {
  nb::enum_<RewardMode>(m, "RewardMode")
      .value("NONE", RewardMode::kNone)
      .value("UNTIL_ACCEPTED", RewardMode::kUntilAccepted)
      .value("CUMULATIVE", RewardMode::kCumulative)
      .value("INSTANTANEOUS", RewardMode::kInstantaneous)
      .value("TOTAL", RewardMode::kTotal);
  nb::enum_<SchedulerKind>(m, "SchedulerKind")
      .value("STOP_AT_CHOICE", SchedulerKind::kStopAtChoice)
      .value("UNIFORM", SchedulerKind::kUniform)
      .value("HASHED", SchedulerKind::kHashed);
  nb::class_<Sampler>(m, "Sampler")
      .def(nb::init<std::size_t, std::size_t, std::size_t, bool>(), "slots"_a, "components"_a,
           "reactions"_a, "synchronous"_a)
      .def("add_tree", &Sampler::add_tree)
      .def("add_choices",
           [](Sampler& self, const std::vector<RawChoice>& raw) {
             return self.add_choices(to_choices(raw));
           })
      .def("add_writes",
           [](Sampler& self, const RawWrites& raw) { return self.add_writes(to_writes(raw)); })
      .def("set_value_hash", &Sampler::set_value_hash)
      .def("read", &Sampler::read)
      .def(
          "set_property",
          [](Sampler& self, const std::vector<RawProposition>& propositions,
             std::optional<unsigned> terminal_bit, bool monitored, RewardMode reward_mode,
             std::optional<TreeId> state_reward) {
            RunProperty property{{}, terminal_bit, monitored, reward_mode, state_reward};
            for (const auto& [trees, negated] : propositions) {
              property.propositions.push_back({trees, negated});
            }
            self.set_property(std::move(property));
          },
          "propositions"_a, "terminal_bit"_a.none(), "monitored"_a, "reward_mode"_a,
          "state_reward"_a.none())
      .def(
          "sample",
          [](Sampler& self, nb::callable trace, nb::callable monitor_step,
             nb::callable accepts_loop, nb::callable state_reward_value, nb::callable poll,
             std::uint64_t seed, std::uint64_t stream, std::uint64_t first_run, std::size_t runs,
             std::uint64_t max_steps, SchedulerKind scheduler_kind, std::uint64_t scheduler) {
            const SamplerCallbacks callbacks{
                .trace =
                    [&](TreeId tree) {
                      return call_python(
                          [&] { return nb::cast<std::pair<Reads, LeafId>>(trace(tree)); });
                    },
                .monitor_step =
                    [&](MonitorState monitor_state, Letter letter) {
                      return call_python([&] {
                        return nb::cast<MonitorState>(monitor_step(monitor_state, letter));
                      });
                    },
                .accepts_loop =
                    [&](MonitorState monitor_state, const std::vector<Letter>& letters) {
                      return call_python(
                          [&] { return nb::cast<bool>(accepts_loop(monitor_state, letters)); });
                    },
                .state_reward_value =
                    [&](LeafId leaf) {
                      return call_python(
                          [&] { return nb::cast<double>(state_reward_value(leaf)); });
                    },
                .poll =
                    [&] {
                      call_python([&] {
                        if (PyErr_CheckSignals() != 0) throw nb::python_error();
                        if (nb::cast<bool>(poll())) throw Interrupted{};
                      });
                    },
            };
            SampledRuns runs_made = self.sample(
                callbacks,
                RunBatch{seed, stream, first_run, runs, max_steps, scheduler_kind, scheduler});
            return std::tuple{to_numpy(std::move(runs_made.outcomes)),
                              to_numpy(std::move(runs_made.rewards)),
                              to_numpy(std::move(runs_made.steps))};
          },
          "trace"_a, "monitor_step"_a, "accepts_loop"_a, "state_reward_value"_a, "poll"_a, "seed"_a,
          "stream"_a, "first_run"_a, "runs"_a, "max_steps"_a, "scheduler_kind"_a, "scheduler"_a)
      .def_prop_ro("labels", &Sampler::labels);
}

}  // namespace volition
