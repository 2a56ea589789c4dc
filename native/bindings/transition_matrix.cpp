// Python bindings of the transition matrix: access by state or choice, and whole arrays on request.

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

// Calls `call` with each choice and its signature id, in order.
template <typename Call>
void for_each_choice(const TransitionMatrixView& self, Call&& call) {
  for (std::size_t choice = 0; choice < self.num_choices(); ++choice) {
    call(choice, self.matrix->signature_id(choice));
  }
}

Numbers first_choices(const TransitionMatrixView& self) {
  Numbers result(self.states + 1);
  for (std::size_t state = 0; state <= self.states; ++state) {
    result[state] = static_cast<std::int64_t>(self.first_choice(state));
  }
  return result;
}

Numbers first_transitions(const TransitionMatrixView& self) {
  Numbers result(self.num_choices() + 1);
  for_each_choice(self, [&](std::size_t choice, SignatureId signature) {
    result[choice + 1] = result[choice] + self.matrix->signatures()[signature].transitions;
  });
  return result;
}

std::vector<ObjectId> weights(const TransitionMatrixView& self) {
  std::vector<ObjectId> result;
  result.reserve(self.num_transitions());
  for_each_choice(self, [&](std::size_t, SignatureId signature) {
    const std::span<const ObjectId> each = self.matrix->signatures().weights(signature);
    result.insert(result.end(), each.begin(), each.end());
  });
  return result;
}

std::vector<SignatureId> first_signatures(const TransitionMatrixView& self) {
  std::vector<SignatureId> result(self.expanded);
  for (std::size_t state = 0; state < self.expanded; ++state) {
    result[state] = self.matrix->signature_id(self.first_choice(state));
  }
  return result;
}

// Returns the choice through which each state was found first (its parent in the breadth-first
// tree); -1 for the initial state.
Numbers parent_choices(const TransitionMatrixView& self) {
  Numbers result(self.states, -1);
  for (std::size_t state = 0; state < self.expanded; ++state) {
    const StateId* target = self.successors(state).data();
    for (std::size_t choice = self.first_choice(state); choice < self.first_choice(state + 1);
         ++choice) {
      for (std::uint32_t left = self.matrix->signature_of(choice).transitions; left > 0;
           --left, ++target) {
        if (*target != 0 && result[*target] < 0) {
          result[*target] = static_cast<std::int64_t>(choice);
        }
      }
    }
  }
  return result;
}

}  // namespace

void bind_transition_matrix(nb::module_& m) {
  nb::class_<TransitionMatrixView>(m, "TransitionMatrix")
      .def_ro("num_states", &TransitionMatrixView::states)
      .def_ro("num_expanded", &TransitionMatrixView::expanded)
      .def_prop_ro("num_choices", &TransitionMatrixView::num_choices)
      .def_prop_ro("num_transitions", &TransitionMatrixView::num_transitions)
      .def("choices_of",
           [](const TransitionMatrixView& self, std::size_t state) {
             checked(state, self.states);
             return std::pair{self.first_choice(state), self.first_choice(state + 1)};
           })
      .def("transitions_of",
           [](const TransitionMatrixView& self, std::size_t choice) {
             return self.matrix->transitions_of(checked(choice, self.num_choices()));
           })
      .def("state_of",
           [](const TransitionMatrixView& self, std::size_t choice) {
             return self.matrix->state_of(checked(choice, self.num_choices()));
           })
      .def("first_choices",
           [](const TransitionMatrixView& self) {
             return to_numpy<std::int64_t, const std::int64_t>(first_choices(self));
           })
      .def("first_transitions",
           [](const TransitionMatrixView& self) {
             return to_numpy<std::int64_t, const std::int64_t>(first_transitions(self));
           })
      .def("weights",
           [](const TransitionMatrixView& self) {
             return to_numpy<ObjectId, const ObjectId>(weights(self));
           })
      .def("first_signatures",
           [](const TransitionMatrixView& self) { return to_numpy(first_signatures(self)); })
      .def("parent_choices", [](const TransitionMatrixView& self) {
        return to_numpy<std::int64_t, const std::int64_t>(parent_choices(self));
      });
}

}  // namespace volition
