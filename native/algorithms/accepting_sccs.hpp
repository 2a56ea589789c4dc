// Accepting strongly connected components under strong fairness.
//
// Literature: Tarjan (1972) for strongly connected components; Emerson and Lei, "Modalities for
// model checking" (1987) for their refinement under strong fairness.
#pragma once

#include <span>
#include <vector>

#include "edge_marks.hpp"
#include "graph.hpp"
#include "poll_timer.hpp"

namespace volition {

// Streett pair: infinitely many edges marked `request` imply infinitely many edges marked
// `response`.
struct StreettPair {
  Marks request;
  Marks response;
};

// Strongly connected components (SCCs) in which a run can stay forever and be accepted.
struct AcceptingSccs {
  std::vector<Node> scc_of_node;  // per node; kNone outside
  std::vector<Marks> required;    // per SCC: marks that an accepted loop collects
  std::vector<Marks> forbidden;   // per SCC: edges with one of these marks are not used
};

// Returns the accepting SCCs within the nodes of `inside`. A run is accepted if it sees each mark
// of `inf_marks` infinitely often and satisfies every Streett pair of `pairs`.
AcceptingSccs accepting_sccs(const Graph& graph, const EdgeMarks& marks,
                             std::span<const bool> inside, Marks inf_marks,
                             const std::vector<StreettPair>& pairs, PollTimer& timer);

}  // namespace volition
