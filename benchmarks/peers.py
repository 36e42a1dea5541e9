"""Random games of OpenSpiel and of ours, in turns, on games that have no C program here.

`python benchmarks/peers.py [--rounds N] [--seconds S]` needs OpenSpiel (`pip install open_spiel`).
A round plays the same game there and here, for so many seconds of processor time each; medians are
printed, with the smallest and largest ratio within a round.
"""

from __future__ import annotations

import argparse
import sys
from statistics import median
from time import process_time

from rulewright.checks.bench.programs import openspiel
from rulewright.compiler.engine import Engine
from rulewright.games.files.games import load_with

SHORT: dict[str, object] = {"limit": 300}
"""Random games of Chinese checkers go on to the limit of turns, which is 1,000 in both systems."""
THERE: list[tuple[str, dict[str, object], str]] = [
    ("go", {}, "go(board_size=9)"),
    ("chess", {}, "chess"),
    ("amazons", {}, "amazons"),
    ("draughts", {}, "checkers"),
    ("othello", {}, "othello"),
    ("breakthrough", {}, "breakthrough"),
    ("backgammon", {}, "backgammon"),
    ("pig", {}, "pig"),
    ("darkhex", {}, "dark_hex(gameversion=cdh,board_size=11)"),
    ("phantom", {}, "phantom_ttt"),
    ("kuhn", {}, "kuhn_poker"),
    ("leduc", {}, "leduc_poker(suit_isomorphism=True)"),
    ("havannah", {}, "havannah"),
    ("loa", {}, "lines_of_action"),
    ("oware", {}, "oware"),
    ("goofspiel", {}, "turn_based_simultaneous_game(game=goofspiel())"),
    *(
        ("chinesecheckers", {"seats": n, **SHORT}, f"chinese_checkers(players={n},max_moves=300)")
        for n in (2, 3, 4, 6)
    ),
    *(("mensch", dict[str, object](seats=n), f"maedn(players={n})") for n in (2, 3, 4)),
]
"""Our games with options, and their names in OpenSpiel."""


AT_ONCE = 20
"""Random games before the first look at the clock; twice as many as long as they take no time."""


def ours(engine: Engine, seconds: float, seed: int) -> tuple[float, float]:
    """Random games a second, and their mean length in decisions."""
    games, plies, at_once, begun = 0, 0, AT_ONCE, process_time()
    looked = begun
    while looked - begun < seconds:
        played, _ = engine.playouts(engine.play.first, at_once, seed * 10**9 + games)
        games, plies, before, looked = games + at_once, plies + played, looked, process_time()
        if looked - before < seconds / 100:
            at_once *= 2
    return games / (process_time() - begun), plies / games


def main() -> None:
    """Measure, and print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--game", help="one of our games; unsaid: all")
    options = parser.parse_args()
    for name, settings, there in THERE:
        if options.game not in (None, name):
            continue
        engine, rates, others, length = Engine(load_with(name, settings).play), [], [], 0.0
        for seed in range(1, options.rounds + 1):
            others.append(openspiel(there, options.seconds, seed))
            rate, length = ours(engine, options.seconds, seed)
            rates.append(rate)
        title = " ".join([name, *(f"{k}={v}" for k, v in settings.items())])
        ratios = [a / b for a, b in zip(rates, others, strict=True)]
        sys.stdout.write(
            f"{title}: {median(rates):,.0f} games/s of {length:.1f} decisions, "
            f"{median(rates) * length / 1e6:.2f} M decisions/s; OpenSpiel {median(others):,.0f}; "
            f"ratio {median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
