"""What reading and writing share: the library, and the words of SGF."""

from __future__ import annotations

from typing import Any

from rulewright.errors import RulewrightError

OPTIONS = "RWOPT"
"""The property of this program for options that SGF has no word for."""
NOTES = "RWNOTE"
"""The property of this program for what another format has told, `kind 2=C`."""
HOW = {"R": "resigned", "T": "time", "F": "forfeit"}
"""How a game ended outside the rules, by the letter behind `B+`."""


def grammar() -> Any:
    """The module `sgf_grammar` of sgfmill, which has no types."""
    try:
        from sgfmill import sgf_grammar
    except ImportError:
        message = "SGF needs the library sgfmill: pip install 'rulewright[sgf]'"
        raise RulewrightError(message) from None
    return sgf_grammar
