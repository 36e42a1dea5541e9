"""Write random games by programs of others, in files that our readers are judged by.

In: a format, a number of games, a seed.  Out: the games on standard output, each with its last
position as that program tells it.  This runs under a Python that has pydraughts or python-shogi,
and imports nothing of rulewright: `python tests/tools/judges.py pdn 2` wrote random.pdn in
tests/data/judged, and `shogi 8` shogi.json.  `python -m tests.shared.judged FILE` compares any
such file.
"""

from __future__ import annotations

import json
import random
import sys
from importlib import import_module
from typing import Any

_VARIANTS = ("english", "standard", "russian", "brazilian", "frisian")
"""Kinds of draughts; Turkish kings of pydraughts 0.6 pass over their own men."""


def pdn(count: int, seed: str) -> None:
    """Games of five kinds of draughts in PDN; the tag `Last` has the position at the end."""
    board_of: Any = import_module("draughts").Board
    writer: Any = import_module("draughts.PDN").PDNWriter

    for variant in _VARIANTS:
        for number in range(count):
            chance = random.Random(f"{variant} {number} {seed}")
            board = board_of(variant)
            for _ in range(chance.randrange(10, 110)):
                if board.is_over():
                    break
                board.push(chance.choice(board.legal_moves()))
            print(writer("", board, tags={"Last": board.fen}).pdn_text)


def shogi(count: int, seed: str) -> None:
    """Games of Shogi as a line of USI and as KIF, with the position at the end in SFEN."""
    module, kif = import_module("shogi"), import_module("shogi.KIF")
    rows = []
    for number in range(count):
        chance = random.Random(f"shogi {number} {seed}")
        board, moves = module.Board(), []
        for _ in range(chance.randrange(20, 160)):
            choices = list(board.legal_moves)
            if not choices:
                break
            move = chance.choice(choices)
            moves.append(move.usi())
            board.push(move)
        start = {"names": ["a", "b"], "sfen": module.STARTING_SFEN, "moves": moves}
        start["win"] = "wb"[len(moves) % 2]
        text = f"position startpos moves {' '.join(moves)}"
        rows += [{"name": "a.usi", "text": text, "last": board.sfen()}]
        rows += [{"name": "a.kif", "text": kif.Exporter.kif(start), "last": board.sfen()}]
    print(json.dumps(rows, ensure_ascii=False, indent=0))


if __name__ == "__main__":
    writers = {"pdn": pdn, "shogi": shogi}
    writers[sys.argv[1]](int(sys.argv[2]), (sys.argv[3:] or ["0"])[0])
