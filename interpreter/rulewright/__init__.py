"""Write a board game's rules as text and play them.

>>> import rulewright
>>> state = rulewright.load("tictactoe").start().play("b2 a1")
>>> state.mover, len(state.moves)
('cross', 7)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulewright import errors

if TYPE_CHECKING:
    from rulewright.engine.game import Game, State
    from rulewright.engine.interpreted import Result
    from rulewright.engine.moves import Move, Moves
    from rulewright.files.games import check, load, loads
    from rulewright.files.kinds import Report
    from rulewright.language.diagnostics import Diagnostic, TextError
    from rulewright.matches.api import match, tournament
    from rulewright.matches.game_files import read_game, write_game
    from rulewright.players.analyze import analyze
    from rulewright.players.explain import Explanation, explain
    from rulewright.players.pattern_use import Proposals, patterns
    from rulewright.players.personality import Personality
    from rulewright.protocols.recorded import Recorded
    from rulewright.search.best import search
    from rulewright.search.results import SearchResult, Solved
    from rulewright.search.solve import solve
    from rulewright.studio.notebook import board

__version__ = "0.1.0"
__all__ = [
    "Diagnostic",
    "Explanation",
    "Game",
    "Move",
    "Moves",
    "Personality",
    "Proposals",
    "Recorded",
    "Report",
    "Result",
    "SearchResult",
    "Solved",
    "State",
    "TextError",
    "__version__",
    "analyze",
    "board",
    "check",
    "errors",
    "explain",
    "load",
    "loads",
    "match",
    "patterns",
    "read_game",
    "search",
    "solve",
    "tournament",
    "write_game",
]

_HOMES = {
    "board": "rulewright.studio.notebook",
    "Diagnostic": "rulewright.language.diagnostics",
    "TextError": "rulewright.language.diagnostics",
    "Game": "rulewright.engine.game",
    "Move": "rulewright.engine.moves",
    "Moves": "rulewright.engine.moves",
    "Result": "rulewright.engine.interpreted",
    "State": "rulewright.engine.game",
    "Explanation": "rulewright.players.explain",
    "Personality": "rulewright.players.personality",
    "explain": "rulewright.players.explain",
    "Proposals": "rulewright.players.pattern_use",
    "patterns": "rulewright.players.pattern_use",
    "Report": "rulewright.files.games",
    "check": "rulewright.files.games",
    "load": "rulewright.files.games",
    "loads": "rulewright.files.games",
    "match": "rulewright.matches.api",
    "tournament": "rulewright.matches.api",
    "Recorded": "rulewright.protocols.recorded",
    "read_game": "rulewright.matches.game_files",
    "write_game": "rulewright.matches.game_files",
    "analyze": "rulewright.players.analyze",
    "SearchResult": "rulewright.search.results",
    "Solved": "rulewright.search.results",
    "solve": "rulewright.search.solve",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    """Import what is asked for when it is asked for: `import rulewright` alone costs nothing."""
    from importlib import import_module

    if name == "search":  # a package that can be called
        return import_module("rulewright.search")
    if name not in _HOMES:
        raise AttributeError(f"module 'rulewright' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
