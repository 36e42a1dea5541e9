"""An engine as WebAssembly: a module with its arrays in it, a manifest, and a page's way to both.

In: a plan.  Out: files by name.  `engine.mjs` and `engine.d.ts` beside this file are the same for
every game but for the names in them.  Long tables lie in the module as runs of short numbers, which
it unpacks when it is loaded.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulewright import __version__
from rulewright.app.build.engine_plan import Block, EnginePlan
from rulewright.compiler.backend.wasm import WORD, binary
from rulewright.compiler.backend.wasm_binary import PAGE
from rulewright.compiler.faults import FAULTS
from rulewright.compiler.ir import nodes as n
from rulewright.compiler.ir.parse import parse
from rulewright.compiler.ir.types import FLOATS, INT, INTS, NOTHING, Signature
from rulewright.compiler.runtime import signed
from rulewright.games.render.scene_building import scene_of

_FIRST = 1 << 20
"""Where arrays begin: places before an array are addresses too, and none of them is negative."""
_VIEWS = {"thread.game.state": "root.thread.game.state", "text": "text", "wanted": "wanted"}
"""The arrays that a page reads and writes, by their names in the manifest."""


def place_arrays(blocks: Mapping[str, Block]) -> tuple[dict[str, int], int]:
    """Place arrays one after the other: the byte where each begins, and where the last one ends."""
    places, end = dict[str, int](), _FIRST
    for name, block in blocks.items():
        places[name] = end
        end += block.size * WORD
    return places, end


_PACKED, _UNPACK, _START = "packed", "unpack", "rw_unpack"
UNPACKING = f"""
def {_UNPACK}({_PACKED}: ints, at: i64, into: ints) -> i64:
    to = 0
    head = {_PACKED}[at]
    at = at + 1
    while head != 0:
        width = head & 127
        count = head >> 7
        if width > 0:
            each = 64 // width
            for i in range(count):
                word = {_PACKED}[at + i // each]
                into[to + i] = wrap_shl(word, 64 - width * (i % each + 1)) >> (64 - width)
            at = at + (count + each - 1) // each
        to = to + count
        head = {_PACKED}[at]
        at = at + 1
    return at
"""
"""A run is a head, 128 times how many numbers plus the bits of each, and words full of them."""
_WIDTHS = (0, 8, 16, 32, 64)
_RUN = 32
"""Numbers that have one width at the least."""
_LONG = 1000
"""Numbers of a table that is packed."""


def runs_of_numbers(values: Sequence[int]) -> list[int]:
    """Numbers as runs; a 0 stands behind the last one."""
    runs = list[tuple[int, list[int]]]()
    for i in range(0, len(values), _RUN):
        run = list(values[i : i + _RUN])
        width = max(map(_width, run))
        if runs and runs[-1][0] == width:
            runs[-1][1].extend(run)
        else:
            runs.append((width, run))
    return [word for width, run in runs for word in _run(width, run)] + [0]


def _width(value: int) -> int:
    return next(w for w in _WIDTHS if value == 0 or (w and -1 << w - 1 <= value < 1 << w - 1))


def _run(width: int, values: Sequence[int]) -> Iterator[int]:
    yield len(values) << 7 | width
    group = 64 // width if width else len(values)
    for i in range(0, len(values) if width else 0, group):
        yield signed(
            sum((v & (1 << width) - 1) << width * j for j, v in enumerate(values[i : i + group]))
        )


def _unpacking(tables: Mapping[str, int]) -> n.Module:
    """The kernel that unpacks tables, each from its place among the packed words."""
    module = parse(UNPACKING)
    body: list[n.Stmt] = [
        n.Do(n.Call(_UNPACK, (n.Array(_PACKED, INTS), n.Const(at, INT), n.Array(name, INTS)), INT))
        for name, at in tables.items()
    ]
    module.functions[_START] = n.Function(_START, Signature((), NOTHING), {}, body)
    return module


def code(plan: EnginePlan) -> bytes:
    """The module: it has its own memory, in which the arrays lie as they are at first."""
    words, tables = list[int](), dict[str, int]()
    for name, block in plan.blocks.items():
        if block.type == INTS and len(block.first) >= _LONG:
            tables[name] = len(words)
            words += runs_of_numbers([int(value) for value in block.first])
    filled = {k: b for k, b in plan.blocks.items() if b.first and k not in tables}
    blocks = dict(plan.blocks)
    modules = [plan.module]
    if tables:
        blocks[_PACKED] = filled[_PACKED] = Block(INTS, len(words), tuple(words))
        modules.append(_unpacking(tables))
    places, end = place_arrays(blocks)
    module = binary(modules, places)
    module.pages = (end + PAGE - 1) // PAGE
    module.data = [(places[name], _bytes(block)) for name, block in filled.items()]
    module.start = module.exports.get(_START)
    module.exports = {name: module.exports[name] for name in plan.exports}
    return module.encoded()


def _bytes(block: Block) -> bytes:
    return struct.pack(f"<{len(block.first)}{'d' if block.type == FLOATS else 'q'}", *block.first)


def manifest(plan: EnginePlan) -> dict[str, Any]:
    """Describe the game for a page: names, places in memory, how the board is drawn."""
    layout, places, game = plan.layout, place_arrays(plan.blocks)[0], plan.game
    rules = game.rules
    scene = scene_of(game.play, game.play.first).as_json()
    names = ("style", "hexagonal", "framed", "spots", "columns", "rows", "strokes", "dots")
    return {
        "format": 1,
        "rulewright": __version__,
        "game": game.name,
        "options": dict(game.options),
        "players": list(game.players),
        "kinds": [{"name": kind.name, "letters": list(kind.letters)} for kind in rules.kinds],
        "faults": list(FAULTS),
        "at": {name: places[f"f.{block}"] for name, block in _VIEWS.items()},
        "position": {
            "size": layout.size,
            "words": layout.words,
            "owners": layout.owned,
            "owned": layout.owners,
            "kinds": layout.kinds if layout.kinds_kept else None,
            "names": {name: at for at, name in layout.names.items()},
        },
        "board": {name: scene[name] for name in names},
    }


def files(plan: EnginePlan) -> dict[str, bytes]:
    """The files of the engine, by name: their content in bytes."""
    name, folder = plan.game.name, Path(__file__).parent
    return {
        f"{name}.wasm": code(plan),
        f"{name}.json": json.dumps(manifest(plan), indent=1).encode() + b"\n",
        f"{name}.mjs": (folder / "engine.mjs").read_text("utf-8").replace("GAME", name).encode(),
        f"{name}.d.ts": (folder / "engine.d.ts").read_bytes(),
    }
