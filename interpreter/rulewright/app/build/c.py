"""An engine as C: one readable file with its arrays in it, and a header.

In: a plan.  Out: files by name.  `engine.h` beside this file is the same for every game but for the
name in it; an engine for a machine has it too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulewright import __version__
from rulewright.app.build.engine_plan import Block, EnginePlan
from rulewright.compiler.backend.c import HEAD, c_name, number, text
from rulewright.compiler.ir.types import FLOAT, FLOATS, INT

_WIDTH = 8
"""Numbers of a table in a line."""


def files(plan: EnginePlan) -> dict[str, bytes]:
    """The files of the engine, by name: their content in bytes."""
    name = plan.game.name
    return {f"{name}.c": source(plan).encode(), f"{name}.h": header(plan)}


def header(plan: EnginePlan) -> bytes:
    """Write the header that a program includes, for the game and its players."""
    folder = Path(__file__).parent
    players = [f"{number} ({name})" for number, name in enumerate(plan.game.players)]
    text = (folder / "engine.h").read_text("utf-8").replace("GAME", plan.game.name)
    text = text.replace("PLAYERS_BY_NUMBER", " and ".join([", ".join(players[:-1]), players[-1]]))
    return text.replace("HOW_MANY", str(len(players))).encode()


def source(plan: EnginePlan) -> str:
    """Write the C file."""
    name = plan.game.name
    about = f"/* {name}, as rulewright {__version__} has built it; {name}.h says what to call. */"
    arrays = "\n".join(line for n, block in plan.blocks.items() for line in _array(n, block))
    getters = "\n".join(
        f"char *rw_{word}(void) {{ return (char *){c_name(f'f.{word}')}; }}"
        for word in ("text", "wanted")
    )
    return "\n".join([about, HEAD, f"{arrays}\n", text(plan.module, plan.exports), getters, ""])


def _array(name: str, block: Block) -> Iterator[str]:
    floats = block.type == FLOATS
    head = f"static {'double' if floats else 'i64'} {c_name(name)}[{max(1, block.size)}]"
    if not block.first:
        yield f"{head};"
        return
    yield f"{head} = {{"
    words = [number(value, FLOAT if floats else INT) for value in block.first]
    for i in range(0, len(words), _WIDTH):
        yield f"  {', '.join(words[i : i + _WIDTH])},"
    yield "};"
