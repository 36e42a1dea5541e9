"""Syntax of the languages: what a text says, which may be wrong.

Spans take no part in equality, so a reprinted text equals its source.  `depth` counts levels of
nesting; it is kept while a tree is built, so that no later stage can run out of stack.  `syntax`
has all nodes but those of pattern files, which stand in `syntax.patterns`.  Nodes of evaluators,
personalities and looks are loaded when somebody asks for the first of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rulewright.language.syntax.expressions import *  # noqa: F403
from rulewright.language.syntax.statements import *  # noqa: F403

if TYPE_CHECKING:
    from rulewright.language.syntax.looks import *  # noqa: F403
    from rulewright.language.syntax.players import *  # noqa: F403
else:

    def __getattr__(name: str) -> Any:
        """Load the nodes of players and looks, and return the one that is asked for."""
        if not name.startswith("_"):
            for module in map(import_module, (f"{__name__}.players", f"{__name__}.looks")):
                if hasattr(module, name):
                    return globals().setdefault(name, getattr(module, name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
