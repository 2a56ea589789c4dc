// Python bindings of the graph algorithms.

#include "graph.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "accepting_sccs.hpp"
#include "arrays.hpp"
#include "automaton_product.hpp"
#include "bellman_backup.hpp"
#include "bellman_equations.hpp"
#include "bindings.hpp"
#include "gauss_seidel.hpp"
#include "reachability.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace volition {
namespace {

Graph graph_of(const InputArray<std::int64_t>& offsets, const InputArray<Node>& targets) {
  return {view(offsets), view(targets)};
}

// Returns a timer that checks for Ctrl-C during a long algorithm.
PollTimer interrupt_timer() {
  return PollTimer([] {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  });
}

OutputArray<bool> flags_to_numpy(Flags&& flags) {
  return to_numpy<std::uint8_t, bool>(std::move(flags));
}

}  // namespace

void bind_graph(nb::module_& m) {
  nb::exception<TooManyNodes>(m, "TooManyNodes");

  nb::class_<BackwardGraph>(m, "BackwardGraph");
  nb::class_<EdgeMarks>(m, "EdgeMarks")
      .def(nb::init<>())
      .def("__len__", &EdgeMarks::size)
      .def("__getitem__", [](const EdgeMarks& self, std::size_t edge) {
        if (edge >= self.size()) throw nb::index_error("there is no such edge");
        return self[edge];
      });

  m.def(
      "reversed_graph",
      [](const InputArray<std::int64_t>& offsets, const InputArray<Node>& targets) {
        PollTimer timer = interrupt_timer();
        return reversed(graph_of(offsets, targets), timer);
      },
      "offsets"_a, "targets"_a);
  m.def(
      "reversed_graph",
      [](const TransitionMatrixView& matrix) {
        PollTimer timer = interrupt_timer();
        return reversed(matrix, timer);
      },
      "matrix"_a);

  m.def(
      "exists_next",
      [](const TransitionMatrixView& matrix, const InputArray<bool>& inside) {
        PollTimer timer = interrupt_timer();
        return flags_to_numpy(exists_next(matrix, view(inside), timer));
      },
      "matrix"_a, "inside"_a);
  m.def(
      "exists_next",
      [](const InputArray<std::int64_t>& offsets, const InputArray<Node>& targets,
         const InputArray<bool>& inside) {
        PollTimer timer = interrupt_timer();
        return flags_to_numpy(exists_next(graph_of(offsets, targets), view(inside), timer));
      },
      "offsets"_a, "targets"_a, "inside"_a);

  m.def(
      "exists_until",
      [](const BackwardGraph& backward, const InputArray<bool>& goal,
         const InputArray<bool>& through, std::optional<std::int64_t> steps) {
        PollTimer timer = interrupt_timer();
        return flags_to_numpy(exists_until(backward, view(goal), view(through), steps, timer));
      },
      "backward"_a, "goal"_a, "through"_a, "steps"_a.none());
  m.def(
      "exists_until",
      [](const InputArray<std::int64_t>& offsets, const InputArray<Node>& sources,
         const InputArray<bool>& goal, const InputArray<bool>& through,
         std::optional<std::int64_t> steps) {
        PollTimer timer = interrupt_timer();
        return flags_to_numpy(
            exists_until(graph_of(offsets, sources), view(goal), view(through), steps, timer));
      },
      "backward_offsets"_a, "sources"_a, "goal"_a, "through"_a, "steps"_a.none());

  m.def(
      "exists_globally",
      [](const TransitionMatrixView& matrix, const BackwardGraph& backward,
         const InputArray<bool>& inside) {
        PollTimer timer = interrupt_timer();
        return flags_to_numpy(exists_globally(matrix, backward, view(inside), timer));
      },
      "matrix"_a, "backward"_a, "inside"_a);

  m.def(
      "prob_greater_0_all",
      [](const InputArray<std::int64_t>& first_choice,
         const InputArray<std::int64_t>& first_transition, const InputArray<Node>& targets,
         const InputArray<bool>& choices, const InputArray<bool>& goal,
         const InputArray<bool>& through) {
        PollTimer timer = interrupt_timer();
        const ChoiceGraph graph{view(first_choice), view(first_transition), view(targets)};
        return flags_to_numpy(
            prob_greater_0_all(graph, view(choices), view(goal), view(through), timer));
      },
      "first_choice"_a, "first_transition"_a, "targets"_a, "choices"_a, "goal"_a, "through"_a);

  m.def(
      "accepting_sccs",
      [](const InputArray<std::int64_t>& offsets, const InputArray<Node>& targets,
         const EdgeMarks& marks, const InputArray<bool>& inside, Marks inf_marks,
         const std::vector<std::pair<Marks, Marks>>& pairs) {
        PollTimer timer = interrupt_timer();
        std::vector<StreettPair> streett;
        for (const auto& [request, response] : pairs) streett.push_back({request, response});
        AcceptingSccs result = accepting_sccs(graph_of(offsets, targets), marks, view(inside),
                                              inf_marks, streett, timer);
        return std::tuple{to_numpy(std::move(result.scc_of_node)),
                          to_numpy(std::move(result.required)),
                          to_numpy(std::move(result.forbidden))};
      },
      "offsets"_a, "targets"_a, "marks"_a, "inside"_a, "inf_marks"_a, "pairs"_a);

  m.def(
      "shortest_path",
      [](const InputArray<std::int64_t>& offsets, const InputArray<Node>& targets,
         const EdgeMarks& marks, Node start, const InputArray<bool>& inside,
         const InputArray<bool>& goal, Marks required, Marks forbidden) {
        PollTimer timer = interrupt_timer();
        return shortest_path(graph_of(offsets, targets), marks, start, view(inside), view(goal),
                             required, forbidden, timer);
      },
      "offsets"_a, "targets"_a, "marks"_a, "start"_a, "inside"_a, "goal"_a, "required"_a,
      "forbidden"_a);

  m.def(
      "build_product",
      [](const TransitionMatrixView& matrix, const InputArray<Marks>& choice_marks,
         const InputArray<Node>& letters, std::size_t automaton_states, std::size_t num_letters,
         const InputArray<std::int64_t>& first_edge, const InputArray<Node>& edge_targets,
         const InputArray<Marks>& edge_marks, const InputArray<Node>& start_states,
         const InputArray<Node>& initial, std::size_t max_nodes) {
        PollTimer timer = interrupt_timer();
        const MarkedTransitionMatrix space{matrix, view(choice_marks)};
        const Automaton automaton{automaton_states, num_letters, view(first_edge),
                                  view(edge_targets), view(edge_marks)};
        AutomatonProduct result = build_product(space, view(letters), automaton, view(start_states),
                                                view(initial), max_nodes, timer);
        return std::tuple{snapshot(result.states), snapshot(result.automaton_states),
                          snapshot(result.offsets), snapshot(result.targets),
                          std::move(result.marks)};
      },
      "matrix"_a, "choice_marks"_a, "letters"_a, "automaton_states"_a, "num_letters"_a,
      "first_edge"_a, "edge_targets"_a, "edge_marks"_a, "start_states"_a, "initial"_a,
      "max_nodes"_a);

  m.def(
      "bellman_backup",
      [](const InputArray<std::int64_t>& first_choice,
         const InputArray<std::int64_t>& first_transition, const InputArray<Node>& targets,
         const InputArray<double>& probabilities, const InputArray<double>& values, bool minimise) {
        PollTimer timer = interrupt_timer();
        return to_numpy(bellman_backup(view(first_choice), view(first_transition), view(targets),
                                       view(probabilities), view(values), minimise, timer));
      },
      "first_choice"_a, "first_transition"_a, "targets"_a, "probabilities"_a, "values"_a,
      "minimise"_a);

  m.def(
      "build_bellman_equations",
      [](const InputArray<std::int64_t>& first_choice,
         const InputArray<std::int64_t>& first_transition, const InputArray<Node>& targets,
         const InputArray<double>& probabilities, const InputArray<double>& gains,
         const InputArray<bool>& undecided, const InputArray<bool>& choices,
         const InputArray<bool>& staying, const InputArray<std::int64_t>& component,
         bool staying_allowed) {
        PollTimer timer = interrupt_timer();
        const ChoiceGraph graph{view(first_choice), view(first_transition), view(targets)};
        EquationSystem equations = build_bellman_equations(
            graph, view(probabilities), view(gains), view(undecided), view(choices), view(staying),
            view(component), staying_allowed, timer);
        return nb::make_tuple(
            to_numpy(std::move(equations.block_of_state)),
            to_numpy(std::move(equations.forwarding_choices)),
            to_numpy(std::move(equations.first_row)), to_numpy(std::move(equations.first_entry)),
            to_numpy(std::move(equations.columns)), to_numpy(std::move(equations.weights)),
            to_numpy(std::move(equations.gains)), to_numpy(std::move(equations.choice_of_row)),
            flags_to_numpy(std::move(equations.exits)));
      },
      "first_choice"_a, "first_transition"_a, "targets"_a, "probabilities"_a, "gains"_a,
      "undecided"_a, "choices"_a, "staying"_a, "component"_a, "staying_allowed"_a);

  m.def(
      "solve_gauss_seidel",
      [](const InputArray<std::int64_t>& first_row, const InputArray<std::int64_t>& first_entry,
         const InputArray<Node>& columns, const InputArray<double>& weights,
         const InputArray<double>& gains, const InputArray<double>& values, bool minimise,
         double tolerance, std::size_t max_sweeps) {
        PollTimer timer = interrupt_timer();
        GaussSeidelResult result =
            solve_gauss_seidel(view(first_row), view(first_entry), view(columns), view(weights),
                               view(gains), view(values), minimise, tolerance, max_sweeps, timer);
        return nb::make_tuple(to_numpy(std::move(result.values)), result.converged);
      },
      "first_row"_a, "first_entry"_a, "columns"_a, "weights"_a, "gains"_a, "values"_a, "minimise"_a,
      "tolerance"_a, "max_sweeps"_a);
}

}  // namespace volition
