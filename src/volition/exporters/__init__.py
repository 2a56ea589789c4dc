"""Exporters: they translate programs and state spaces to the input languages of other tools. There
is one package or module per tool."""
