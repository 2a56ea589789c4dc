// Functions that add the parts of the native Python module. Each is defined in a separate source
// file.
#pragma once

#include <nanobind/nanobind.h>

namespace volition {

void bind_explorer(nanobind::module_& m);
void bind_graph(nanobind::module_& m);
void bind_transition_matrix(nanobind::module_& m);
void bind_object_sizes(nanobind::module_& m);
void bind_sampling(nanobind::module_& m);
void bind_snapshot(nanobind::module_& m);

}  // namespace volition
