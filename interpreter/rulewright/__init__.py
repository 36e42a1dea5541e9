"""Write a board game's rules as text and play them.

>>> import rulewright
>>> state = rulewright.load("tictactoe").start().play("b2 a1")
>>> state.mover, len(state.moves)
('cross', 7)
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rulewright import errors

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from rulewright.app.cli.schemas import schemas
    from rulewright.app.studio.notebook import board
    from rulewright.games.engine.game import Game, State
    from rulewright.games.engine.interpreted import Result
    from rulewright.games.engine.moves import Move, Moves
    from rulewright.games.files.games import check, load, loads
    from rulewright.games.files.kinds import Report
    from rulewright.language.diagnostics import Diagnostic, TextError
    from rulewright.learning.batch import Batch
    from rulewright.learning.devices import batch
    from rulewright.matches.api import match, tournament
    from rulewright.matches.game_files import read, read_game, write_game
    from rulewright.matches.protocols.recorded import Recorded
    from rulewright.players.analyze import analyze
    from rulewright.players.explain import Explanation, explain
    from rulewright.players.pattern_use import Proposals, patterns
    from rulewright.players.personality import Personality
    from rulewright.search.best import search
    from rulewright.search.results import Limits, SearchResult, Solved
    from rulewright.search.solve import solve

__version__ = "0.1.0"
__all__ = [
    "Batch",
    "Diagnostic",
    "Explanation",
    "Game",
    "Limits",
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
    "batch",
    "board",
    "check",
    "errors",
    "explain",
    "load",
    "loads",
    "match",
    "patterns",
    "read",
    "read_game",
    "schemas",
    "search",
    "solve",
    "tournament",
    "write_game",
]

_HOMES = {
    "Batch": "rulewright.learning.batch",
    "batch": "rulewright.learning.devices",
    "board": "rulewright.app.studio.notebook",
    "Diagnostic": "rulewright.language.diagnostics",
    "TextError": "rulewright.language.diagnostics",
    "Game": "rulewright.games.engine.game",
    "Move": "rulewright.games.engine.moves",
    "Moves": "rulewright.games.engine.moves",
    "Result": "rulewright.games.engine.interpreted",
    "State": "rulewright.games.engine.game",
    "Explanation": "rulewright.players.explain",
    "Personality": "rulewright.players.personality",
    "explain": "rulewright.players.explain",
    "Proposals": "rulewright.players.pattern_use",
    "patterns": "rulewright.players.pattern_use",
    "Report": "rulewright.games.files.games",
    "check": "rulewright.games.files.games",
    "load": "rulewright.games.files.games",
    "loads": "rulewright.games.files.games",
    "match": "rulewright.matches.api",
    "tournament": "rulewright.matches.api",
    "Recorded": "rulewright.matches.protocols.recorded",
    "read": "rulewright.matches.game_files",
    "read_game": "rulewright.matches.game_files",
    "write_game": "rulewright.matches.game_files",
    "analyze": "rulewright.players.analyze",
    "Limits": "rulewright.search.results",
    "SearchResult": "rulewright.search.results",
    "Solved": "rulewright.search.results",
    "schemas": "rulewright.app.cli.schemas",
    "solve": "rulewright.search.solve",
}


_MOVED = {
    "bench": "checks.bench", "budget": "ground.budget", "build": "app.build",
    "cache": "ground.cache", "cli": "app.cli", "codegen": "compiler", "disk": "ground.disk",
    "engine": "games.engine", "files": "games.files", "interruption": "ground.interruption",
    "play": "app.play", "printable": "ground.printable", "protocols": "matches.protocols",
    "records": "ground.records", "render": "games.render", "resolve": "language.resolve",
    "service": "app.service", "studio": "app.studio",
}  # fmt: skip
"""Where what stood at the top in 0.1 stands now; old names are found until the next release."""


class _OldNames:
    """Finds modules by their names of 0.1, with a warning."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Say how to load a module of an old name: it is the module of the new one."""
        package, _, inside = name.partition(".")
        old, _, rest = inside.partition(".")
        if package != "rulewright" or old not in _MOVED:
            return None
        from importlib.util import spec_from_loader
        from warnings import warn

        loader: Any = _OldNames
        new = f"rulewright.{_MOVED[old]}.{rest}".rstrip(".")
        warn(f"{name} is {new} now", DeprecationWarning, stacklevel=2)
        return spec_from_loader(name, loader, origin=new)

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """Leave it to Python, which is given another module by `exec_module`."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Put the module of the new name in the place of this one."""
        from importlib import import_module

        assert module.__spec__ is not None
        assert module.__spec__.origin is not None
        sys.modules[module.__name__] = import_module(module.__spec__.origin)


sys.meta_path.insert(0, _OldNames)  # before a folder of the new name is looked through


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
