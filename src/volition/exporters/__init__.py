"""Exporters: programs and models as input for other tools, one module per tool and language."""
