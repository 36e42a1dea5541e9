"""Games on record for other programs and for people: CSV, lines of JSON, text, SVG, SGF.

In: matches on record.  Out: a table or the lines of all games; or of one game its text, a page of
pictures with the board after every turn, or SGF where the game has a number there.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from rulewright.games.engine.game import Game, State
from rulewright.ground.printable import printable
from rulewright.matches.game_record import ORDINALS, GameRecord, Head, RecordedMove
from rulewright.matches.protocols import move_list, sgf
from rulewright.matches.protocols.recorded import Ending, Recorded
from rulewright.matches.record_files import Match
from rulewright.matches.summary import markup
from rulewright.matches.verify import game_of_plan, recorded_states


def columns_of(seats: int) -> list[str]:
    """The names of the columns, where games have at most so many seats."""
    names = ORDINALS[:seats]
    seconds = (f"seconds_{name}" for name in names)
    places = ("places",) if seats > 2 else ()
    return [
        "match", "game", "number", "pair", *names, "winner", "first_points", *places,
        "reason", "detail", "turns", "decisions", *seconds, "date", "moves",
    ]  # fmt: skip


GAP, TITLE = 16.0, 28.0
"""Between two boards of a page, and what its title takes."""
ACROSS = 4
"""Boards in a row of a page."""


def lines_text(matches: Sequence[Match]) -> str:
    """All matches as lines of JSON, which read back: the head of each, and then its games."""
    parts = list[str]()
    for match in matches:
        parts.append(Head.of(match.plan, match.openings).line())
        parts += [game.line() for game in match.games]
    return "".join(f"{part}\n" for part in parts)


def csv_text(matches: Sequence[Match]) -> str:
    """All games as a table: a line with the names of the columns, then one for each game."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    seats = max((match.plan.seats for match in matches), default=2)
    writer.writerow(columns_of(seats))
    for match in matches:
        for game in match.games:
            writer.writerow(map(_cell, _row(game, seats)))
    return text.getvalue()


def _cell(value: object) -> object:
    """A text that no spreadsheet takes for a formula."""
    if not isinstance(value, str):
        return value
    text = printable(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t")) else text


def _row(game: GameRecord, seats: int) -> Iterator[object]:
    """The cells of a game, in a table of games of so many seats."""
    absent = [""] * (seats - len(game.players))
    yield from (game.match, game.game, game.number, game.pair, *game.players, *absent)
    yield "" if game.winner is None else game.players[game.winner]
    yield game.points[0]
    if seats > 2:
        yield " ".join(map(str, game.places))
    yield from (game.reason, game.detail, game.turns, len(game.moves))
    for seat in range(seats):
        yield round(sum(m.seconds or 0.0 for m in game.moves if m.seat == seat), 6)
    yield from (game.date, " ".join(game.decisions))


def game_text(match: Match, record: GameRecord) -> str:
    """One game as a list of moves, which reads back; the last board and the verdict as comments."""
    end = recorded_states(game_of_plan(match.plan), record)[-1]
    moves = move_list.write(Recorded(record.game, end, record.players, _ending(end, record)))
    comments = [f"game {record.number}", *end.board().splitlines(), *record.verdict().splitlines()]
    return printable(moves + "".join(f"# {line}".rstrip() + "\n" for line in comments))


# --- pictures ---


def svg_page(match: Match, record: GameRecord) -> str:
    """One game as one SVG document: the board at the start and after every turn."""
    game = game_of_plan(match.plan)
    turns = list(after_turns(game, record))
    boards = [(title, state.svg()) for title, state in turns]
    wide, high = _size(boards[0][1])
    across = min(ACROSS, len(boards))
    down = -(-len(boards) // across)
    cell = (wide + GAP, high + TITLE + GAP)
    width, height = GAP + across * cell[0], GAP + 2 * TITLE + down * cell[1]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}" font-family="Helvetica, Arial, sans-serif">',
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        _words(GAP, GAP + 14, f"{game.name}: {' - '.join(record.players)}", 18),
    ]
    for number, (title, drawing) in enumerate(boards):
        x, y = GAP + number % across * cell[0], GAP + TITLE + number // across * cell[1]
        parts.append(_words(x, y + 18, title, 13))
        parts.append(drawing.replace("<svg ", f'<svg x="{x:g}" y="{y + TITLE:g}" ', 1).strip())
    parts += [_words(GAP, height - GAP, record.verdict(), 14), "</svg>"]
    return "\n".join(parts) + "\n"


def after_turns(game: Game, record: GameRecord) -> Iterator[tuple[str, State]]:
    """The first state and those after every turn, each with the turn that led there."""
    way = recorded_states(game, record)
    yield "start", way[0]
    start, number = way[0], 0
    for state in way[1:]:
        if state.turn_begins or state.over:
            number += 1
            decisions = state.decisions()[len(start.decisions()) :]
            yield f"{number}. {start.mover}: {start.turn_text(decisions)}", state
            start = state
    if start is not way[-1]:
        decisions = way[-1].decisions()[len(start.decisions()) :]
        yield f"{number + 1}. {start.mover}: {' '.join(decisions)} ...", way[-1]


def _size(drawing: str) -> tuple[float, float]:
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', drawing)
    assert size is not None
    return float(size[1]), float(size[2])


def _words(x: float, y: float, text: str, size: float) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}">{markup(text)}</text>'


# --- SGF ---

_ENDINGS = {"time": "time", "crash": "forfeit", "hang": "forfeit", "illegal": "forfeit"}


def sgf_bytes(match: Match, record: GameRecord) -> bytes:
    """One game as SGF, with what the players thought as comments.

    Raises `RulewrightError` where the game has no number in SGF.
    """
    game = game_of_plan(match.plan)
    end = recorded_states(game, record)[-1]
    comments = {
        number: ", ".join(_worth_and_depth(move))
        for number, move in enumerate(record.moves, 1)
        if move.worth
    }
    return sgf.write(Recorded(record.game, end, record.players, _ending(end, record), comments))


def _worth_and_depth(move: RecordedMove) -> Iterator[str]:
    yield move.worth
    if move.depth is not None:
        yield f"depth {move.depth}"


def _ending(end: State, record: GameRecord) -> Ending | None:
    if end.result is not None:
        return None
    if record.places:  # formats know ends of two players; the verdict stands beside it
        return None
    if record.winner is None:
        return Ending("draw")
    loser = end.game.players[(1 - record.winner) ^ end.swapped]
    return Ending(_ENDINGS.get(record.reason, "resigned"), loser)
