// The Python face of the sampler.

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
// Its key, label, reward, whether reactions follow, and the outcomes, each with the sum of probabilities up to it.
using RawChoice = std::tuple<std::uint64_t, Id, double, bool, std::vector<std::pair<double, RawWrites>>>;
using RawProposition = std::pair<std::vector<TreeId>, bool>;

std::vector<Write> to_writes(const RawWrites& raw) {
  std::vector<Write> writes;
  writes.reserve(raw.size());
  for (const auto& [slot, value] : raw) writes.push_back(Write{slot, value});
  return writes;
}

std::vector<ChanceChoice> to_choices(const std::vector<RawChoice>& raw) {
  std::vector<ChanceChoice> choices;
  choices.reserve(raw.size());
  for (const auto& [key, label, reward, reacts, outcomes] : raw) {
    ChanceChoice choice{key, label, reward, reacts, {}};
    for (const auto& [up_to, writes] : outcomes) choice.outcomes.push_back(ChanceOutcome{up_to, to_writes(writes)});
    choices.push_back(std::move(choice));
  }
  return choices;
}

// Runs Python on behalf of the sampler; a Ctrl-C in it ends the series.
template <typename Call>
auto guarded(Call&& call) {
  try {
    return call();
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_KeyboardInterrupt)) throw Interrupted{};
    throw;
  }
}

}  // namespace

void bind_sampling(nb::module_& m) {
  nb::enum_<Earning>(m, "Earning")
      .value("NOTHING", Earning::kNothing)
      .value("UNTIL_MET", Earning::kUntilMet)
      .value("STEPS", Earning::kSteps)
      .value("AT_LAST_STATE", Earning::kAtLastState)
      .value("TOTAL", Earning::kTotal);
  nb::enum_<Choosing>(m, "Choosing")
      .value("NOBODY", Choosing::kNobody)
      .value("UNIFORM", Choosing::kUniform)
      .value("BY_KEYS", Choosing::kByKeys);
  nb::class_<Sampler>(m, "Sampler")
      .def(nb::init<std::size_t, std::size_t, std::size_t, bool>(), "slots"_a, "components"_a, "reactions"_a, "synchronous"_a)
      .def("add_tree", &Sampler::add_tree)
      .def("add_choices", [](Sampler& self, const std::vector<RawChoice>& raw) { return self.add_choices(to_choices(raw)); })
      .def("add_writes", [](Sampler& self, const RawWrites& raw) { return self.add_writes(to_writes(raw)); })
      .def("set_key", &Sampler::set_key)
      .def("read", &Sampler::read)
      .def(
          "ask",
          [](Sampler& self, const std::vector<RawProposition>& propositions, std::optional<unsigned> terminal_bit, bool monitored, Earning earning,
             std::optional<TreeId> state_reward) {
            RunQuestion question{{}, terminal_bit, monitored, earning, state_reward};
            for (const auto& [trees, negated] : propositions) question.propositions.push_back({trees, negated});
            self.ask(std::move(question));
          },
          "propositions"_a, "terminal_bit"_a.none(), "monitored"_a, "earning"_a, "state_reward"_a.none())
      .def(
          "sample",
          [](Sampler& self, nb::callable trace, nb::callable follow, nb::callable settle, nb::callable amount, nb::callable pause,
             std::uint64_t seed, std::uint64_t stream, std::uint64_t first_run, std::size_t runs, std::uint64_t most_steps, Choosing choosing,
             std::uint64_t scheduler) {
            const SamplingOracle oracle{
                .trace = [&](TreeId tree) { return guarded([&] { return nb::cast<std::pair<Reads, LeafId>>(trace(tree)); }); },
                .follow = [&](Mode mode, Letter letter) { return guarded([&] { return nb::cast<Mode>(follow(mode, letter)); }); },
                .settle = [&](Mode mode, const std::vector<Letter>& letters) {
                  return guarded([&] { return nb::cast<bool>(settle(mode, letters)); });
                },
                .amount = [&](LeafId leaf) { return guarded([&] { return nb::cast<double>(amount(leaf)); }); },
                .pause =
                    [&] {
                      guarded([&] {
                        if (PyErr_CheckSignals() != 0) throw nb::python_error();
                        if (nb::cast<bool>(pause())) throw Interrupted{};
                      });
                    },
            };
            SampledRuns made = self.sample(oracle, Series{seed, stream, first_run, runs, most_steps, choosing, scheduler});
            return std::tuple{give(std::move(made.ends)), give(std::move(made.earned)), give(std::move(made.steps))};
          },
          "trace"_a, "follow"_a, "settle"_a, "amount"_a, "pause"_a, "seed"_a, "stream"_a, "first_run"_a, "runs"_a, "most_steps"_a, "choosing"_a,
          "scheduler"_a)
      .def_prop_ro("labels", &Sampler::labels);
}

}  // namespace volition
