"""Random games of one game in two texts, in turns: how a thing is written should not decide.

`python benchmarks/writing.py [--rounds N] [--seconds S]` plays the texts of `benchmarks/writing/`,
whose files are named `GAME.WAY.rules`, and prints medians, and the ratio to the fastest text.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from statistics import median

from rulewright.checks.bench.rates import Effort, measure
from rulewright.games.files.games import load

TEXTS = Path(__file__).parent / "writing"


def rates_of(path: Path, effort: Effort) -> float:
    """Random games a second by machine code."""
    return measure(load(path), None, effort).middle("playouts_per_s") or 0.0


def main() -> None:
    """Measure, and print a line for each text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--texts", type=Path, default=TEXTS, help="the folder of the texts")
    options = parser.parse_args()
    rates: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for seed in range(1, options.rounds + 1):
        for path in sorted(options.texts.glob("*.rules")):
            game, way, _ = path.name.split(".")
            effort = Effort(options.seconds, 1, seed, only_playouts=True)
            rates[game][way].append(rates_of(path, effort))
    print("| game | text | random games a second | of the fastest |\n| --- | --- | --- | --- |")
    for game, ways in rates.items():
        best = max(median(values) for values in ways.values())
        for way, values in ways.items():
            rate = median(values)
            print(f"| {game} | {way} | {rate:,.0f} | {rate / best:.2f} |")


if __name__ == "__main__":
    main()
