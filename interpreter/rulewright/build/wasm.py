"""An engine as WebAssembly: a module with its arrays in it, a manifest, and a page's way to both.

In: a plan.  Out: files by name.  `engine.mjs` and `engine.d.ts` beside this file are the same for
every game but for the names in them.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulewright import __version__
from rulewright.build.plan import Block, Plan
from rulewright.codegen.backend.wasm import WORD, binary
from rulewright.codegen.backend.wasm_binary import PAGE
from rulewright.codegen.ir.types import FLOATS
from rulewright.codegen.layout import FAULTS
from rulewright.render.scene_building import scene_of

_FIRST = 1 << 20
"""Where arrays begin: places before an array are addresses too, and none of them is negative."""


def placed(blocks: Mapping[str, Block]) -> tuple[dict[str, int], int]:
    """Where each array begins, and where the last one ends."""
    found, end = dict[str, int](), _FIRST
    for name, block in blocks.items():
        found[name] = end
        end += block.size * WORD
    return found, end


def code(plan: Plan) -> bytes:
    """The module: it has its own memory, in which the arrays lie as they are at first."""
    places, end = placed(plan.blocks)
    module = binary([plan.module], places)
    module.pages = (end + PAGE - 1) // PAGE
    module.data = [
        (places[name], _bytes(block)) for name, block in plan.blocks.items() if block.first
    ]
    module.exports = {name: module.exports[name] for name in plan.exports}
    return module.encoded()


def _bytes(block: Block) -> bytes:
    return struct.pack(f"<{len(block.first)}{'d' if block.type == FLOATS else 'q'}", *block.first)


def manifest(plan: Plan) -> dict[str, Any]:
    """What a page must know of the game: names, where things lie, how the board is drawn."""
    layout, places, game = plan.layout, placed(plan.blocks)[0], plan.game
    rules = game.rules
    scene = scene_of(game.play, game.play.first).as_json()
    drawn = ("style", "hexagonal", "framed", "spots", "columns", "rows", "strokes", "dots")
    return {
        "format": 1,
        "rulewright": __version__,
        "game": game.name,
        "options": dict(game.options),
        "players": list(game.players),
        "kinds": [{"name": kind.name, "letters": list(kind.letters)} for kind in rules.kinds],
        "faults": list(FAULTS),
        "at": {name: places[f"f.{name}"] for name in ("thread.game.state", "text", "wanted")},
        "position": {
            "size": layout.size,
            "words": layout.words,
            "owners": layout.owned,
            "owned": layout.owners,
            "kinds": layout.kinds if layout.kinds_kept else None,
            "names": {name: at for at, name in layout.names.items()},
        },
        "board": {name: scene[name] for name in drawn},
    }


def files(plan: Plan) -> dict[str, bytes]:
    """Everything that is to be written, by name."""
    name, here = plan.game.name, Path(__file__).parent
    return {
        f"{name}.wasm": code(plan),
        f"{name}.json": json.dumps(manifest(plan), indent=1).encode() + b"\n",
        f"{name}.mjs": (here / "engine.mjs").read_text("utf-8").replace("GAME", name).encode(),
        f"{name}.d.ts": (here / "engine.d.ts").read_bytes(),
    }
