"""Where two rules files part: the first position with other decisions or another result.

In: two games.  Out: a shortest known game after which they differ, or None.  First all short games
side by side, then counts of longer ones (perft), followed down to the decision whose count differs,
then loops gone round where rules ask for earlier positions, then random games, whose findings are
shrunk.  Deterministic for a seed.

Two rules files play alike where decisions and ends are alike; looked at *deeply*, pieces, links and
states must be the same as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from random import Random

from attrs import define, field, frozen

from rulewright import budget
from rulewright.checks.apart import truths_apart
from rulewright.checks.loops import loops
from rulewright.checks.playouts import games_apart
from rulewright.checks.sampling import GAMES, LONGEST, STEPS, Cost, cost_of, stepped
from rulewright.checks.subject import Subject
from rulewright.codegen.engine import Engine
from rulewright.engine.game import Game, State
from rulewright.errors import Fault, OutOfBudget
from rulewright.printable import amount
from rulewright.records import fields_as_json

COUNTED = 2_000_000
"""Decisions that are counted at the most, for one depth."""
DEEPEST = 20
LAPS = 6
"""How often a loop is gone round."""
LOOPED_AFTER = (6, 20, 30, 40, 60)
"""Decisions of a random game after which a loop is looked for."""


@frozen
class GameDifference:
    """What differs after `moves`: decisions that only one game has, or how the two go on."""

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


@frozen
class ComparisonResult:
    """How far two games were found to be the same."""

    difference: GameDifference | None
    positions: int
    depth: int
    games: int


def told_same(looked: ComparisonResult) -> str:
    """How far two games were found to be the same, in words."""
    parts = [amount(looked.positions, "position")]
    parts += [f"perft to depth {looked.depth}"] if looked.depth else []
    parts += [amount(looked.games, "random game")] if looked.games else []
    return f"no difference found: {', '.join(parts)}"


_LISTED = 12
"""Decisions of one side that are told."""


def told_difference(found: GameDifference, first: str, second: str) -> Iterator[str]:
    """A difference between two files in lines."""
    moves = " ".join(found.moves) or "(the first position)"
    yield f"they differ after {amount(len(found.moves), 'decision')}: {moves}"
    yield from (f"    {row}" for row in found.board.splitlines())
    for name, only, how in (
        (first, found.only_first, found.first),
        (second, found.only_second, found.second),
    ):
        told = how or ("the game goes on" if found.first or found.second else "")
        if only:
            rest = len(only) - _LISTED
            told = f"only here: {' '.join(only[:_LISTED])}" + f" ... and {rest} more" * (rest > 0)
        if told:
            yield f"  {name}: {told}"


def difference(one: State, other: State, deep: bool = False) -> GameDifference | None:
    """What differs between two positions, reached by the same decisions."""
    return _played_otherwise(one, other) or (_standing_otherwise(one, other) if deep else None)


def _standing_otherwise(one: State, other: State) -> GameDifference | None:
    found = next(truths_apart(one, other), None)
    return found and GameDifference(tuple(one.decisions()), (), (), *found, one.board(), True)


def _played_otherwise(one: State, other: State) -> GameDifference | None:
    moves = tuple(one.decisions())
    first, second = _ending(one), _ending(other)
    if first != second:
        return GameDifference(moves, (), (), first, second, one.board())
    if first:
        return None
    mine, its = one.moves.texts, other.moves.texts
    only = tuple(m for m in mine if m not in its), tuple(m for m in its if m not in mine)
    if any(only):
        return GameDifference(moves, *only, "", "", one.board())
    if one.mover != other.mover:
        return GameDifference(moves, (), (), f"{one.mover} to move", f"{other.mover} to move")
    claims = _claiming(one), _claiming(other)
    if claims[0] != claims[1]:
        return GameDifference(moves, (), (), *claims, one.board())
    return None


def _claiming(state: State) -> str:
    """Whether a draw may be claimed here, in words; asked only where rules know of claims."""
    may = state.game.rules.claims_draws and state.claimable
    return "a draw may be claimed" if may else "the game goes on, and no draw may be claimed"


def _ending(state: State) -> str:
    """How a game has ended here, in words; empty while it goes on."""
    try:
        result = state.result
    except Fault as fault:
        return f"a fault: {fault.message} [{fault.code}]"
    if result is None:
        return ""
    return f"{result.winner} wins" if result.winner else "a draw"


@define(eq=False, slots=False)
class Comparison:
    """Two games side by side."""

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
    _cost: Cost = field(default=Cost(1, 1), init=False)

    def run(self) -> ComparisonResult:
        """Look until something differs or the effort is spent."""
        cost = cost_of(self.first, self.seed), cost_of(self.second, self.seed)
        self._cost = Cost(sum(c.listing for c in cost), sum(c.playing for c in cost))
        found = (
            self._short() or self._counted() or self._repeated() or self._played() or self._random()
        )
        return ComparisonResult(found, self.positions, self.depth, self.games)

    # --- all short games ---

    def _short(self) -> GameDifference | None:
        """Every game of few decisions, the shortest first."""
        left = STEPS * self.effort
        waiting: deque[Pair] = deque([(self.first.start(), self.second.start())])
        known: set[object] = set()
        while waiting and left > 0 and not budget.over():
            pair = waiting.popleft()
            if pair in known and not self.first.rules.looks_back:
                continue
            known.add(pair)
            left -= self._cost.listing
            self.positions += 1
            found = difference(*pair, self.deep)
            if found is not None:
                return found
            if left > len(waiting) * self._cost.listing:
                waiting.extend(_following(pair))
        return None

    # --- counts of longer games ---

    def _counted(self) -> GameDifference | None:
        engines = self._engines()
        if engines is None:
            return None
        mine, its = engines
        pair = self.first.start(), self.second.start()
        for depth in range(1, DEEPEST):
            if budget.over():
                return None
            try:
                counts = _count(mine, pair[0], depth), _count(its, pair[1], depth)
            except Fault:
                return None
            self.depth = depth
            if counts[0] != counts[1]:
                return self._followed(mine, its, pair, depth)
            if not counts[0] or counts[0] * 30 > COUNTED * self.effort * 10:
                return None
        return None

    def _followed(
        self, one: Engine, other: Engine, pair: Pair, depth: int
    ) -> GameDifference | None:
        """Down to where the counts of each decision are the same, and the decisions differ."""
        found = difference(*pair, self.deep)
        while found is None and depth > 1:
            depth -= 1
            for after in _following(pair):
                if _count(one, after[0], depth) != _count(other, after[1], depth):
                    pair = after
                    break
            else:
                return None
            found = difference(*pair, self.deep)
        return found

    def _engines(self) -> tuple[Engine, Engine] | None:
        mine, its = (subject.engine for subject in self._subjects)
        return None if mine is None or its is None else (mine, its)

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
                found = self._around(here, loop)
                if found is not None:
                    return self._shrunk(found) if before else difference(*found, self.deep)
        return None

    def _beginnings(self, random: Random) -> Iterator[tuple[str, ...]]:
        """No decision, and more and more decisions of a random game."""
        yield ()
        state = self.first.start()
        for number in range(1, LOOPED_AFTER[-1] + 1):
            following = stepped(state, random)
            if following is None:
                return
            state = following
            if number in LOOPED_AFTER:
                yield tuple(state.decisions())

    def _around(self, pair: Pair, loop: tuple[str, ...]) -> Pair | None:
        """Where the two first differ on a loop that is gone round again and again."""
        for text in loop * LAPS:
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
            pair = self.first.start(), self.second.start()
            for text in moves:
                after = self._after(pair, text)
                if after is None or self._differ(pair):
                    break
                pair = after
            if self._differ(pair):
                return self._shrunk(pair)
        return None

    def _random(self) -> GameDifference | None:
        random, left = Random(self.seed), STEPS * self.effort
        while left > 0 and not budget.over():
            pair = self.first.start(), self.second.start()
            self.games += 1
            for _ in range(LONGEST):
                left -= self._cost.playing * 2
                try:
                    following = self._stepped(pair, random)
                except Fault:
                    return self._shrunk(pair)
                if following is None or left < 0:
                    break
                pair = following
                if _parted(pair) or (self.deep and self._differ(pair)):
                    return self._shrunk(pair)
            if self._differ(pair):
                return self._shrunk(pair)
        return None

    def _shrunk(self, pair: Pair) -> GameDifference | None:
        """The difference after as few decisions as can be found."""
        from rulewright.checks.shrinking import OutOfTries, shortest  # noqa: PLC0415 - with Hypothesis

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
        """Both after a decision that one of them, in turn, has chosen; None where it is over."""
        turn = random.randrange(2)
        chosen = stepped(pair[turn], random)
        if chosen is None:
            return None
        other = self._subjects[1 - turn].after(pair[1 - turn], chosen.move)
        if other is None:
            return None
        return (chosen, other) if turn == 0 else (other, chosen)

    def _both(self, moves: tuple[str, ...]) -> Pair:
        """Both games after those of *moves* that are legal in both."""
        pair = self.first.start(), self.second.start()
        for text in moves:
            pair = self._after(pair, text) or pair
        return pair

    def _after(self, pair: Pair, text: str) -> Pair | None:
        """Both after a decision; None where one of them cannot make it."""
        try:
            one, other = (s.after(p, text) for s, p in zip(self._subjects, pair, strict=True))
        except Fault:
            return None
        return None if one is None or other is None else (one, other)


def _count(engine: Engine, state: State, depth: int) -> int:
    return 0 if state.position.ended else engine.perft(state.situation.position, depth)


def _following(pair: Pair) -> Iterator[Pair]:
    """The pairs after each decision that both have."""
    one, other = pair
    if _ending(one) or _ending(other):  # over, or a fault that both have
        return
    for text in one.moves.texts:
        if text in other.moves:
            try:
                yield one.play_decision(text), other.play_decision(text)
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
