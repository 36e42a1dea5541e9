"""Results as text: a match in a few sentences, a tournament as a crosstable with ratings.

In: the data of `Standing.as_data`, or a `Run`.  Out: lines of text; the run's games, while the
screen shows how it stands.  With the package rich (extra `live`) that is the table, without it one
line; nothing is shown where there is no terminal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

from rulewright.games.render.markup import escaped
from rulewright.ground.printable import (
    amount,
    columns,
    plural,
    printable,
    printable_name,
    unguarded,
)
from rulewright.matches.game_record import GameRecord
from rulewright.matches.run import Run

Data = Mapping[str, Any]
ENOUGH = 30
"""Games from which on it is said how sure it is who is stronger."""


def summary_lines(data: Data) -> Iterator[str]:
    """The whole result."""
    if data["games"]:
        yield from _scores(data)
        if data["both_seats"]:
            yield "share of the points of whoever begins (the row):"
            yield from columns(beginners(data))
    yield from general(data)
    if data["games"]:
        yield from efforts(data)
    yield f"stopped: {data['stopped']}"


def _scores(data: Data) -> Iterator[str]:
    """Who did how well: two against each other, many, or several in one game."""
    if "placings" in data:
        yield from columns(place_rows(data))
    else:
        yield from duel(data) if len(data["players"]) == 2 else crosstable(data)


def place_rows(data: Data) -> list[list[str]]:
    """The rows of the table of a game of more than two players, headings first."""
    places = range(1, data["seats"] + 1)
    rows = [["", "Elo", "with 95 %", "games", *(f"place {place}" for place in places)]]
    ranked = enumerate(zip(data["ratings"], data["placings"], strict=True), 1)
    for number, (rating, placing) in ranked:
        counts = (str(placing["places"].get(str(place), 0)) for place in places)
        interval = between(rating["low"], rating["high"])
        elo, games = signed_number(rating["elo"]), str(placing["games"])
        rows.append([f"{number} {rating['player']}", elo, interval, games, *counts])
    return rows


def captions(data: Data) -> Iterator[str]:
    """The sentences that a page shows beside its tables."""
    if data["games"] and len(data["players"]) == 2 and "placings" not in data:
        yield from map(str.strip, duel(data))
    yield from general(data)
    yield f"stopped: {data['stopped']}"


def duel(data: Data) -> Iterator[str]:
    """The lines of a summary of a match between two players."""
    first, second = data["players"]
    wins, draws, losses = totals(data, first, second)
    games = max(1, wins + draws + losses)
    points = share(wins, draws, games)
    yield f"{first} against {second}: {wins} won, {draws} drawn, {losses} lost ({points})"
    yield f"  {difference(data)}, with 95 % {between(data['low'], data['high'])}"
    early = f"too early to tell who is stronger: fewer than {ENOUGH} games"
    stronger = f"{first} is the stronger with {data['superiority']:.1%}"
    yield f"  {early if games < ENOUGH else stronger}"
    pairs = ", ".join(map(str, data["pairs"]))
    yield f"  pairs of games with 0, 1/2, 1, 3/2, 2 points: {pairs}"
    test = data.get("sprt")
    if test:
        yield (
            f"  sequential test of Elo {test['elo0']:g} and {test['elo1']:g}: log-likelihood ratio"
            f" {test['llr']:.2f} in {test['low']:.2f}..{test['high']:.2f}"
        )


def crosstable(data: Data) -> Iterator[str]:
    """Everyone's points against everyone, the highest rated first."""
    yield from columns(cross_rows(data))


def cross_rows(data: Data) -> list[list[str]]:
    """The rows of the table, headings first."""
    names = [rating["player"] for rating in data["ratings"]]
    rows = [["", "Elo", "with 95 %", "points", "games", *[str(i + 1) for i in range(len(names))]]]
    for i, rating in enumerate(data["ratings"]):
        name = rating["player"]
        scores = [score(data, name, opponent) for opponent in names]
        points = sum(s[0] for s, opponent in zip(scores, names, strict=True) if opponent != name)
        games = sum(s[1] for s, opponent in zip(scores, names, strict=True) if opponent != name)
        cells = [f"{points_:g}/{n}" if n else "-" for points_, n in scores]
        interval = between(rating["low"], rating["high"])
        rows.append(
            [
                f"{i + 1} {name}",
                signed_number(rating["elo"]),
                interval,
                f"{points:g}",
                str(games),
                *cells,
            ]
        )
    return rows


def beginners(data: Data) -> list[list[str]]:
    """The percentage of the points that the row's player won as the first one, by the second."""
    names = [rating["player"] for rating in data["ratings"]]
    cells = {(cell["p1"], cell["p2"]): cell for cell in data["pairings"]}
    rows = [["", *[str(i + 1) for i in range(len(names))], "all"]]
    for i, name in enumerate(names):
        own_cells = [cells.get((name, opponent)) for opponent in names]
        points = sum(cell["p1_score"] * cell["games"] for cell in own_cells if cell)
        games = sum(cell["games"] for cell in own_cells if cell)
        shares = [f"{cell['p1_score'] * 100:.1f}" if cell else "-" for cell in own_cells]
        rows.append([f"{i + 1} {name}", *shares, f"{points / games * 100:.1f}" if games else "-"])
    return rows


def general(data: Data) -> Iterator[str]:
    """Write the sentences about all games together."""
    games, distinct, repeated = (data[f"{n}games"] for n in ("", "distinct_", "repeated_"))
    if games:
        same = "" if distinct == games else f", {distinct} of them different"
        yield f"{amount(games, 'game')}{same}; {data['mean_turns']:.1f} turns on average"
        ending = "had no winner" if "placings" in data else "were drawn"
        yield f"the first player won {data['first_share']:.1%}, {data['draw_share']:.1%} {ending}"
    else:
        yield "no game counts"
    if repeated:
        repeats = plural(repeated, "repeats", "repeat")
        yield _uncounted(repeated, "more game", f"{repeats} others move by move")
    for name, of in (("faulty", "a fault of the rules"), ("refused", "a legal decision refused")):
        if number := data.get(f"{name}_games"):
            yield _uncounted(number, "more game", f"{_are(number)} of pairs with {of}")
    without = {e["player"]: e["unsearched"] for e in data["effort"] if e["unsearched"]}
    if without:
        message = ", ".join(f"{player} {count}" for player, count in without.items())
        yield f"decisions made without a search, for lack of time or code: {message}"
        number = data["unsearched_games"]
        yield _uncounted(number, "game", f"{_are(number)} of pairs with such decisions")
    odd = {k: n for k, n in data["reasons"].items() if k != "rules"}
    if odd:
        yield "ended otherwise than by the rules: " + ", ".join(f"{k} {n}" for k, n in odd.items())


def _uncounted(number: int, noun: str, what: str) -> str:
    """Say of games that they do not count, and why."""
    return f"{amount(number, noun)} {what}, and {plural(number, 'does', 'do')} not count"


def _are(number: int) -> str:
    return plural(number, "is", "are")


def efforts(data: Data) -> Iterator[str]:
    """List the decisions, seconds and nodes of each player."""
    for effort in data["effort"]:
        decisions = max(1, effort["decisions"])
        seconds = effort["seconds"] / decisions
        failed = f", failed {amount(effort['failures'], 'time')}" if effort["failures"] else ""
        nodes = f", {effort['nodes'] / decisions:,.0f} nodes" if effort["nodes"] else ""
        yield f"  {effort['player']}: {seconds * 1000:.3g} ms{nodes} a decision{failed}"


def totals(data: Data, first: str, second: str) -> tuple[int, int, int]:
    """Won, drawn and lost by *first* against *second* in both seats."""
    wins = draws = losses = 0
    for cell in data["pairings"]:
        if (cell["p1"], cell["p2"]) == (first, second):
            wins, losses = wins + cell["p1_wins"], losses + cell["p2_wins"]
        elif (cell["p1"], cell["p2"]) == (second, first):
            wins, losses = wins + cell["p2_wins"], losses + cell["p1_wins"]
        else:
            continue
        draws += cell["draws"]
    return wins, draws, losses


def score(data: Data, first: str, second: str) -> tuple[float, int]:
    """Count points and games of *first* against *second*; against itself, those of who began."""
    wins, draws, losses = totals(data, first, second)
    return wins + draws / 2, wins + draws + losses


def share(wins: int, draws: int, games: int) -> str:
    """Write the share of the points in percent: `62.5%`."""
    return f"{(wins + draws / 2) / games:.1%}"


def difference(data: Data) -> str:
    """Say how much stronger the first of two is, in Elo."""
    if data["elo"] is not None:
        return f"Elo {signed_number(data['elo'])}"
    return f"Elo {'-inf' if data['low'] is None else '+inf'}"


def signed_number(number: float) -> str:
    """A number of Elo."""
    return f"{number:+.0f}"


def between(low: float | None, high: float | None) -> str:
    """An interval of Elo; None is infinite, on the side where it stands."""
    ends = (
        "-inf" if low is None else signed_number(low),
        "+inf" if high is None else signed_number(high),
    )
    return "..".join(ends)


def markup(text: str) -> str:
    """Somebody else's text, as content of a page or a drawing."""
    return escaped(printable_name(text))


# --- progress at a terminal ---


EVERY = 0.2
"""Seconds between two pictures at the least."""


def watch_games(run: Run, stream: TextIO | None = None) -> Iterator[GameRecord]:
    """The games of *run*, shown on *stream* (standard error) while they are played."""
    stream = stream or sys.stderr
    if not stream.isatty():
        yield from run
        return
    start = last = time.perf_counter()
    with _screen(unguarded(stream)) as show:
        for record in run:
            now = time.perf_counter()
            if now - last >= EVERY:
                last = now
                show(printable(_progress(run, now - start)))
            yield record


def _progress(run: Run, seconds: float) -> str:
    """A line of progress, and the table below it."""
    games = run.plan.total
    rate = max(1, run.played - run.resumed) / seconds
    remainder = _span((games - run.played) / rate)
    head = f"{run.played} of {amount(games, 'game')}, {rate:.3g} a second, {remainder} to go"
    return "\n".join([head, *summary_lines(run.result())])


def _span(seconds: float) -> str:
    """A time in words that are short."""
    minutes, remaining_seconds = divmod(round(seconds), 60)
    return f"{minutes} min {remaining_seconds} s" if minutes else f"{remaining_seconds} s"


@contextmanager
def _screen(stream: TextIO) -> Iterator[Callable[[str], None]]:
    """Show texts at one place of a terminal, one by one; without rich only first lines."""
    try:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text
    except ImportError:
        yield lambda text: print(f"\r\x1b[K{text.splitlines()[0]}", end="", file=stream, flush=True)
        stream.write("\r\x1b[K")
        return
    with Live(console=Console(file=stream), refresh_per_second=4, transient=True) as live:
        yield lambda text: live.update(Text(text))
