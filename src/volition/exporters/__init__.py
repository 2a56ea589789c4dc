"""Programs and models as the input of other tools: one module for each tool and language."""
