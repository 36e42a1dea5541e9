"""The tables of matches in docs/strength.md, from the data of `match_figures.json`.

    python benchmarks/match_figures.py                 # names of rows that can be played
    python benchmarks/match_figures.py --write         # the tables, from the data as they are
    python benchmarks/match_figures.py --row NAME      # play the matches of a row, and print it
    python benchmarks/match_figures.py --row NAME --games N --write   # and keep its result

A row says which table it is of (`matches`, where it says nothing).  It has the arguments of its
matches (after `rulewright match`) and its last result.  Games of several matches are added up.  Of
a row without matches no whole command is kept.  The first results are older than this command:
their date is the day by which the games had been played.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from page_figures import written

from rulewright.checks.bench.run import machine
from rulewright.matches.statistics import elo

ROOT = Path(__file__).parents[1]
PAGE, DATA = ROOT / "docs" / "strength.md", Path(__file__).with_suffix(".json")
NAMES = ("matches", "best")
"""The tables of the page, by the names in the two marks around each."""
HEAD = (
    "game", "player", "opponent", "limits", "games", "won, drawn, lost: points", "95 %", "played",
)  # fmt: skip
Row = dict[str, Any]
"""`game`, `player`, `opponent`, `limits`, `matches`, `result`, and `table` but for the first."""


def play(arguments: str, games: int | None, openings: str | None) -> dict[str, Any]:
    """Play a match and return what `rulewright match` says of it."""
    words = shlex.split(arguments)
    if games is not None:
        words[words.index("--games") + 1] = str(games)
    with TemporaryDirectory() as folder:
        if openings is not None:  # a script that prints one opening a line
            script = [sys.executable, *shlex.split(openings)]
            lines = subprocess.run(script, stdout=subprocess.PIPE, check=True, cwd=ROOT)
            Path(folder, "openings.txt").write_bytes(lines.stdout)
            words[words.index("--openings") + 1] = str(Path(folder, "openings.txt"))
        command = [sys.executable, "-m", "rulewright", "match", *words, "--format", "json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, cwd=ROOT)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def outcome(match: dict[str, Any]) -> tuple[int, int, int]:
    """Count the games that the first player of a match won, drew and lost."""
    first, counts = match["players"][0], [0, 0, 0]
    for pairing in match["pairings"]:
        wins = pairing["p1_wins"], pairing["draws"], pairing["p2_wins"]
        for i, number in enumerate(wins if pairing["p1"] == first else wins[::-1]):
            counts[i] += number
    return counts[0], counts[1], counts[2]


def interval(low: float, high: float) -> str:
    """Write an interval in Elo; an end at infinity is none."""
    if high == float("inf"):
        return f"Elo {low:+.0f} and more"
    return f"Elo {low:+.0f}..{high:+.0f}" if low > float("-inf") else f"Elo {high:+.0f} and less"


def measure(row: Row, games: int | None) -> dict[str, Any]:
    """Play the matches of a row and return its result."""
    matches = [play(arguments, games, row.get("openings")) for arguments in row["matches"]]
    won, drawn, lost = (sum(counts) for counts in zip(*map(outcome, matches), strict=True))
    counted = elo([sum(counts) for counts in zip(*(m["pairs"] for m in matches), strict=True)])
    about = machine()
    return {
        "date": date.today().isoformat(),
        "machine": f"{about['system']}, {about['cores']} cores ({about['processor']})",
        "won": won, "drawn": drawn, "lost": lost,
        "interval": interval(counted.low, counted.high),
    }  # fmt: skip


def cells(row: Row) -> Iterator[str]:
    """The row of a match, but for the game's name."""
    result = row["result"]
    yield from (row["player"], row["opponent"], row["limits"])
    won, drawn, lost = result["won"], result["drawn"], result["lost"]
    total = won + drawn + lost
    yield f"{total}, broken off" if result.get("broken_off") else str(total)
    yield f"{won}, {drawn}, {lost}: {(won + drawn / 2) / total:.3g}"
    yield result["interval"]
    yield f"{result['date']}, {result['machine']}"


def table(rows: Iterable[Row]) -> str:
    """The table in Markdown; a game is named in its first row alone."""
    lines, before = [HEAD, ("---",) * len(HEAD)], ""
    for row in rows:
        game = "" if row["game"] == before else row["game"]
        lines.append((game, *cells(row)))
        before = row["game"]
    return "".join(f"| {' | '.join(line)} |\n".replace("|  |", "| |") for line in lines)


def rows_of(rows: Iterable[Row], name: str) -> list[Row]:
    """The rows of a table."""
    return [row for row in rows if row.get("table", NAMES[0]) == name]


def write(rows: list[Row]) -> None:
    """Keep the data, and put their tables between the marks of the page."""
    DATA.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", "utf-8")
    text = PAGE.read_text("utf-8")
    for name in NAMES:
        text = written(text, name, table(rows_of(rows, name)))
    PAGE.write_text(text, "utf-8")


def main() -> None:
    """Play what is asked for, print it, and write where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--row", action="append", default=[], metavar="NAME")
    parser.add_argument("--games", type=int, metavar="N", help="of each match, for all that it has")
    parser.add_argument("--write", action="store_true", help="into docs/strength.md")
    asked = parser.parse_args()
    rows: list[Row] = json.loads(DATA.read_text("utf-8"))
    named = {row["name"]: row for row in rows}
    for name in asked.row:
        if not named.get(name, {}).get("matches"):
            parser.error(f"{name} is no row with matches")
        named[name]["result"] = measure(named[name], asked.games)
        print(table([named[name]]), end="")
    if asked.write:
        write(rows)
    elif not asked.row:
        print(*(name for name, row in named.items() if row["matches"]), sep="\n")


if __name__ == "__main__":
    main()
