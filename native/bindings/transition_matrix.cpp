// The rows of a state space for Python: one state or choice at a time as they are, and whole arrays where somebody asks for them.

#include "transition_matrix.hpp"

#include <nanobind/stl/pair.h>

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace volition {
namespace {

using Numbers = std::vector<std::int64_t>;

// Calls with each choice and its kind, in order.
template <typename Call>
void for_each_choice(const StateRows& self, Call&& call) {
  for (std::size_t choice = 0; choice < self.num_choices(); ++choice) call(choice, self.rows->choice_kind(choice));
}

Numbers first_choices(const StateRows& self) {
  Numbers result(self.states + 1);
  for (std::size_t state = 0; state <= self.states; ++state) result[state] = static_cast<std::int64_t>(self.first_choice(state));
  return result;
}

Numbers first_transitions(const StateRows& self) {
  Numbers result(self.num_choices() + 1);
  for_each_choice(self, [&](std::size_t choice, KindId kind) { result[choice + 1] = result[choice] + self.rows->kinds()[kind].transitions; });
  return result;
}

std::vector<Id> weights(const StateRows& self) {
  std::vector<Id> result;
  result.reserve(self.num_transitions());
  for_each_choice(self, [&](std::size_t, KindId kind) {
    const std::span<const Id> each = self.rows->kinds().weights(kind);
    result.insert(result.end(), each.begin(), each.end());
  });
  return result;
}

std::vector<KindId> first_kinds(const StateRows& self) {
  std::vector<KindId> result(self.expanded);
  for (std::size_t state = 0; state < self.expanded; ++state) result[state] = self.rows->choice_kind(self.first_choice(state));
  return result;
}

// Of each state the choice that led to it first, -1 for the initial one.
Numbers discoverers(const StateRows& self) {
  Numbers result(self.states, -1);
  for (std::size_t state = 0; state < self.expanded; ++state) {
    const StateId* target = self.successors(state).data();
    for (std::size_t choice = self.first_choice(state); choice < self.first_choice(state + 1); ++choice) {
      for (std::uint32_t left = self.rows->kind_of(choice).transitions; left > 0; --left, ++target) {
        if (*target != 0 && result[*target] < 0) result[*target] = static_cast<std::int64_t>(choice);
      }
    }
  }
  return result;
}

}  // namespace

void bind_rows(nb::module_& m) {
  nb::class_<StateRows>(m, "StateRows")
      .def_ro("num_states", &StateRows::states)
      .def_ro("num_expanded", &StateRows::expanded)
      .def_prop_ro("num_choices", &StateRows::num_choices)
      .def_prop_ro("num_transitions", &StateRows::num_transitions)
      .def("choices_of",
           [](const StateRows& self, std::size_t state) {
             checked(state, self.states);
             return std::pair{self.first_choice(state), self.first_choice(state + 1)};
           })
      .def("transitions_of", [](const StateRows& self, std::size_t choice) { return self.rows->transitions_of(checked(choice, self.num_choices())); })
      .def("state_of", [](const StateRows& self, std::size_t choice) { return self.rows->state_of(checked(choice, self.num_choices())); })
      .def("first_choices", [](const StateRows& self) { return give<std::int64_t, const std::int64_t>(first_choices(self)); })
      .def("first_transitions", [](const StateRows& self) { return give<std::int64_t, const std::int64_t>(first_transitions(self)); })
      .def("weights", [](const StateRows& self) { return give<Id, const Id>(weights(self)); })
      .def("first_kinds", [](const StateRows& self) { return give(first_kinds(self)); })
      .def("discoverers", [](const StateRows& self) { return give<std::int64_t, const std::int64_t>(discoverers(self)); });
}

}  // namespace volition
