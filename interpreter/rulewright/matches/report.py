"""A match as one HTML page: tables, ratings with intervals, lengths, games to click through.

In: a match on record.  Out: one HTML document that needs nothing else.  All positions of all games
would be large: a drawing is kept as the lines of its SVG, each line once for the whole page, and a
position as what changed since the one before.  Charts take their colours from the page.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from attrs import define, field

from rulewright.ground.printable import amount, printable
from rulewright.matches.game_record import GameRecord
from rulewright.matches.record_files import Match
from rulewright.matches.standing import Standing
from rulewright.matches.summary import beginners, captions, cross_rows, markup, place_rows
from rulewright.matches.verify import game_of_plan, recorded_states

GAMES = 100
"""Games that are drawn where nothing is said."""


def report(match: Match, most: int = GAMES) -> str:
    """The page of a match: all its games, at most so many of them drawn."""
    standing = Standing(match.plan, match.openings)
    for record in match.games:
        standing.add(record)
    data = standing.as_data(standing.ended() or "as far as it is on record")
    games = spread(match.games, most)
    remark = "" if len(games) == len(match.games) else f"{len(games)} of them are drawn. "
    page = Template(Path(__file__).with_name("page.html").read_text("utf-8"))
    players = " - ".join(match.plan.players)
    return page.substitute(
        title=markup(f"{match.plan.game}: {players}"),
        body="\n".join(_body(match, standing, data)),
        shown=markup(f"{amount(len(match.games), 'game')}. {remark}"),
        data=_embedded(viewer_data(match, games)),
    )


def spread(games: Sequence[GameRecord], most: int) -> list[GameRecord]:
    """At most so many games, evenly chosen."""
    if len(games) <= most:
        return list(games)
    return [games[i * len(games) // most] for i in range(most)]


def _embedded(data: Any) -> str:
    """JSON that cannot end the element it stands in."""
    return json.dumps(_printable_data(data), separators=(",", ":")).replace("<", "\\u003c")


def _printable_data(data: Any) -> Any:
    """Data whose texts are printable: the page shows them as they are."""
    if isinstance(data, dict):
        return {key: _printable_data(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_printable_data(value) for value in data]
    return printable(data) if isinstance(data, str) else data


# --- what is told ---


def _body(match: Match, standing: Standing, data: dict[str, Any]) -> Iterator[str]:
    yield f"<p>{markup(_terms(match))}</p>"
    if not data["games"]:  # as counted: of a sequential test only what comes in order
        yield "<p>No game is on record yet.</p>"
        return
    for line in captions(data):
        yield f"<p>{markup(line)}</p>"
    if not data["games"]:
        return
    yield "<h2>Ratings</h2>"
    yield f"<figure>{intervals(data['ratings'])}</figure>"
    yield from _scores(data)
    yield "<h2>Length of the games in turns</h2>"
    yield f"<figure>{histogram(standing.lengths)}</figure>"
    yield "<h2>Time and nodes</h2>"
    yield table("For each decision, on average.", _efforts(data))


def _scores(data: dict[str, Any]) -> Iterator[str]:
    """The tables of points, or of places where more than two play."""
    if "placings" in data:
        yield "<h2>Places</h2>"
        yield table("How often each entrant had each place.", place_rows(data))
        return
    yield "<h2>Everyone against everyone</h2>"
    yield table("Points and games of the row's player.", _cross(data))
    yield "<h2>Who began</h2>"
    yield table("Whoever began stands first.", _seats(data))
    if data["both_seats"]:
        yield table("Share of the points of whoever begins (the row), in %.", beginners(data))


def _terms(match: Match) -> str:
    plan = match.plan
    limits = ", ".join(f"{name} {value:g}" for name, value in plan.limits.as_data().items())
    options = ", ".join(f"{name} {value}" for name, value in plan.options.items())
    dates = sorted(game.date for game in match.games)
    sentences = [
        f"Options: {options}." if options else "",
        f"Limits: {limits or 'those of the personalities'}.",
        f"Seed {plan.seed}.",
        f"Rules {plan.hashes.get('', {}).get('rules', '')}.",
        f"Played {dates[0][:10]} to {dates[-1][:10]}." if dates else "",
    ]
    return " ".join(part for part in sentences if part)


Rows = Iterable[Sequence[str]]


def table(caption: str, rows: Rows) -> str:
    """Rows as HTML; the first one is the head."""
    head, *body = rows
    lines = [f"<tr>{''.join(f'<th>{markup(cell)}</th>' for cell in head)}</tr>"]
    lines += [f"<tr>{''.join(f'<td>{markup(cell)}</td>' for cell in row)}</tr>" for row in body]
    inner = "\n".join(lines)
    return f'<div class="scroll"><table><caption>{markup(caption)}</caption>\n{inner}</table></div>'


def _cross(data: dict[str, Any]) -> Rows:
    """The table of a summary, without the sums."""
    (_, elo, _, *_), *rows = cross_rows(data)
    yield ["", elo, "95 %", *(str(i + 1) for i in range(len(rows)))]
    yield from ([*row[:3], *row[5:]] for row in rows)


def _seats(data: dict[str, Any]) -> Rows:
    yield ["first - second", "games", "first won", "second won", "drawn", "share", "turns"]
    for cell in data["pairings"]:
        counts = [cell[name] for name in ("games", "p1_wins", "p2_wins", "draws")]
        yield [
            f"{cell['p1']} - {cell['p2']}", *map(str, counts), f"{cell['p1_score']:.1%}",
            f"{cell['mean_turns']:.1f}",
        ]  # fmt: skip


def _efforts(data: dict[str, Any]) -> Rows:
    yield ["", "decisions", "ms", "nodes", "failures"]
    for effort in data["effort"]:
        decisions = max(1, effort["decisions"])
        milliseconds = 1000 * effort["seconds"] / decisions
        yield [
            effort["player"], str(effort["decisions"]), f"{milliseconds:.3g}",
            f"{effort['nodes'] / decisions:,.0f}", str(effort["failures"]),
        ]  # fmt: skip


# --- games to click through ---


@define
class _Lines:
    """Every line of every drawing once."""

    numbers: dict[str, int] = field(factory=dict)

    def frame(self, drawing: str) -> list[int]:
        return [self.numbers.setdefault(x, len(self.numbers)) for x in drawing.strip().split("\n")]


def viewer_data(match: Match, games: Sequence[GameRecord]) -> dict[str, Any]:
    """Lines of drawings, and for each game what the list says; its decisions and frames if drawn.

    A game that is not drawn has its decisions as one text.
    """
    lines, numbers = _Lines(), {record.number for record in games}
    game = game_of_plan(match.plan) if numbers else None
    entries = []
    for record in match.games:
        entry = _entry(record)
        if game is None or record.number not in numbers:
            entries.append(entry | {"line": " ".join(record.decisions)})
            continue
        frames = [lines.frame(state.svg()) for state in recorded_states(game, record)]
        notes = (", ".join([record.players[m.seat], *m.facts]) for m in record.moves)
        moves = zip(record.decisions, notes, strict=True)
        entry["moves"] = [{"text": text, "told": note} for text, note in moves]
        entry["frames"] = list(packed_frames(frames))
        entries.append(entry)
    return {"lines": list(lines.numbers), "games": entries}


def _entry(record: GameRecord) -> dict[str, Any]:
    return {
        "number": record.number, "name": " - ".join(record.players), "result": _result(record),
        "turns": record.turns, "opening": " ".join(record.decisions[: record.opening]),
        "told": record.verdict(),
    }  # fmt: skip


def _result(record: GameRecord) -> str:
    """The points of whoever began and of the other one; of several their places, by seats."""
    if record.reason == "fault" or (record.reason == "refused" and record.winner is None):
        return record.reason
    if record.places:
        return "-".join(map(str, record.places))
    return {0: "1-0", 1: "0-1", None: "1/2"}[record.winner]


def packed_frames(frames: Sequence[Sequence[int]]) -> Iterator[dict[str, Any]]:
    """Each frame as what changed since the one before; whole where its length changed."""
    before: Sequence[int] | None = None
    for frame in frames:
        if before is None or len(frame) != len(before):
            yield {"whole": list(frame)}
        else:
            pairs = enumerate(zip(before, frame, strict=True))
            yield {"change": [[i, new] for i, (old, new) in pairs if old != new]}
        before = frame


# --- charts ---


WIDTH, NAMES, ROW = 720.0, 200.0, 26.0
"""Of a chart of intervals: all of it, its names, the height of a row."""
BARS, HEIGHT = 40, 160.0
"""Of a histogram: at most so many bars, and how high they are."""


def intervals(ratings: Sequence[Mapping[str, Any]]) -> str:
    """A row for each player: a dot at the rating, a line over its interval."""
    low: float = min(r["low"] for r in ratings)
    high: float = max(r["high"] for r in ratings)
    step = _step(high - low)
    low, high = math.floor(low / step) * step, (math.floor(high / step) + 1) * step

    def x(elo: float) -> float:
        return NAMES + (elo - low) / (high - low) * (WIDTH - NAMES - 30)

    height = ROW * (len(ratings) + 1)
    parts: list[str] = []
    for k in range(round((high - low) / step) + 1):
        at = x(low + k * step)
        parts.append(
            f'<line class="line" opacity="0.2" x1="{at:.1f}" x2="{at:.1f}" y1="0"'
            f' y2="{height - ROW:.1f}"/>'
        )
        parts.append(_text(at, height - 6, f"{low + k * step:+g}", "middle"))
    for row, rating in enumerate(ratings):
        parts += _interval(rating, ROW * (row + 0.5), (x(rating["low"]), x(rating["high"])), x)
    return _svg(WIDTH, height, "Ratings in Elo with their 95 % intervals", parts)


def _interval(rating: Mapping[str, Any], y: float, ends: tuple[float, float], x: Any) -> list[str]:
    return [
        _text(0, y + 5, rating["player"], "start"),
        f'<line class="line" x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>',
        f'<circle class="bar" cx="{x(rating["elo"]):.1f}" cy="{y:.1f}" r="5">'
        f"<title>{markup(rating['player'])}: {rating['elo']:+g}</title></circle>",
    ]


def _step(span: float) -> float:
    """A round number of which five to ten make up *span*."""
    rough = max(span, 1.0) / 6
    base: float = 10.0 ** math.floor(math.log10(rough))
    return next(base * k for k in (1, 2, 5, 10) if base * k >= rough)


def histogram(lengths: Sequence[int]) -> str:
    """A bar for each length, or for a range of them where there are many."""
    bins = list(length_bins(lengths))
    most = max(count for _, _, count in bins)
    wide = (WIDTH - 40) / len(bins)
    parts: list[str] = []
    for i, (low, high, count) in enumerate(bins):
        tall = HEIGHT * count / most
        label = str(low) if low == high else f"{low}-{high}"
        parts.append(
            f'<rect class="bar" x="{20 + i * wide:.1f}" y="{HEIGHT - tall + 16:.1f}"'
            f' width="{wide * 0.9:.1f}" height="{tall:.1f}"><title>{label}: {count}</title></rect>'
        )
        if i % max(1, len(bins) // 12) == 0:
            parts.append(_text(20 + (i + 0.45) * wide, HEIGHT + 32, str(low), "middle"))
    parts.append(_text(20, 12, f"up to {amount(most, 'game')}", "start"))
    return _svg(WIDTH, HEIGHT + 40, "How many games had which length in turns", parts)


def length_bins(lengths: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """First and last length of each bar, and how many games it counts; none is left out."""
    low, high = min(lengths), max(lengths)
    wide = -(-(high - low + 1) // BARS)
    for start in range(low, high + 1, wide):
        end = start + wide - 1
        yield start, end, sum(start <= length <= end for length in lengths)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text class="text" x="{x:.1f}" y="{y:.1f}" font-size="12" text-anchor="{anchor}">'
        f"{markup(text)}</text>"
    )


def _svg(width: float, height: float, label: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{markup(label)}"'
        f' font-family="Helvetica, Arial, sans-serif">{"".join(parts)}</svg>'
    )
