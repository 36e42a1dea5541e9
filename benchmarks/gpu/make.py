"""What `run.py` needs on a machine with a graphics card: PTX, and what the processor says.

    python benchmarks/gpu/make.py FOLDER [GAME...] [--seconds 12]

For each game two files: `GAME.ptx`, the game's own kernels by LLVM, and `GAME.json`, its first
position, its constants and the results of the lanes that were played here.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import time
from pathlib import Path
from typing import Any

from lanes import MOST, Lanes  # beside this file
from run import seed_of

from rulewright.compiler.engine import Engine
from rulewright.games.files.games import bundled_games, load

LANES, GAMES = 1 << 15, 32
"""Lanes, and the games of each."""
OPTIONS: dict[str, dict[str, Any]] = {"twixt": {"pie": False}, "hex": {"pie": False}}


def make(folder: Path, names: list[str], seconds: float) -> None:
    """Write both files of each game."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or sorted(bundled_games()):
        text, about = files_of(name, seconds)
        folder.joinpath(f"{name}.ptx").write_text(text)
        folder.joinpath(f"{name}.json").write_text(json.dumps(about))
        compared = len(about["plies"]) * GAMES
        print(f"{name}: {len(text) // 1024} KiB of PTX, {compared} games to compare", flush=True)


def files_of(name: str, seconds: float) -> tuple[str, dict[str, Any]]:
    """The PTX of a game, and what is to be known of it."""
    game = load(name, **OPTIONS.get(name, {}))
    engine = Engine(game.play)
    engine.set(game.play.first)
    first = [int(word) for word in engine._arrays["S"]]
    said = play_here(engine, first, seconds)
    sizes = {**engine.sizes(), "Y": engine.plan.whole, "R": 16, "C": 16}
    for array, used in said.pop("used").items():  # rows and earlier positions: what was used, twice
        sizes[array] = min(sizes[array], 2 * used + 4 * engine.row)
    about = {
        "lanes": LANES, "games": GAMES, "first": first, "sizes": sizes,
        "table": list(engine.plan.table or [0]), **said,
    }  # fmt: skip
    return Lanes(engine, LANES, sizes).ptx(), about


def play_here(engine: Engine, first: list[int], seconds: float) -> dict[str, Any]:
    """Play the games of the first lanes, as many as the time allows."""
    arrays: Any = engine._arrays
    plies, ends, counts, start = [], [], [], time.process_time()
    for lane in range(LANES):
        for at, word in enumerate(first):
            arrays["S"][at] = word
        for at in range(16):
            arrays["R"][at] = arrays["C"][at] = 0
        arrays["R"][0] = ctypes.c_int64(seed_of(lane)).value
        more = (arrays["Y"], arrays["R"], arrays["C"], GAMES, MOST)
        plies.append(engine._call("playouts", *more))
        ends.append(int(arrays["R"][0]))
        counts.append([int(arrays["C"][at]) for at in range(4)])
        if time.process_time() - start > seconds:
            break
    spent = time.process_time() - start
    used = {name: used_of(arrays[name]) for name in "MH"}
    return {
        "plies": plies, "ends": ends, "counts": counts, "used": used,
        "games_per_s": len(plies) * GAMES / spent, "plies_per_s": sum(plies) / spent,
    }  # fmt: skip


def used_of(array: Any) -> int:
    """How many of its words were written, up to the last that is not 0."""
    words = memoryview(array).cast("B").cast("q")
    return next((at + 1 for at in range(len(words) - 1, -1, -1) if words[at]), 1)


def main() -> None:
    """Make what the command line names."""
    parser = argparse.ArgumentParser(description="PTX and expected results for run.py.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--seconds", type=float, default=12, help="of processor time for each")
    asked = parser.parse_args()
    make(asked.folder, asked.games, asked.seconds)


if __name__ == "__main__":
    main()
