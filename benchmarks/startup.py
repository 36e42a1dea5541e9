"""Where the time from text to the first move goes, stage by stage, for bundled games.

    python benchmarks/startup.py [GAME...] [--rounds N]

Every line is the median of some new processes, in milliseconds of processor time, with Python's
bytecode in place.  `import` is everything up to LLVM, the interpreter's own start included; `read`
loads the parser and reads the text (grammar tables cached), where `model` takes the model that is
kept; `kernels` takes kept object code, and needs nothing from `assembly` to `object` but LLVM.

An edited text costs everything but `model` and `kernels`; a second start costs `import`, `model`,
`lower`, `llvm` and `kernels`.  The search for the move comes on top of both.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from rulewright.files.games import bundled

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
import rulewright.cli.best
from rulewright.codegen.lower.game import lower_game
from rulewright.codegen.backend import Linked
done("import")
import rulewright.language.parse, rulewright.resolve.rules
done("read")
first = spent["read"]
from rulewright.files.games import load_with
game = load_with(sys.argv[1], {}, use_cache=False)
done("read")
spent["read"] += first
load_with(sys.argv[1], {})
clock.append(time.process_time())
game = load_with(sys.argv[1], {})
done("model")
emitted = lower_game(game.play)
text, module = emitted.text, emitted.module
done("lower")
linked = Linked(text, {}, module)
import llvmlite.binding as llvm
from rulewright.codegen.backend import native
native._target()
done("llvm")
assembly = native.translate(module, native.fast_deposit())
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
print(json.dumps(spent | {"lines": text.count(chr(10))}))
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


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="Split the time to the first move into stages.")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{'game':<13}" + "".join(f"{name:>10}" for name in (*NAMES, "lines")))
    with tempfile.TemporaryDirectory() as folder:
        for game in arguments.games or bundled():
            measure(game, Path(folder))
            rounds = [measure(game, Path(folder)) for _ in range(arguments.rounds)]
            cells = [f"{1000 * median(r[name] for r in rounds):>10.1f}" for name in NAMES]
            print(f"{game:<13}" + "".join(cells) + f"{rounds[0]['lines']:>10.0f}", flush=True)


if __name__ == "__main__":
    main()
