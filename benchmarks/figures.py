"""The table of figures in docs/benchmarks.md, measured and written anew.

    python benchmarks/figures.py [GAME...] [--rounds N] [--write]

It runs `rulewright bench --format json`, prints the table with its date and machine, and with
`--write` puts it between the two marks of docs/benchmarks.md.  Figures of another day go to
docs/trials.md by hand, if they still tell something.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"
HEAD = (
    "game", "random games/s", "ns a ply", "C's", "share of C", "perft, M decisions/s",
    "share of C", "search, nodes/s", "cold, s", "edited, s", "cached, s",
)  # fmt: skip
Figures = dict[str, Any]
"""What `rulewright bench` says of one game; what could not be measured is None."""


def measure(games: list[str], rounds: int) -> Figures:
    """Run the benchmark; its progress goes to standard error."""
    command = [sys.executable, "-m", "rulewright", "bench", *games]
    command += ["--rounds", str(rounds), "--format", "json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    figures: Figures = json.loads(done.stdout)
    return figures


def number(value: float | None, digits: int = 3) -> str:
    """A number with three digits that count, in thousands where it is large."""
    if value is None:
        return ""
    if value >= 1000:
        rounded = round(value, digits - len(str(int(value))))
        return f"{int(rounded):,}"
    return f"{value:.{digits}g}"


def share(game: Figures, name: str) -> str:
    """A share with the smallest and the largest of the rounds."""
    if game.get(name) is None:
        return ""
    least, most = game[f"{name}_min"], game[f"{name}_max"]
    return f"{game[name]:.2f} ({least:.2f}-{most:.2f})"


def cells(game: Figures) -> Iterator[str]:
    """The row of a game."""
    options = " ".join(f"{name}={value}" for name, value in game["options"].items())
    yield f"{game['game']} {options}".strip()
    yield number(game.get("playouts_per_s"))
    yield number(game.get("ns_per_ply"))
    yield number(game.get("c_ns_per_ply"), 2)
    yield share(game, "share_of_c")
    perft = game.get("perft_nodes_per_s")
    yield number(perft / 1e6 if perft else None)
    yield share(game, "share_of_c_perft")
    yield number(game.get("search_nodes_per_s"))
    for when in ("cold", "edited", "cached"):
        yield number(game.get(f"first_move_{when}_s"), 2)


def rows(lines: Iterable[Iterable[str]]) -> Iterator[str]:
    """Lines of a table in Markdown."""
    return (f"| {' | '.join(line)} |\n" for line in lines)


def table(figures: Figures, rounds: int, today: date) -> str:
    """The table with what it was measured on."""
    machine = figures["machine"]
    about = (
        f"{today.isoformat()}, {machine['system']}, {machine['cores']} cores "
        f"({machine['processor']}), Python {machine['python']}, "
        f"C by `{Path(machine['compiler']).name}`; "
        f"median of {rounds} rounds, smallest and largest share in brackets.\n\n"
    )
    games = [list(cells(game)) for game in figures["games"]]
    return about + "".join(rows([HEAD, ["---"] * len(HEAD), *games]))


def main() -> None:
    """Measure, print, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="into docs/benchmarks.md")
    asked = parser.parse_args()
    text = table(measure(asked.games, asked.rounds), asked.rounds, date.today())
    print(text, end="")
    if asked.write:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
