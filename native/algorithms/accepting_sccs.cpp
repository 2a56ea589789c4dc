#include "accepting_sccs.hpp"

#include "scc.hpp"

namespace volition {

AcceptingParts accepting_parts(const Graph& graph, const EdgeMarks& marks, std::span<const bool> inside, Marks always,
                               const std::vector<StreettPair>& pairs, Patience& patience) {
  struct Work {
    std::vector<Node> nodes;
    Marks forbidden;
  };
  AcceptingParts result{std::vector<Node>(graph.size(), kNone), {}, {}};
  Components search(graph, marks, patience);
  std::vector<Work> waiting(1);
  waiting[0].forbidden = 0;
  for (std::size_t node = 0; node < graph.size(); ++node) {
    if (inside[node]) waiting[0].nodes.push_back(static_cast<Node>(node));
  }

  while (!waiting.empty()) {
    const Work work = std::move(waiting.back());
    waiting.pop_back();
    search.run(work.nodes, work.forbidden, [&](const std::vector<Node>& component, bool has_edges, Marks seen) {
      if (!has_edges || (seen & always) != always) return;
      Marks broken = 0;
      Marks obeyed = 0;
      for (const StreettPair& pair : pairs) {
        if ((seen & pair.then) != 0) {
          obeyed |= seen & pair.then;
        } else {
          broken |= seen & pair.when;
        }
      }
      if (broken != 0) {
        // Without the edges that break a pair, smaller components may remain that obey it.
        waiting.push_back({component, work.forbidden | broken});
        return;
      }
      const Node part = static_cast<Node>(result.required.size());
      for (const Node node : component) result.part[node] = part;
      result.required.push_back(always | obeyed);
      result.forbidden.push_back(work.forbidden);
    });
  }
  return result;
}

}  // namespace volition
