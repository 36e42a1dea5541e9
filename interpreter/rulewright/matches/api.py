"""Matches and tournaments for Python; the commands only parse arguments and call this.

In: a game's name or path, players, and terms.  Out: a `Run`, an iterator over the games.  Refuses
before the first game whatever is wrong with the game, the players, the openings or the record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TypedDict, Unpack

from attrs import frozen

from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.files.games import load_with
from rulewright.matches import openings as op
from rulewright.matches.arena import meet
from rulewright.matches.executors import Cluster, InProcess, Pool, Processes
from rulewright.matches.game_lines import read_openings
from rulewright.matches.plan import (
    LONGEST,
    Adjudication,
    Form,
    MatchPlan,
    OpeningLines,
    Openings,
    Refusal,
)
from rulewright.matches.protocols.contestant import Contestant
from rulewright.matches.record_store import open_store
from rulewright.matches.run import Run
from rulewright.matches.statistics import Sprt
from rulewright.matches.verify import file_hashes, rules_hash
from rulewright.players.player import GameLimits
from rulewright.search.listing import listed_decisions

GAMES = 100
"""The games of a pairing where nothing is said."""


class Terms(TypedDict, total=False):
    """The settings of a match or tournament, besides its game and players."""

    options: Mapping[str, object]
    """Options of the rules."""
    games: int
    """Of each pairing, both seats together; even.  Of more than two players, of each line-up; it is
    rounded up to a game for each seat."""
    both_seats: bool
    """`games` for each pairing in each order, a player against itself included."""
    time: float | None
    """Seconds for each decision."""
    clock: tuple[float, float] | None
    """Seconds for all decisions of a game, and seconds given back after each turn."""
    nodes: int | None
    depth: int | None
    memory: int
    grace: float
    """Seconds by which a decision may be late."""
    openings: int | str | Path | Sequence[str] | None
    """Random turns, a file, or lines of moves.  Without it: two random turns, or more where two do
    not give every pair of a pairing an opening of its own."""
    adjudicate: tuple[float, int] | None
    """End a game when both players' values agree by so much for so many turns."""
    drawn: str | None
    """`EVALUATOR:VALUE`: end a game as a draw where that value of a position is not 0."""
    refused: Refusal
    """How a game counts in which a program refuses a legal decision: `void`, `lost`, `drawn`."""
    longest: int
    """Turns after which a game is a draw."""
    seed: int
    record: str | Path | None
    """A database, `.db`; what is on it already is not played again."""
    workers: int
    cluster: str | None
    """The address of a Dask scheduler."""
    executor: Executor | None


def match(
    game: str | Path,
    first: str,
    second: str,
    sprt: tuple[float, float] | tuple[float, float, float, float] | None = None,
    **terms: Unpack[Terms],
) -> Run:
    """Games between two players, in pairs on one opening with the seats exchanged.

    In a game of more than two players they sit in all seats by turns; `tournament` takes more.

    *sprt*: two differences in Elo; the match stops as soon as one of them is sure enough.  Two more
    numbers are the error rates (0.05 each).  Iterate to play, then ask for `result()`.
    """
    return _run(game, _Field((first, second), sprt=None if sprt is None else Sprt(*sprt)), terms)


def tournament(
    game: str | Path,
    players: Sequence[str],
    form: Form = "round robin",
    **terms: Unpack[Terms],
) -> Run:
    """Everyone against everyone, or the first against all others (`form="gauntlet"`).

    In a game of more than two players, in all line-ups, or in those with the first player.
    """
    return _run(game, _Field(tuple(players), form), terms)


@frozen
class _Field:
    """The players of a match, its form, and the test that ends it early."""

    players: tuple[str, ...]
    form: Form = "round robin"
    sprt: Sprt | None = None


def _run(source: str | Path, field: _Field, terms: Terms) -> Run:
    if not isinstance(source, str | Path):
        raise TypeError("a match takes the name or the path of a game, for its workers load it too")
    game = load_with(source, dict(terms.get("options", {})))
    faults = list[Fault]()
    plan = _plan(str(source), game, field, terms, faults)
    listed_decisions(game.start())
    meet(plan)
    path = terms.get("record")
    store = open_store(None if path is None else Path(path), plan)
    try:
        lines = store.openings
        if lines is None:
            store.begin(_openings(game, plan, faults))
            lines = store.openings
        assert lines is not None
        return Run(plan, lines, store, _pool(terms), str(faults[0]) if faults else "")
    except BaseException:
        store.close()
        raise


def _plan(source: str, game: Game, field: _Field, terms: Terms, faults: list[Fault]) -> MatchPlan:
    seats = max(2, len(game.players))
    contestants = [Contestant.parse(text) for text in field.players]
    hashes = {contestant.text: file_hashes(contestant, game) for contestant in contestants}
    agreed, test = terms.get("adjudicate"), field.sprt
    return MatchPlan(
        source,
        dict(game.options),
        field.players,
        _whole_rounds(terms.get("games", GAMES), seats),
        field.form,
        terms.get("both_seats", False),
        _limits(terms),
        _where_from(terms.get("openings"), game, faults),
        terms.get("seed", 0),
        None if test is None else (test.elo0, test.elo1, test.alpha, test.beta),
        None if agreed is None else Adjudication(*agreed),
        terms.get("longest", LONGEST),
        {"": {"rules": rules_hash(source)}, **hashes},
        terms.get("refused", "void"),
        terms.get("drawn") or "",
        seats,
    )


def _whole_rounds(games: int, seats: int) -> int:
    """Round up to a game for each seat where more than two play; of two, nobody asks for one."""
    return games if seats == 2 else -(-games // seats) * seats


def _limits(terms: Terms) -> GameLimits:
    clock = terms.get("clock")
    values = (terms.get("time"), *(clock or (None,)), terms.get("nodes"), terms.get("depth"))
    if any(limit is not None and limit <= 0 for limit in (values[0], values[1], *values[-2:])):
        raise RulewrightError("limits of a match are larger than 0")
    return GameLimits(
        terms.get("time"), clock[0] if clock else None, clock[1] if clock else 0.0,
        terms.get("nodes"), terms.get("depth"), terms.get("memory", 64), terms.get("grace", 1.0),
    )  # fmt: skip


def _where_from(
    wish: int | str | Path | Sequence[str] | None, game: Game, faults: list[Fault]
) -> Openings:
    if wish is None:
        return Openings(max(2, len(game.players)), deeper=True)
    if isinstance(wish, int):
        if wish < 0:
            raise RulewrightError("openings have 0 turns or more")
        return Openings(wish)
    if isinstance(wish, str | Path):
        return Openings(0, tuple(read_openings(Path(wish), game, faults)))
    return Openings(0, tuple(op.sound_lines(game, [("", text) for text in wish], faults)))


def _openings(game: Game, plan: MatchPlan, faults: list[Fault]) -> OpeningLines:
    """The lines that are given or drawn; none where no line can be played for faults of the rules.

    Then games begin at the start position, and show them.
    """
    source = plan.openings
    if source.lines:
        return op.merge_transpositions(game, [line.split() for line in source.lines])
    if source.deeper:
        lines = op.enough(game, plan.rounds, source.turns, plan.seed, faults)
    else:
        lines = op.generate(game, plan.rounds, source.turns, plan.seed, faults)
    return lines or ([()] if faults else [])


def _pool(terms: Terms) -> Pool:
    workers, executor, cluster = (
        terms.get("workers", 1), terms.get("executor"), terms.get("cluster"),
    )  # fmt: skip
    if workers < 1:
        raise RulewrightError("a match needs one worker at least")
    if executor is not None:
        return Pool(executor, workers)
    if cluster is not None:
        return Cluster(cluster)
    return InProcess() if workers == 1 else Processes(workers)
