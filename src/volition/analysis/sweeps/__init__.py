"""Parameter sweeps: values over grids of parameters, closed forms, and robust bounds."""
