"""Where the time from text to the first move goes, stage by stage, for bundled games.

    python benchmarks/startup.py [GAME...] [--rounds N] [--multiples]

Every line is the median of some new processes, in milliseconds of processor time, with Python's
bytecode in place.  `import` is everything up to LLVM, the interpreter's own start included; `read`
loads the parser and reads the text (grammar tables cached), where `model` takes the model that is
kept; `kernels` takes kept object code, and needs nothing from `lower` to `object`.

An edited text costs everything but `model` and `kernels`; a second start costs a part of `import`,
`model` and `kernels`.  The search for the move comes on top of both.

With `--multiples` whole commands are measured instead (`best GAME --nodes 200`), as multiples of
what `python -c "import lark, attrs, llvmlite.binding"` takes in the same run: with all that an
earlier start kept, and with nothing kept.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from rulewright.games.files.games import bundled_games

NAMES = (
    "import", "read", "model", "lower", "assembly", "llvm", "parse", "optimise", "object",
    "kernels",
)  # fmt: skip

CHILD = """
import json, sys, time
clock = [0.0]
spent = {}
def done(name):
    clock.append(time.process_time())
    spent[name] = clock[-1] - clock[-2]
import rulewright.app.cli.best
from rulewright.compiler.lower.game import lower_game
done("import")
import rulewright.language.parse, rulewright.language.resolve.rules
done("read")
first = spent["read"]
from rulewright.games.files.games import load_with
game = load_with(sys.argv[1], {}, use_cache=False)
done("read")
spent["read"] += first
load_with(sys.argv[1], {})
clock.append(time.process_time())
game = load_with(sys.argv[1], {})
done("model")
emitted = lower_game(game.play)
linked, module = emitted.linked, emitted.linked.module
done("lower")
import llvmlite.binding as llvm
from rulewright.compiler.backend import native
from rulewright.compiler.backend.llvm import translate
native._target()
done("llvm")
assembly = translate(module, native.fast_deposit())
done("assembly")
parsed = llvm.parse_assembly(assembly)
parsed.verify()
done("parse")
machine = native.optimise(parsed)
done("optimise")
code = machine.emit_object(parsed)
done("object")
native.Native([linked])["perft"]
clock.append(time.process_time())
native.Native([linked])["perft"]
done("kernels")
print(json.dumps(spent | {"lines": emitted.length}))
"""


def measure(game: str, folder: Path) -> dict[str, float]:
    """Seconds of each stage in one new process."""
    hidden = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment = hidden | {
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "RULEWRIGHT_CACHE": str(folder / "cache"),
    }
    command = [sys.executable, "-c", CHILD, game]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def spent(words: list[str], folder: Path) -> float:
    """Seconds of processor time of one process that runs Python."""
    hidden = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment = hidden | {
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "RULEWRIGHT_CACHE": str(folder / "cache"),
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], env=environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def multiples(game: str, folder: Path, rounds: int) -> tuple[float, float]:
    """Processor time of a start with what is kept, and without, by that of the imports alone."""
    base = ["-c", "import lark, attrs, llvmlite.binding"]
    command = ["-m", "rulewright", "best", game, "--nodes", "200"]
    times: list[tuple[float, ...]] = []
    for _ in range(rounds + 1):
        shutil.rmtree(folder / "cache", ignore_errors=True)
        times.append(tuple(spent(words, folder) for words in (base, command, base, command)))
    middle = [
        median(column) for column in zip(*times[1:], strict=True)
    ]  # the first writes bytecode
    imports = (middle[0] + middle[2]) / 2
    return middle[3] / imports, middle[1] / imports


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="Split the time to the first move into stages.")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--multiples", action="store_true", help="of the imports' time")
    arguments = parser.parse_args()
    if arguments.multiples:
        print(f"{'game':<13}{'kept':>8}{'nothing kept':>14}")
        with tempfile.TemporaryDirectory() as folder:
            for game in arguments.games or bundled_games():
                kept, new = multiples(game, Path(folder), arguments.rounds)
                print(f"{game:<13}{kept:>8.2f}{new:>14.2f}", flush=True)
        return
    print(f"{'game':<13}" + "".join(f"{name:>10}" for name in (*NAMES, "lines")))
    with tempfile.TemporaryDirectory() as folder:
        for game in arguments.games or bundled_games():
            measure(game, Path(folder))
            rounds = [measure(game, Path(folder)) for _ in range(arguments.rounds)]
            cells = [f"{1000 * median(r[name] for r in rounds):>10.1f}" for name in NAMES]
            print(f"{game:<13}" + "".join(cells) + f"{rounds[0]['lines']:>10.0f}", flush=True)


if __name__ == "__main__":
    main()
