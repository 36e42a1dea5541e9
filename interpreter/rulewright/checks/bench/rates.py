"""Rates of one game: random games, perft and search, in turns with a C program where there is one.

In: a game and how much effort to spend.  Out: a `RateRow` of medians with their smallest and
largest values.  A round measures C, then ours, then C's counts, then ours, so that both meet the
same noise; shares are taken within a round.  Rates are per second of processor time, as C's are.

The signature is what no change of speed may change: decisions counted and nodes searched.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from attrs import define, field, frozen

from rulewright.checks.bench.programs import Built, CProgram, build
from rulewright.compiler.engine import Engine, fastest
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game
from rulewright.games.engine.kernels import load_engine
from rulewright.games.engine.luck import rolled
from rulewright.games.files.games import bundled_games, load
from rulewright.reference.position import Position
from rulewright.search.best import best
from rulewright.search.results import Limits

_MOST_NODES = 2_000_000
"""Decisions that one perft may count."""
_DEEPEST = 12
_RATES = 0.4
"""The share of a game's time after which no round of rates is begun; the rest is for processes."""
_MOST_PLIES = 10_000
"""Decisions after which a random game is given up; C's games are all shorter."""


@frozen
class Effort:
    """The seconds of each measurement of a round, and the number of rounds.

    `within`: seconds of the wall for a game, after which what is measured by then has to do.
    """

    seconds: float = 0.3
    rounds: int = 5
    seed: int = 1
    only_playouts: bool = False
    within: float | None = None
    begun: float = field(factory=time.perf_counter)

    def seconds_left(self, share: float = 1.0) -> float | None:
        """Seconds that are left for a game, or for a part of it."""
        if self.within is None:
            return None
        return max(0.0, self.begun + share * self.within - time.perf_counter())


@define
class RateRow:
    """The figures of one game: names of the JSON form with the value of each round."""

    game: str
    options: dict[str, Any]
    backend: str
    rounds: dict[str, list[float]] = field(factory=dict)
    facts: dict[str, Any] = field(factory=dict)

    def add(self, name: str, value: float) -> None:
        """Note the value of one round."""
        self.rounds.setdefault(name, []).append(value)

    def middle(self, name: str) -> float | None:
        """The median over the rounds; None where nothing was measured."""
        return median(self.rounds[name]) if self.rounds.get(name) else None

    def as_data(self, names: tuple[str, ...]) -> dict[str, Any]:
        """The row for JSON; *names* are there even if nothing was measured."""
        data: dict[str, Any] = {"game": self.game, "options": self.options, "backend": self.backend}
        for name in dict.fromkeys((*names, *self.rounds)):
            values = self.rounds.get(name)
            data[name] = _rounded(median(values)) if values else None
            data[f"{name}_min"] = _rounded(min(values)) if values else None
            data[f"{name}_max"] = _rounded(max(values)) if values else None
        return data | self.facts


def _rounded(value: float) -> float:
    """Five figures: more would be noise."""
    return float(f"{value:.5g}")


def engine_of(game: Game) -> Engine:
    """The fastest engine of a game: machine code, else the kernels as plain Python."""
    reason: Engine | str = ""
    for backend in (fastest() or "native", "python"):
        reason = load_engine(game, backend)
        if isinstance(reason, Engine):
            return reason
    raise RulewrightError(f"there is nothing to measure: {reason}")


def measure(game: Game, program: CProgram | None, effort: Effort) -> RateRow:
    """All rates of one game."""
    engine = engine_of(game)
    row = RateRow(game.name, dict(game.options), engine.backend)
    with tempfile.TemporaryDirectory() as name:
        c, c_counts = _built(game, program, Path(name), effort)
        ours = _Playouts(engine, game.play.first, effort)
        counts = None if effort.only_playouts else _Counts.deepest(engine, game.play.first, effort)
        for number in range(effort.rounds):
            if number and effort.seconds_left(_RATES) == 0.0:
                break
            _round(row, ours, c, number)
            if counts is not None:
                _counting_round(row, counts, c_counts)
                row.add("search_nodes_per_s", search_rate(game, effort.seconds, effort.seed))
    if counts is not None:
        row.facts["perft_depth"] = counts.depth
    return row


def _built(
    game: Game, program: CProgram | None, folder: Path, effort: Effort
) -> tuple[Built | None, Built | None]:
    if program is None:
        return None, None
    c = build(program.source, program.definitions(game), folder)
    if effort.only_playouts or not program.perft:
        return c, None
    return c, build(program.perft[0], program.perft[1:], folder)


def _round(row: RateRow, ours: _Playouts, c: Built | None, number: int) -> None:
    effort = ours.effort
    theirs = None
    if c is not None:
        rates = c.run(effort.seconds, effort.seed + number)
        theirs = rates["playouts"] / rates["seconds"]
        row.add("c_playouts_per_s", theirs)
        row.add("c_ns_per_ply", rates["seconds"] / rates["plies"] * 1e9)
    rates = ours.run()
    for name, value in rates.items():
        row.add(name, value)
    if theirs is not None:
        row.add("share_of_c", rates["playouts_per_s"] / theirs)


def _counting_round(row: RateRow, counts: _Counts, c: Built | None) -> None:
    rate = None
    if c is not None:
        counted = c.run(counts.effort.seconds, counts.depth)
        rate = counted["nodes"] / counted["seconds"]
        row.add("c_perft_nodes_per_s", rate)
    ours = counts.run()
    row.add("perft_nodes_per_s", ours)
    if rate is not None:
        row.add("share_of_c_perft", ours / rate)


def _timed(call: Callable[[], Any]) -> tuple[Any, float]:
    begun = time.process_time()
    result = call()
    return result, max(time.process_time() - begun, 1e-9)


@define
class _Playouts:
    """Random games in batches that grow until the clock can see them."""

    engine: Engine
    position: Position
    effort: Effort
    batch: int = 1
    calls: int = 0

    def run(self) -> dict[str, float]:
        """Rates of one round, and what its games were like; shares are of all games."""
        games, plies, spent, won = 0, 0, 0.0, list[int]()
        while spent < self.effort.seconds:
            (batch_plies, counts), seconds = _timed(self._call)
            games, plies, spent = games + self.batch, plies + batch_plies, spent + seconds
            won = [a + b for a, b in zip(won or [0] * len(counts), counts, strict=True)]
            if seconds < 0.1 * self.effort.seconds:
                self.batch *= 2
        return {
            "playouts_per_s": games / spent,
            "ns_per_ply": spent / max(plies, 1) * 1e9,
            "plies_per_playout": plies / games,
            "first_share": won[0] / games,
            "draw_share": won[-2] / games,
        }

    def _call(self) -> tuple[int, list[int]]:
        self.calls += 1
        seed = self.effort.seed * 1_000_003 + self.calls
        return self.engine.playouts(self.position, self.batch, seed, _MOST_PLIES)


@define
class _Counts:
    """Perft at one depth."""

    engine: Engine
    position: Position
    effort: Effort
    depth: int

    @classmethod
    def deepest(cls, engine: Engine, position: Position, effort: Effort) -> _Counts:
        """The depth whose count stays small enough for a round."""
        before, depth = 1, 1
        (_, nodes), spent = _timed(partial(engine.count, position, depth))
        while depth < _DEEPEST and nodes > before:
            growth = nodes / before
            if nodes * growth > _MOST_NODES or spent * growth > 2 * effort.seconds:
                break
            depth, before = depth + 1, nodes
            (_, nodes), spent = _timed(partial(engine.count, position, depth))
        return cls(engine, position, effort, depth)

    def run(self) -> float:
        """Decisions counted a second."""
        total, spent = 0, 0.0
        while spent < self.effort.seconds:
            (_, nodes), seconds = _timed(lambda: self.engine.count(self.position, self.depth))
            total, spent = total + nodes, spent + seconds
        return float(total / spent)


# --- the search ---

LEAST_SECONDS = 0.1
"""A search shorter than this may be over before its first iteration is."""
_MOST_SEARCHED = 200_000


def search_rate(game: Game, seconds: float, seed: int) -> float:
    """Nodes a second of alpha-beta from the first position."""
    if game.rules.has_several:
        return 0.0
    load_engine(game)  # the code is compiled with all care before
    result = best(
        rolled(game.start(), 1), Limits(seconds=max(seconds, LEAST_SECONDS)), seed, "alphabeta"
    )
    return result.nodes / max(result.seconds, 1e-9)


def search_nodes(game: Game, depth: int) -> int:
    """Nodes of alpha-beta to a fixed depth, the same on every machine; 0 without kernels."""
    if game.rules.has_several or isinstance(load_engine(game), str):
        return 0
    return best(rolled(game.start(), 1), Limits(None, _MOST_SEARCHED, depth), 1, "alphabeta").nodes


# --- the signature ---

_MOST_COUNTED = 20_000
_SIGNATURE_DEPTH = 3


def signature() -> Iterator[tuple[str, int, int]]:
    """For each bundled game its name, the decisions of a perft and the nodes of a search.

    The numbers change only when the engine behaves differently: with the rules, the order of
    decisions or the search, and not with their speed.
    """
    for name in bundled_games():
        game = load(name)
        yield name, _counted(game), search_nodes(game, _SIGNATURE_DEPTH)


def _counted(game: Game) -> int:
    """Decisions of the deepest perft that counts no more than so many."""
    engine, nodes = engine_of(game), 0
    for depth in range(1, 20):
        _, count = engine.count(game.play.first, depth)
        if count == nodes or count > _MOST_COUNTED:
            break
        nodes = count
    return nodes
