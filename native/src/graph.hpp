// Graph algorithms on the arrays of a state space.
#pragma once

#include <nanobind/nanobind.h>

namespace volition {

void bind_graph(nanobind::module_& m);

}  // namespace volition
