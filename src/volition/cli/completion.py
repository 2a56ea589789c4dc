"""``volition completion``: print the completion script for a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from volition.cli.program import main

__all__ = ["command"]


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script for a shell: bash, zsh or fish.

    \b
    Examples:
      volition completion bash > ~/.local/share/bash-completion/completions/volition
      volition completion fish > ~/.config/fish/completions/volition.fish
      eval "$(volition completion zsh)"
    """
    completion = get_completion_class(shell)
    assert completion is not None, "click supports every shell that the argument accepts"
    click.echo(completion(main, {}, "volition", "_VOLITION_COMPLETE").source())
