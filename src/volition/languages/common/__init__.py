"""What every language needs: one module for each thing that languages would otherwise do each in
its own way."""
