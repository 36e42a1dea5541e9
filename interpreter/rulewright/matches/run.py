"""A match or a tournament under way: an iterator of its games that can be cancelled and resumed.

In: a plan, a record store, a pool.  Out: one `GameRecord` after the other, and where it stands.
Games that are on record already are counted and not played again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future
from typing import Any

from attrs import define, field

from rulewright.errors import RulewrightError
from rulewright.games.render.markup import rich
from rulewright.ground.interruption import Arrivals, hold_signals
from rulewright.ground.printable import amount
from rulewright.matches.arena import Task
from rulewright.matches.executors import Answer, Pool
from rulewright.matches.game_record import GameRecord
from rulewright.matches.plan import MatchPlan, OpeningLines, Pair
from rulewright.matches.record_store import RecordStore
from rulewright.matches.standing import Standing

TASK_SECONDS = 0.05
"""How long a task should be: short games are handed out several pairs at a time."""
MOST_PAIRS = 50
"""Pairs of a task at the most."""
BREAKS = 3
"""How often in a row a pool may break before that is given up."""


@define(eq=False)
class Run:
    """Iterate to play; `standing` is what was counted so far, `result()` the same as data.

    Leaving early (`break`, an exception, `cancel`) loses no finished game that is on record.
    """

    plan: MatchPlan
    openings: OpeningLines
    store: RecordStore
    pool: Pool
    fault: str = ""
    """A fault of the rules in the openings, drawn at random or given; empty for none."""
    standing: Standing = field(init=False)
    resumed: int = field(default=0, init=False)
    """How many games were on record when this began."""
    _stopped: str = field(default="", init=False)
    _waiting: deque[Pair] = field(init=False)
    _flying: dict[Future[Answer], list[Pair]] = field(factory=dict, init=False)
    _arrivals: Arrivals[Answer] = field(factory=Arrivals, init=False)
    _size: int = field(default=1, init=False)
    _breaks: int = field(default=0, init=False)
    _games: Iterator[GameRecord] = field(init=False)
    _closed: bool = field(default=False, init=False)
    _counted: set[int] = field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        self.standing = Standing(self.plan, self.openings)
        for record in self.store.games():
            self._count(record)
        self.resumed = len(self._counted)
        self._waiting = deque(pair for pair in self.plan.pairs() if not self._is_played(pair))
        self._games = self._played()

    # --- iterating ---

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> GameRecord:
        try:
            return next(self._games)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def cancel(self) -> None:
        """Play no more games; those under way are let go."""
        self._stopped = self._stopped or "cancelled"

    def close(self) -> None:
        """End the workers and close the record; may be called twice."""
        if not self._closed:
            self._closed = True
            self.pool.close()
            self.store.close()

    @property
    def played(self) -> int:
        """The number of games played, those that were on record included."""
        return len(self._counted)

    @property
    def stopped(self) -> str:
        """The reason why no more games are played; empty while they are."""
        return self.standing.ended() or self._stopped

    def result(self) -> dict[str, Any]:
        """The standing as data: see `Standing.as_data`."""
        return self.standing.as_data(self.stopped or "not yet")

    def __repr__(self) -> str:
        players = " against ".join(self.plan.players)
        return f"<Run {players}, {len(self._counted)} of {amount(self.plan.total, 'game')}>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """What a notebook shows: how it stands, each player with its points."""
        data = self.result()
        rows = [
            (rating["player"], rating["elo"], rating["low"], rating["high"])
            for rating in data["ratings"]
        ]
        return rich(self, ("player", "Elo", "from", "to"), rows)

    # --- working ---

    def _played(self) -> Iterator[GameRecord]:
        while not self._over():
            self._hand_out()
            if not self._flying:
                continue
            for future in self._arrivals.next():
                yield from self._take(future)
            for record in self.store.fresh():  # of another process on the same record
                self._count(record)

    def _over(self) -> bool:
        if self._stopped or self.standing.verdict is not None:
            with hold_signals():
                for future in self._flying:
                    future.cancel()
            return True
        return not self._waiting and not self._flying

    def _hand_out(self) -> None:
        """Keep every worker busy, with one task more than it works on."""
        most = self.pool.width * 2 if self.pool.width > 1 else 1
        while self._waiting and len(self._flying) < most:
            size = min(self._size, max(1, len(self._waiting) // most))
            pairs = self._next_pairs(size)
            if not pairs:
                return
            self._submit(pairs)

    def _next_pairs(self, most: int) -> list[Pair]:
        """The next pairs to play.

        Left out is what would only repeat others; held back what may, until the first of its kind
        that is under way has shown it: so the same pairs are played whoever is faster.
        """
        samples = self.standing.samples
        under_way = {samples.kind(pair) for flight in self._flying.values() for pair in flight}
        pairs, waiting = list[Pair](), list[Pair]()
        while self._waiting and len(pairs) < most:
            pair = self._waiting.popleft()
            if self._is_played(pair) or samples.repeats(pair):
                continue
            kind = samples.kind(pair)
            if kind in under_way and not samples.has(pair):
                waiting.append(pair)
            else:
                under_way.add(kind)
                pairs.append(pair)
        self._waiting.extendleft(reversed(waiting))
        return pairs

    def _submit(self, pairs: list[Pair]) -> None:
        try:
            future = self.pool.submit(self._task(pairs))
        except BrokenExecutor:
            self._again(pairs)
            return
        self._flying[future] = pairs
        self._arrivals.expect(future)

    def _task(self, pairs: list[Pair]) -> Task:
        lines = self.openings
        return self.plan.as_data(), [
            (pair.number, pair.players, pair.round, lines[pair.round % len(lines)])
            for pair in pairs
        ]

    def _take(self, future: Future[Answer]) -> Iterator[GameRecord]:
        """Record and count what a task has brought."""
        if future not in self._flying:
            return  # the pool broke meanwhile, and its tasks were put back
        pairs = self._flying.pop(future)
        try:
            lines, seconds = future.result()
        except BrokenExecutor:
            self._again(pairs)
            return
        self._breaks = 0
        if seconds < TASK_SECONDS / 2 and self._size < MOST_PAIRS:
            self._size += 1
        elif seconds > TASK_SECONDS and self._size > 1:
            self._size -= 1
        for record in self.store.add(lines):
            if self._count(record):
                yield record

    def _is_played(self, pair: Pair) -> bool:
        return all(number in self._counted for number, _ in pair.games())

    def _count(self, record: GameRecord) -> bool:
        """Count a game, once."""
        if record.number in self._counted:
            return False
        self._counted.add(record.number)
        self.standing.add(record)
        return True

    def _again(self, pairs: list[Pair]) -> None:
        """A worker died: renew the pool, and put back what it worked on, in order."""
        self._breaks += 1
        if self._breaks > BREAKS:
            raise RulewrightError(
                "the processes that play keep dying; what was recorded is kept, and the same "
                "command goes on"
            )
        pairs_lost = [*pairs, *(pair for flight in self._flying.values() for pair in flight)]
        self._flying.clear()
        self._waiting = deque(sorted([*pairs_lost, *self._waiting], key=lambda pair: pair.number))
        self.pool.renew()
