"""`rulewright export`: games on record as CSV, text, SVG or SGF."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from rulewright.cli.common import tell_damaged, write_text
from rulewright.disk import write_whole
from rulewright.errors import RulewrightError
from rulewright.matches.export import csv_text, game_text, sgf_bytes, svg_page
from rulewright.matches.game_record import GameRecord
from rulewright.matches.record_store import Match, read_matches

FORMS: dict[str, Callable[[Match, GameRecord], bytes]] = {
    "text": lambda match, game: game_text(match, game).encode(),
    "svg": lambda match, game: svg_page(match, game).encode(),
    "sgf": sgf_bytes,
}
"""What writes one game."""


def run(arguments: Namespace) -> int:
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
