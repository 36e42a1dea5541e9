"""`python -m rulewright`, and what the command `rulewright` runs.

An interruption while everything is loaded ends the process as it ends any other, without a word;
the command line then takes Ctrl-C into its own hands.
"""

from __future__ import annotations

import signal
from typing import NoReturn


def run() -> NoReturn:
    """Load the command line and be it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else somebody ignores it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from rulewright.app.cli import run as command  # noqa: PLC0415  (an interruption may come now)

    command()


if __name__ == "__main__":
    run()
