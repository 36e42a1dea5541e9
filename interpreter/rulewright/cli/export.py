"""Records of matches in other forms: `export` (CSV, text, SVG, SGF) and `report`, one page."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from rulewright.cli import arguments as a
from rulewright.cli.common import tell_damaged, write_text
from rulewright.disk import write_whole
from rulewright.errors import RulewrightError
from rulewright.matches.export import csv_text, game_text, sgf_bytes, svg_page
from rulewright.matches.game_record import GameRecord
from rulewright.matches.record_store import Match, read_matches
from rulewright.matches.report import report

# --- export ---


FORMS: dict[str, Callable[[Match, GameRecord], bytes]] = {
    "text": lambda match, game: game_text(match, game).encode(),
    "svg": lambda match, game: svg_page(match, game).encode(),
    "sgf": sgf_bytes,
}
"""What writes one game."""


def export(arguments: Namespace) -> int:
    """Write all games into one table, or each into a file of its own."""
    path, form = Path(arguments.file), arguments.form
    matches = read_matches(path)
    status = tell_damaged(matches)
    if form == "csv":
        write_text(arguments.out, csv_text(matches))
        return status
    games = [(match, game) for match in matches for game in match.games]
    if arguments.game is not None:
        games = [one for one in games if one[1].number == arguments.game][-1:]
        if not games:
            raise RulewrightError(f"{path} has no game {arguments.game}")
    if arguments.out == "-":
        _to_output(games, form)
        return status
    folder = Path(arguments.out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for match, game in games:
            several = f"{match.plan.name[:6]}-" if len(matches) > 1 else ""
            suffix = {"text": "txt"}.get(form, form)
            file = folder / f"{several}{game.number:05}.{suffix}"
            write_whole(file, FORMS[form](match, game))
    except OSError as error:
        raise RulewrightError(f"{folder} cannot be written: {error.strerror}") from None
    print(f"{len(games)} games written to {folder}", file=sys.stderr)
    return status


def _to_output(games: list[tuple[Match, GameRecord]], form: str) -> None:
    if form != "text" and len(games) > 1:
        raise RulewrightError(f"{form} is one file for each game: give --game N, or --out FOLDER")
    for match, game in games:
        sys.stdout.write(FORMS[form](match, game).decode())


# --- report ---


def write_report(arguments: Namespace) -> int:
    """Write the page of the last match of a record."""
    path = Path(arguments.file)
    matches = read_matches(path)
    status = tell_damaged(matches)
    out = arguments.out or str(path.with_suffix(".html"))
    if out == arguments.file:
        raise RulewrightError(f"{out} is the record; choose another name with --out")
    write_text(out, report(matches[-1], arguments.games))
    if out != "-":
        print(f"{out} written", file=sys.stderr)
    return status


COMMANDS: dict[str, a.Command] = {
    "export": (export, [
        a.RECORD,
        lambda p: p.add_argument(
            "--as", dest="form", choices=("csv", "text", "svg", "sgf"), default="csv",
            help="csv: a table of all games; else one file for each (default csv)",
        ),
        a.value("--game", "N", "only the game of this number", type=a.from_zero),
        a.value("--out", "PLACE", "a file for csv, else a folder; - is the output", default="-"),
    ]),
    "report": (write_report, [
        a.RECORD,
        a.value("--out", "PAGE", "(default: FILE with .html); - is the output", default=""),
        a.value(
            "--games", "N",
            "games that are drawn at the most, of all that are listed (default 100)",
            type=a.from_zero, default=100,
        ),
    ]),
}  # fmt: skip
