"""`rulewright show`."""

from __future__ import annotations

from argparse import Namespace

from rulewright.cli.common import load_state, write_text


def run(arguments: Namespace) -> int:
    """Print the position, or write it as SVG."""
    state = load_state(arguments)
    if arguments.svg is not None:
        write_text(arguments.svg, state.svg())
        return 0
    print(state.text(), end="")
    if state.result:
        print(f"# {state.result}")
    return 0
