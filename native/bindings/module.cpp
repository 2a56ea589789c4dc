// Definition of the native kernel as a Python module, private to the package volition.kernel.

#include "bindings.hpp"

NB_MODULE(_native, m) {
  volition::bind_explorer(m);
  volition::bind_transition_matrix(m);
  volition::bind_graph(m);
  volition::bind_object_sizes(m);
  volition::bind_sampling(m);
  volition::bind_snapshot(m);
}
