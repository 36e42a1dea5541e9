"""Properties of evaluators, in positions of random games.

In: a game, a model, a seed and how many positions.  Out: what was tried, with the position that
shows what does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from random import Random

from attrs import define, evolve, field

from rulewright.checks.clauses import Clause
from rulewright.checks.effort import CALLS, counted, stepped
from rulewright.checks.examples import failing_examples
from rulewright.checks.explore import shortest
from rulewright.checks.findings import Finding, Tried
from rulewright.checks.symmetry import Symmetry, symmetry
from rulewright.engine.game import Game, State
from rulewright.errors import Fault
from rulewright.model.evaluation import Evaluator, Value
from rulewright.model.expressions import MOVER
from rulewright.model.properties import EVALUATOR
from rulewright.model.rules import Untested
from rulewright.reference.evaluation import Judge
from rulewright.reference.position import Position

NEAR = 1e-9
"""Relative difference up to which two values are the same: sums in another order round apart."""
MOVES = 40
"""Decisions of a position that are valued."""
_TERMS = Callable[[State], "str | None"]


def states(game: Game, number: int, seed: int) -> Iterator[State]:
    """States of random games that are not over, from all parts of them; the first is the start."""
    random, found = Random(seed), 0
    while found < number:
        state, way = game.start(), list[State]()
        while state.situation.ended is None and len(way) < 200:
            way.append(state)
            try:
                following = stepped(state, random)
            except Fault:
                break
            if following is None:
                way.pop()
                break
            state = following
        chosen = [0] if not found else []
        chosen += random.sample(range(len(way)), min(4, len(way), number - found))
        for index in sorted(set(chosen)):
            found += 1
            yield way[index]
        if not way:
            return


@define(eq=False)
class Judged:
    """An evaluator under test."""

    game: Game
    evaluator: Evaluator
    seed: int = 0
    number: int = 60
    judge: Judge = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.judge = Judge(self.game.play, self.evaluator)
        self.number = self._affordable()

    def _affordable(self) -> int:
        """How many positions may be valued, by the calls that one takes."""
        calls, _ = counted(partial(self._once, self.game.start()))
        share = self.number / 60 * CALLS / (3 * (calls + 1))
        return max(min(10, self.number), min(self.number, round(share)))

    def _once(self, state: State) -> None:
        list(self._values(state.situation.position))
        self._of_moves(state)

    def run(self, chosen: Sequence[str] = tuple(EVALUATOR)) -> tuple[Tried, ...]:
        """Try every property that the file says something of."""
        checks: dict[str, Callable[[], Iterator[Finding]]] = {
            "after": self._examples, "finite": self._finite,
            "antisymmetric": self._antisymmetric, "symmetric": self._symmetric,
        }  # fmt: skip
        claimed = {claim.kind for claim in self.evaluator.claims}
        names = [n for n in EVALUATOR if n in chosen and (n in claimed or n in ("after", "finite"))]
        return tried(names, checks, self.evaluator.untested, f"{self.number} positions")

    def _values(self, position: Position) -> Iterator[tuple[Value, tuple[int | float, ...]]]:
        for value in self.evaluator.values:
            if not value.of_move:
                yield value, self.judge.of_position(value, position, random=Random(self.seed))

    def _examples(self) -> Iterator[Finding]:
        for diagnostic in failing_examples(self.game, self.evaluator):
            place = diagnostic.place
            about = Clause(f"{place.file}:{place.line}", place.excerpt)
            yield Finding("after", diagnostic.message, about=about)

    def _first(self, name: str, check: _TERMS, about: Clause | None = None) -> Iterator[Finding]:
        """The finding in the earliest position in which *check* complains: short games first."""
        short = (s for s in shortest(self.game) if s.situation.ended is None)
        known = sorted(states(self.game, self.number, self.seed), key=lambda s: len(s.decisions()))
        for state in chain(islice(short, self.number // 2), known):
            message = check(state)
            if message:
                moves = tuple(state.decisions())
                yield Finding(name, message, moves, state.board(), about)
                return

    def _finite(self) -> Iterator[Finding]:
        def check(state: State) -> str | None:
            try:
                self._once(state)
            except Fault as fault:
                place = f" ({self.evaluator.place(fault.origin)})" if fault.origin else ""
                return f"{fault.message} [{fault.code}]{place}"
            return None

        yield from self._first("finite", check)

    def _of_moves(self, state: State) -> None:
        """Value every decision that a value of moves is about."""
        position = state.situation.position
        values = [value for value in self.evaluator.values if value.of_move]
        for option in state.situation.options[:MOVES] if values else ():
            choice = self.judge.choices(position, option)
            for value in values:
                if choice is not None and choice.move in value.moves:
                    self.judge.of_move(value, position, choice, random=Random(self.seed))

    def _antisymmetric(self) -> Iterator[Finding]:
        about = self._claim("antisymmetric")

        def check(state: State) -> str | None:
            for value in self.evaluator.values:
                if value.of_move:
                    continue
                one, other = (self._seen(value, state.situation.position, p) for p in (0, 1))
                if not _same(one, tuple(-n for n in other)):
                    first, second = self.game.players
                    shown = f"{_shown(one)} for {first} and {_shown(other)} for {second}"
                    return f"`{value.name}` is {shown}, which is not 0 together"
            return None

        yield from self._first("antisymmetric", check, about)

    def _seen(self, value: Value, position: Position, player: int) -> tuple[int | float, ...]:
        """A value as if it were for *player*."""
        whose = evolve(value, player=player)
        return self.judge.of_position(whose, position, random=Random(self.seed))

    def _symmetric(self) -> Iterator[Finding]:
        for claim in self.evaluator.claims:
            if claim.kind != "symmetric":
                continue
            found = symmetry(self.game.play, claim.what, claim.swap)
            origin = self.evaluator.origins[claim.origin]
            about = Clause(f"{origin.file}:{origin.line}", origin.text)
            if found is None:
                yield Finding("symmetric", "the board has no such symmetry", about=about)
                continue
            yield from self._first("symmetric", partial(self._turned, found), about)

    def _turned(self, found: Symmetry, state: State) -> str | None:
        """What a position is worth, and another thing when it is turned."""
        here = state.situation.position
        for value in self.evaluator.values:
            if not value.of_move:
                who = here.mover if value.player == MOVER else value.player
                one = self._seen(value, here, who)
                other = self._seen(value, found.position(here), found.player(who))
                if not _same(one, other):
                    return f"`{value.name}` is {_shown(one)}, and turned so {_shown(other)}"
        return None

    def _claim(self, kind: str) -> Clause:
        origin = next(c.origin for c in self.evaluator.claims if c.kind == kind)
        place = self.evaluator.origins[origin]
        return Clause(f"{place.file}:{place.line}", place.text)


def _same(one: Sequence[float], other: Sequence[float]) -> bool:
    pairs = zip(one, other, strict=True)
    return all(abs(a - b) <= NEAR * max(1.0, abs(a), abs(b)) for a, b in pairs)


def _shown(value: Sequence[float]) -> str:
    return ", ".join(f"{n:g}" for n in value)


def tried(
    names: Sequence[str],
    checks: dict[str, Callable[[], Iterator[Finding]]],
    untested: Sequence[Untested],
    looked: str,
) -> tuple[Tried, ...]:
    """Run the checks that are not left out."""
    left_out = {u.what: u.reason for u in untested}
    return tuple(
        Tried(name, skipped=left_out[name])
        if name in left_out
        else Tried(name, tuple(checks[name]()), looked)
        for name in names
    )
