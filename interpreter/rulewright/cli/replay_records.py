"""`rulewright replay` for records of matches: `.jsonl` and `.db`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from rulewright.cli.common import tell_damaged
from rulewright.errors import RulewrightError
from rulewright.matches.game_record import GameRecord
from rulewright.matches.record_store import Match, read_matches
from rulewright.matches.verify import game_of_plan, recorded_states, verify

Result = tuple[int, dict[str, object], str]
"""Exit status, plain data, text."""


def replay_records(path: Path, arguments: Namespace) -> Result:
    """List the games, show one of them, or check them all."""
    matches = read_matches(path)
    if arguments.verify:
        return _verified(path, matches)
    status = tell_damaged(matches)
    if arguments.game is not None:
        return _shown(*_found(matches, arguments.game, path))
    games = [game for match in matches for game in match.games]
    text = "\n".join(f"{g.number:>6}  {' - '.join(g.players)}: {g.verdict()}" for g in games)
    return status, {"file": str(path), "games": [game.as_data() for game in games]}, text


def _verified(path: Path, matches: list[Match]) -> Result:
    complaints = [complaint for match in matches for complaint in verify(match)]
    games = sum(len(match.games) for match in matches)
    unchecked = sum(not game.checked for match in matches for game in match.games)
    told = f"{games} games, {len(complaints)} complaints"
    older = [f"{unchecked} games without a checksum, as 0.1 wrote them"] if unchecked else []
    text = "\n".join([*complaints, told, *older])
    data: dict[str, object] = {
        "file": str(path), "games": games, "complaints": complaints, "unchecked": unchecked,
    }  # fmt: skip
    return int(bool(complaints)), data, text


def _found(matches: list[Match], number: int, path: Path) -> tuple[Match, GameRecord]:
    for match in reversed(matches):  # of several matches the last one was meant
        for game in match.games:
            if game.number == number:
                return match, game
    raise RulewrightError(f"{path} has no game {number}")


def _shown(match: Match, record: GameRecord) -> Result:
    return 0, record.as_data(), "\n".join(_lines(match, record))


def _lines(match: Match, record: GameRecord) -> Iterator[str]:
    game = game_of_plan(match.plan)
    way = recorded_states(game, record)
    yield f"game {record.number}: {' - '.join(record.players)}"
    number = 0
    for before, move in zip(way, record.moves, strict=False):
        if before.turn_begins:
            number += 1
            yield f"turn {number}, {before.mover} ({record.players[move.seat]})"
        told = [
            f"value {move.value:g}" if move.value is not None else "",
            f"depth {move.depth}" if move.depth is not None else "",
            f"{move.nodes:,} nodes" if move.nodes is not None else "",
            f"{move.seconds:.3f} s" if move.seconds is not None else "opening",
        ]
        yield f"  {move.text:<8} {', '.join(t for t in told if t)}"
    yield way[-1].board()
    yield record.verdict()
