#include "accepting_sccs.hpp"

#include "scc.hpp"

namespace volition {

AcceptingSccs accepting_sccs(const Graph& graph, const EdgeMarks& marks,
                             std::span<const bool> inside, Marks inf_marks,
                             const std::vector<StreettPair>& pairs, PollTimer& timer) {
  struct Work {
    std::vector<Node> nodes;
    Marks forbidden;
  };
  AcceptingSccs result{std::vector<Node>(graph.size(), kNone), {}, {}};
  SccFinder finder(graph, marks, timer);
  std::vector<Work> waiting(1);
  waiting[0].forbidden = 0;
  for (std::size_t node = 0; node < graph.size(); ++node) {
    if (inside[node]) waiting[0].nodes.push_back(static_cast<Node>(node));
  }

  while (!waiting.empty()) {
    const Work work = std::move(waiting.back());
    waiting.pop_back();
    finder.find(work.nodes, work.forbidden,
                [&](const std::vector<Node>& scc, bool has_edges, Marks seen) {
                  if (!has_edges || (seen & inf_marks) != inf_marks) return;
                  Marks unanswered = 0;
                  Marks answered = 0;
                  for (const StreettPair& pair : pairs) {
                    if ((seen & pair.response) != 0) {
                      answered |= seen & pair.response;
                    } else {
                      unanswered |= seen & pair.request;
                    }
                  }
                  if (unanswered != 0) {
                    // This SCC violates some Streett pairs: it has edges marked `request` of the
                    // pair, but none marked `response`. The marks of these edges are forbidden and
                    // the SCC is searched again, because smaller SCCs without these edges may
                    // satisfy all pairs.
                    waiting.push_back({scc, work.forbidden | unanswered});
                    return;
                  }
                  const Node id = static_cast<Node>(result.required.size());
                  for (const Node node : scc) result.scc_of_node[node] = id;
                  result.required.push_back(inf_marks | answered);
                  result.forbidden.push_back(work.forbidden);
                });
  }
  return result;
}

}  // namespace volition
