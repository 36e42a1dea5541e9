"""Comparison of two rules files: the first position with other decisions or another result.

In: two games.  Out: a shortest known game after which they differ, or None.  First all short games
side by side, then counts of longer ones (perft), followed down to the decision whose count differs,
then loops gone round where rules ask for earlier positions, then random games, whose findings are
shrunk.  Deterministic for a seed.

Two rules files play alike where decisions and ends are alike; looked at *deeply*, pieces, links and
states must be the same as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from random import Random

from attrs import define, field, frozen

from rulewright.checks.apart import truths_apart
from rulewright.checks.loops import loops
from rulewright.checks.playouts import games_apart
from rulewright.checks.sampling import GAMES, LONGEST, STEPS, Cost, cost_of, random_step
from rulewright.checks.shrinking import OutOfTries, shortest
from rulewright.checks.subject import Subject
from rulewright.compiler.engine import Engine
from rulewright.errors import Fault, OutOfBudget
from rulewright.games.engine.game import Game, State
from rulewright.ground import budget
from rulewright.ground.printable import amount
from rulewright.ground.records import fields_as_json

COUNTED = 2_000_000
"""Decisions that are counted at the most, for one depth."""
DEEPEST = 20
LAPS = 6
"""The number of times that a loop is repeated."""
LOOPED_AFTER = (6, 20, 30, 40, 60)
"""Decisions of a random game after which a loop is looked for."""


@frozen
class GameDifference:
    """The first difference of two games, which stands after `moves`.

    It is in decisions that only one game has, or else in how each game stands then (`first` and
    `second`): its result, who moves, whether a draw may be claimed, or a truth.
    """

    moves: tuple[str, ...]
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()
    first: str = ""
    second: str = ""
    board: str = ""
    truths: bool = False
    """Whether `first` and `second` are truths in the words of the language."""

    def as_data(self) -> dict[str, object]:
        """The difference as plain data."""
        return fields_as_json(self, "moves only_first only_second first second board")


Pair = tuple[State, State]


def alike_text(comparison: Comparison) -> str:
    """The text for two games without a known difference: how much was compared."""
    parts = [amount(comparison.positions, "position")]
    parts += [f"perft to depth {comparison.depth}"] if comparison.depth else []
    parts += [amount(comparison.games, "random game")] if comparison.games else []
    return f"no difference found: {', '.join(parts)}"


_LISTED = 12
"""Decisions of one side that are listed."""


def difference_lines(difference: GameDifference, first: str, second: str) -> Iterator[str]:
    """The lines that describe a difference between files called *first* and *second*."""
    d, moves = difference, " ".join(difference.moves) or "(the first position)"
    yield f"they differ after {amount(len(d.moves), 'decision')}: {moves}"
    yield from (f"    {row}" for row in d.board.splitlines())
    for name, only, ending in ((first, d.only_first, d.first), (second, d.only_second, d.second)):
        line = ending or ("the game goes on" if d.first or d.second else "")
        if only:
            more = len(only) - _LISTED
            line = f"only here: {' '.join(only[:_LISTED])}" + f" ... and {more} more" * (more > 0)
        if line:
            yield f"  {name}: {line}"


def difference(first: State, second: State, deep: bool = False) -> GameDifference | None:
    """The difference between two positions that were reached by the same decisions, if any."""
    return _played_otherwise(first, second) or (
        _standing_otherwise(first, second) if deep else None
    )


def _standing_otherwise(first: State, second: State) -> GameDifference | None:
    truths = next(truths_apart(first, second), None)
    return truths and GameDifference(tuple(first.decisions()), (), (), *truths, first.board(), True)


def _played_otherwise(first: State, second: State) -> GameDifference | None:
    moves = tuple(first.decisions())
    endings = _ending(first), _ending(second)
    if endings[0] != endings[1]:
        return GameDifference(moves, (), (), *endings, first.board())
    if endings[0]:
        return None
    here, there = first.moves.texts, second.moves.texts
    only = tuple(m for m in here if m not in there), tuple(m for m in there if m not in here)
    if any(only):
        return GameDifference(moves, *only, "", "", first.board())
    if first.mover != second.mover:
        return GameDifference(moves, (), (), f"{first.mover} to move", f"{second.mover} to move")
    claims = _claiming(first), _claiming(second)
    if claims[0] != claims[1]:
        return GameDifference(moves, (), (), *claims, first.board())
    return None


def _claiming(state: State) -> str:
    """Whether a draw may be claimed here, in words; asked only where rules know of claims."""
    may = state.game.rules.claimable_ends and state.claimable
    return "a draw may be claimed" if may else "the game goes on, and no draw may be claimed"


def _ending(state: State) -> str:
    """The result of the game in words; empty while it goes on."""
    try:
        result = state.result
    except Fault as fault:
        return f"a fault: {fault.message} [{fault.code}]"
    if result is None:
        return ""
    return f"{result.winner} wins" if result.winner else "a draw"


@define(eq=False, slots=False)
class Comparison:
    """Two games side by side: the first difference, if any is known, and how much was compared."""

    first: Game
    second: Game
    seed: int = 0
    effort: float = 1.0
    deep: bool = False
    quick: bool = False
    """Whether machine code that is there soon will do."""
    positions: int = 0
    depth: int = 0
    games: int = 0
    difference: GameDifference | None = field(default=None, init=False)
    _cost: Cost = field(default=Cost(1, 1), init=False)

    def run(self) -> Comparison:
        """Compare until something differs or the effort is spent."""
        cost = cost_of(self.first, self.seed), cost_of(self.second, self.seed)
        self._cost = Cost(sum(c.listing for c in cost), sum(c.playing for c in cost))
        self.difference = (
            self._short() or self._counted() or self._repeated() or self._played() or self._random()
        )
        return self

    # --- all short games ---

    def _short(self) -> GameDifference | None:
        """Every game of few decisions, the shortest first."""
        steps_left = STEPS * self.effort
        waiting: deque[Pair] = deque([(self.first.start(), self.second.start())])
        earlier_pairs: set[object] = set()
        while waiting and steps_left > 0 and not budget.over():
            pair = waiting.popleft()
            if pair in earlier_pairs and not self.first.rules.looks_back:
                continue
            earlier_pairs.add(pair)
            steps_left -= self._cost.listing
            self.positions += 1
            here = difference(*pair, self.deep)
            if here is not None:
                return here
            if steps_left > len(waiting) * self._cost.listing:
                waiting.extend(_following(pair))
        return None

    # --- counts of longer games ---

    def _counted(self) -> GameDifference | None:
        engines = self._engines()
        if engines is None:
            return None
        pair = self.first.start(), self.second.start()
        for depth in range(1, DEEPEST):
            if budget.over():
                return None
            try:
                counts = [_count(e, s, depth) for e, s in zip(engines, pair, strict=True)]
            except Fault:
                return None
            self.depth = depth
            if counts[0] != counts[1]:
                return self._followed(*engines, pair, depth)
            if not counts[0] or counts[0] * 3 > COUNTED * self.effort:
                return None  # the next depth would have too many
        return None

    def _followed(
        self, first: Engine, second: Engine, pair: Pair, depth: int
    ) -> GameDifference | None:
        """Down to where the counts of each decision are the same, and the decisions differ."""
        here = difference(*pair, self.deep)
        while here is None and depth > 1:
            depth -= 1
            for after in _following(pair):
                if _count(first, after[0], depth) != _count(second, after[1], depth):
                    pair = after
                    break
            else:
                return None
            here = difference(*pair, self.deep)
        return here

    def _engines(self) -> tuple[Engine, Engine] | None:
        first, second = (subject.engine for subject in self._subjects)
        return None if first is None or second is None else (first, second)

    @cached_property
    def _subjects(self) -> tuple[Subject, Subject]:
        return Subject(self.first, quick=self.quick), Subject(self.second, quick=self.quick)

    # --- games that repeat positions ---

    def _repeated(self) -> GameDifference | None:
        """Loops gone round and round, from the start and from positions of a random game."""
        if not (self.first.rules.looks_back or self.second.rules.looks_back):
            return None
        random = Random(self.seed)
        for before in self._beginnings(random):
            here = self._both(before)
            if self._differ(here):
                return self._shrunk(here)
            if here[0].over:
                continue
            for loop in islice(loops(here[0], random), 1):
                parted = self._along(here, loop * LAPS)
                if parted is not None:
                    return self._shrunk(parted) if before else difference(*parted, self.deep)
        return None

    def _beginnings(self, random: Random) -> Iterator[tuple[str, ...]]:
        """No decision, and more and more decisions of a random game."""
        yield ()
        state = self.first.start()
        for number in range(1, LOOPED_AFTER[-1] + 1):
            following = random_step(state, random)
            if following is None:
                return
            state = following
            if number in LOOPED_AFTER:
                yield tuple(state.decisions())

    def _along(self, pair: Pair, moves: Iterable[str]) -> Pair | None:
        """The first states that differ after some of the decisions; None where none do."""
        for text in moves:
            after = self._after(pair, text)
            if after is None:
                return None
            pair = after
            if self._differ(pair):
                return pair
        return None

    # --- random games ---

    def _played(self) -> GameDifference | None:
        """Games that chance makes alike by the kernels of both, as long as these play alike."""
        engines = self._engines()
        if engines is None:
            return None
        number = round(GAMES * self.effort)
        for moves in games_apart(self._subjects[0], *engines, number, self.seed):
            pair = self._along((self.first.start(), self.second.start()), moves)
            if pair is not None:
                return self._shrunk(pair)
        return None

    def _random(self) -> GameDifference | None:
        random, remaining_steps = Random(self.seed), STEPS * self.effort
        while remaining_steps > 0 and not budget.over():
            pair = self.first.start(), self.second.start()
            self.games += 1
            for _ in range(LONGEST):
                remaining_steps -= self._cost.playing * 2
                try:
                    following = self._stepped(pair, random)
                except Fault:
                    return self._shrunk(pair)
                if following is None or remaining_steps < 0:
                    break
                pair = following
                if _parted(pair) or (self.deep and self._differ(pair)):
                    return self._shrunk(pair)
            if self._differ(pair):
                return self._shrunk(pair)
        return None

    def _shrunk(self, pair: Pair) -> GameDifference | None:
        """The difference after as few decisions as can be found."""

        def shows(candidate: tuple[str, ...]) -> tuple[str, ...] | None:
            try:
                here = self._both(candidate)
                return tuple(here[0].decisions()) if self._differ(here) else None
            except OutOfBudget:
                raise OutOfTries from None

        with budget.share(0.8):
            moves = shortest(tuple(pair[0].decisions()), shows, 400)
        return difference(*self._both(moves), self.deep)

    def _differ(self, pair: Pair) -> bool:
        try:
            return difference(*pair, self.deep) is not None
        except Fault:
            return False

    def _stepped(self, pair: Pair, random: Random) -> Pair | None:
        """Both states after a random decision of one of them; None where the other lacks it."""
        turn = random.randrange(2)
        step = random_step(pair[turn], random)
        if step is None:
            return None
        other = self._subjects[1 - turn].after(pair[1 - turn], step.move)
        if other is None:
            return None
        return (step, other) if turn == 0 else (other, step)

    def _both(self, moves: tuple[str, ...]) -> Pair:
        """Both states after those of *moves* that are legal in both."""
        pair = self.first.start(), self.second.start()
        for text in moves:
            pair = self._after(pair, text) or pair
        return pair

    def _after(self, pair: Pair, text: str) -> Pair | None:
        """Both states after a decision; None where one of them cannot make it."""
        try:
            first, second = (s.after(p, text) for s, p in zip(self._subjects, pair, strict=True))
        except Fault:
            return None
        return None if first is None or second is None else (first, second)


def _count(engine: Engine, state: State, depth: int) -> int:
    return 0 if state.position.ended else engine.perft(state.situation.position, depth)


def _following(pair: Pair) -> Iterator[Pair]:
    """The pairs after each decision that both have."""
    first, second = pair
    if _ending(first) or _ending(second):  # over, or a fault that both have
        return
    for text in first.moves.texts:
        if text in second.moves:
            try:
                yield first.play_decision(text), second.play_decision(text)
            except Fault:
                continue


def _parted(after: Pair) -> bool:
    """Whether the two games end differently, another player is next, or only one may claim."""
    ended = [s.position.ended for s in after]
    winners = [e.winner if e else None for e in ended]
    movers = [(s.position.mover, _claiming(s)) for s in after]
    return (
        (ended[0] is None) != (ended[1] is None)
        or winners[0] != winners[1]
        or (ended[0] is None and movers[0] != movers[1])
    )
