"""States that are remembered longer than they can matter, by which `repeats` tells positions apart.

In: a game, what its positions cost, a seed.  Out: for each such state the shortest game in which it
was seen: two positions that differ in this state alone, in which the same is legal to a few
decisions and all of a number of random games go on alike.  That proves nothing, so it is a hint.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice
from random import Random

from attrs import define, evolve, field

from rulewright.checks.findings import Finding, clause
from rulewright.checks.sampling import any_decision, short_games, walk
from rulewright.errors import Fault, OutOfBudget
from rulewright.games.engine.game import Game, State
from rulewright.games.render.facts import value_text
from rulewright.ground import budget
from rulewright.model.board import bits
from rulewright.model.expressions import Type, Value
from rulewright.model.rules import End, StateVariable
from rulewright.model.walk import reached_operations

DEPTH = 4
"""Decisions to which what is legal is counted."""
COUNTED = 100_000
"""Decisions that are counted at the most."""
PLIES = 12_000
"""Decisions that are played at effort 1: a second or two by machine code."""
SLOWER = 40
"""The factor by which fewer are played where the reference plays."""
GAMES = 300
"""Random games that go on alike."""
_PLIES = 100
"""Decisions of one of these games."""
_SHORT = 60
"""Positions of the shortest games that are looked at."""
_WALKS = 12
"""Random games of which positions are looked at, and so many decisions of each."""
_WALKED = 16
_AHEAD = 8
"""Decisions until a state is what it may as well be now."""

Pair = tuple[Value, ...]


@define(eq=False)
class Remembering:
    """Finds states that are remembered too long; `plies` may be played for it."""

    game: Game
    plies: int
    seed: int = 0
    _steps_left: int = field(init=False)
    _random: Random = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._steps_left, self._random = self.plies, Random(self.seed)

    def hints(self) -> Iterator[Finding]:
        """The hints, one for each such state, with the shortest game."""
        rules, hinted = self.game.rules, set[int]()
        if not any(self._repeated(end) for end in rules.ends):
            return
        compared_states = {
            i for i, s in enumerate(rules.states) if not s.unseen and not s.within_turn
        }
        for state in self._positions() if compared_states else ():
            for index, pair in self._forgetting(state, compared_states - hinted):
                if self._steps_left < 0 or budget.over():
                    return
                if index not in hinted and self._alike(state, index, pair):
                    hinted.add(index)
                    yield self._finding(state, index, pair)

    def _repeated(self, end: End) -> bool:
        """Whether an end asks how often the position has stood."""
        return "repeats" in reached_operations(end.condition, self.game.rules)

    # --- pairs of positions ---

    def _positions(self) -> Iterator[State]:
        """Positions in which a turn begins, those of the shortest games first."""
        short = islice(short_games(self.game), _SHORT)
        walks = (walk(self.game, self._random, _WALKED, any_decision).open for _ in range(_WALKS))
        later = sorted(chain.from_iterable(walks), key=lambda state: state.ply)
        for state in chain(short, later):
            if state.turn_begins and not state.over:
                yield state

    def _forgetting(self, state: State, among: set[int]) -> Iterator[tuple[int, Pair]]:
        """States, and what each may be some decisions later: less of a set, another number."""
        here, earlier_pairs = state.situation.position, set[tuple[int, Pair]]()
        for later in islice(self._walked(state), _AHEAD):
            then = later.situation.position.states
            for index in sorted(among):
                pair = _less(self.game.rules.states[index], here.states[index], then[index])
                if pair != here.states[index] and (index, pair) not in earlier_pairs:
                    earlier_pairs.add((index, pair))
                    yield index, pair

    def _walked(self, state: State) -> Iterator[State]:
        """The states of a random game from here on."""
        with suppress(Fault):
            while (following := any_decision(state, self._random)) is not None:
                self._steps_left -= 1
                yield following
                state = following

    # --- whether two positions are alike ---

    def _alike(self, state: State, index: int, pair: Pair) -> bool:
        here = state.situation.position
        bare = evolve(here, history=None, past=0)  # `repeats` would tell the two apart by it
        states = (*here.states[:index], pair, *here.states[index + 1 :])
        play = self.game.play
        first, second = (
            self.game.state(play.resume(p)) for p in (bare, evolve(bare, states=states))
        )
        try:
            return self._count_alike(first, second) and all(
                self._go_alike(first, second) for _ in range(GAMES)
            )
        except Fault:
            return False

    def _count_alike(self, first: State, second: State) -> bool:
        """Whether as much is legal to some depth."""
        number, most = 1, COUNTED if self.game.compiles else COUNTED // SLOWER
        for depth in range(1, DEPTH + 1):
            if number * len(first.moves) > most:
                return True
            number = first.perft(depth)
            if number != second.perft(depth):
                return False
        return True

    def _go_alike(self, first: State, second: State) -> bool:
        """Whether a random game of one is as legal a game of the other, and ends alike."""
        for _ in range(_PLIES):
            self._steps_left -= 2
            if self._steps_left < 0 or budget.over():
                return False
            if first.over or second.over:
                return self._end_alike(first, second)
            texts = first.moves.texts
            if sorted(texts) != sorted(second.moves.texts):
                return False
            text = self._random.choice(texts)
            first, second = first.play_decision(text), second.play_decision(text)
            if first.situation.position == second.situation.position:
                return True
        return True

    def _end_alike(self, first_state: State, second_state: State) -> bool:
        """Whether both end alike; an end by repetition asks for the state, and so says nothing."""
        ends = {end.origin: end for end in self.game.rules.ends}
        outcomes = [state.situation.outcome for state in (first_state, second_state)]
        if any(o is not None and self._repeated(ends[o.origin]) for o in outcomes):
            return True
        first, second = outcomes
        return first is not None and second is not None and first.winner == second.winner

    # --- messages ---

    def _finding(self, state: State, index: int, pair: Pair) -> Finding:
        variable = self.game.rules.states[index]
        here = self._pair_text(variable, state.situation.position.states[index])
        message = (
            f"`{variable.name}` is {here} here, and what follows is the same where it is "
            f"{self._pair_text(variable, pair)}; "
            "`repeats` tells these positions apart, so set it back where it cannot matter"
        )
        about = clause(self.game.rules, variable.origin)
        return Finding("remembered", message, tuple(state.decisions()), state.board(), about)

    def _pair_text(self, variable: StateVariable, pair: Pair) -> str:
        texts = [self._value(variable, value) for value in pair]
        return " and ".join(texts) if variable.each else texts[0]

    def _value(self, variable: StateVariable, value: Value) -> str:
        if variable.indices:
            return value_text(self.game.rules, variable, value)
        if variable.type is not Type.SITES:
            return str(value).lower()
        assert isinstance(value, int)
        board = self.game.rules.board
        return "+".join(board.names[site] for site in bits(value)) or "nowhere"


def _less(variable: StateVariable, now: Pair, then: Pair) -> Pair:
    """The value of a state once part of it is forgotten: of two sets the intersection."""
    if variable.type is not Type.SITES:
        return then
    return tuple(int(a) & int(b) for a, b in zip(now, then, strict=True))  # type: ignore[arg-type]


def memory_hints(game: Game, effort: float, seed: int) -> tuple[Finding, ...]:
    """The hints of a game, as many as are found in time."""
    plies, hints = round(effort * PLIES) // (1 if game.compiles else SLOWER), list[Finding]()
    with suppress(OutOfBudget, Fault):
        for hint in Remembering(game, plies, seed).hints():
            hints.append(hint)
    return tuple(hints)
