// The Python face of the native kernel: private to volition.kernel.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>

#include "explorer.hpp"
#include "graph.hpp"
#include "object_sizes.hpp"

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
  try {
    return call();
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_KeyboardInterrupt)) throw Interrupted{};
    throw;
  }
}

Oracle make_oracle(const nb::callable& trace, const nb::callable& combine, const nb::callable& progress) {
  return Oracle{
      .trace =
          [trace](TreeId tree, Place place) {
            return guarded([&] { return nb::cast<std::pair<Reads, LeafId>>(trace(tree, std::pair{place.in_scratch, place.index})); });
          },
      .combine = [combine](Combination how, Id a, Id b) { return guarded([&] { return nb::cast<Id>(combine(static_cast<int>(how), a, b)); }); },
      .pause =
          [progress] {
            guarded([&] {
              if (PyErr_CheckSignals() != 0) throw nb::python_error();
              if (!progress.is_none()) progress();
            });
          },
  };
}

// The explorer's own memory as a read-only numpy array that keeps the explorer alive.
template <typename T>
nb::ndarray<nb::numpy, const T, nb::ndim<1>> shared(nb::handle owner, const GrowingArray<T>& array) {
  return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(array.data(), {array.size()}, owner);
}

nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<1>> owned(std::unique_ptr<std::uint32_t[]> values, std::size_t size) {
  std::uint32_t* data = values.release();
  nb::capsule owner(data, [](void* memory) noexcept { delete[] static_cast<std::uint32_t*>(memory); });
  return nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<1>>(data, {size}, owner);
}

template <auto Member>
auto array_property() {
  return [](nb::handle self) { return shared(self, (nb::cast<const Explorer&>(self).*Member)()); };
}

}  // namespace

NB_MODULE(_native, m) {
  nb::exception<ImpureFunction>(m, "ImpureFunction");
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const Interrupted&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });

  nb::class_<Explorer>(m, "Explorer")
      .def(nb::init<std::size_t, std::size_t, std::size_t, bool>(), "slots"_a, "components"_a, "reactions"_a, "synchronous"_a)
      .def("add_tree", &Explorer::add_tree)
      .def("add_choices", [](Explorer& self, const std::vector<RawChoice>& raw) { return self.add_choices(to_choices(raw)); })
      .def("add_writes", [](Explorer& self, const RawWrites& raw) { return self.add_writes(to_writes(raw)); })
      .def("check_purity", &Explorer::check_purity)
      .def("stop_when", &Explorer::stop_when)
      .def("read",
           [](const Explorer& self, std::pair<bool, std::size_t> place, Slot slot) { return self.read(Place{place.first, place.second}, slot); })
      .def("add_outside_bytes", &Explorer::add_outside_bytes)
      .def(
          "explore",
          [](Explorer& self, nb::callable trace, nb::callable combine, nb::object progress, std::size_t states, std::size_t bytes, double seconds)
              -> std::tuple<int, std::optional<std::tuple<TreeId, TreeId, Slot>>> {
            try {
              const Ended ended = self.explore(make_oracle(trace, combine, nb::borrow<nb::callable>(progress)), Limits{states, bytes, seconds});
              return {static_cast<int>(ended), std::nullopt};
            } catch (const WriteConflict& conflict) {
              return {-1, std::tuple{conflict.first, conflict.second, conflict.slot}};
            }
          },
          "trace"_a, "combine"_a, "progress"_a.none(), "states"_a, "bytes"_a, "seconds"_a)
      .def("evaluate",
           [](Explorer& self, nb::callable trace, nb::callable combine, TreeId tree) {
             auto leaves = std::make_unique<std::uint32_t[]>(self.num_states());
             self.evaluate(make_oracle(trace, combine, nb::borrow<nb::callable>(nb::none())), tree, leaves.get());
             return owned(std::move(leaves), self.num_states());
           })
      .def("column",
           [](const Explorer& self, Slot slot) {
             auto values = std::make_unique<std::uint32_t[]>(self.num_states());
             for (std::size_t i = 0; i < self.num_states(); ++i) values[i] = self.value(static_cast<StateId>(i), slot);
             return owned(std::move(values), self.num_states());
           })
      .def("value", &Explorer::value)
      .def_prop_ro("num_states", &Explorer::num_states)
      .def_prop_ro("num_expanded", &Explorer::num_expanded)
      .def_prop_ro("num_choices", &Explorer::num_choices)
      .def_prop_ro("num_transitions", &Explorer::num_transitions)
      .def_prop_ro("hit", &Explorer::hit)
      .def_prop_ro("state_bits", &Explorer::state_bits)
      .def_prop_ro("state_bytes", &Explorer::state_bytes)
      .def_prop_ro("total_bytes", &Explorer::total_bytes)
      .def_prop_ro("first_choice", array_property<&Explorer::first_choice>())
      .def_prop_ro("first_transition", array_property<&Explorer::first_transition>())
      .def_prop_ro("targets", array_property<&Explorer::targets>())
      .def_prop_ro("weights", array_property<&Explorer::weights>())
      .def_prop_ro("labels", array_property<&Explorer::labels>())
      .def_prop_ro("rewards", array_property<&Explorer::rewards>())
      .def_prop_ro("components", array_property<&Explorer::components>());

  nb::class_<ObjectSizes>(m, "ObjectSizes")
      .def(nb::init<>())
      .def("add", &ObjectSizes::add, "thing"_a.none())
      .def_prop_ro("found_nan", &ObjectSizes::found_nan);

  bind_graph(m);
}

}  // namespace volition
