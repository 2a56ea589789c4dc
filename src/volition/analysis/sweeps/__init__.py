"""Parameter sweeps: values of formulas over grids of parameter values, closed forms (values as
functions of the parameters), and robust bounds (over all parameter values in a box)."""
