#include "graph.hpp"

namespace volition {

void bind_graph(nanobind::module_&) {}

}  // namespace volition
