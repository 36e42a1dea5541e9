"""Thousands of games at once, stepped in machine code on all cores.

In: a game, how many lanes, a seed.  Out: `Batch`, NumPy arrays over memory that kernels write:
observations, marks of legal actions, rewards, ends.  Needs NumPy (`pip install
'rulewright[learning]'`) and machine code.  Refuses, as `LearningError`, games that the reference
plays and games whose actions cannot be numbered.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, field

from rulewright.compiler import layout as p
from rulewright.compiler.faults import fault_of
from rulewright.compiler.layout import RUNNING, key_words
from rulewright.compiler.runtime import place
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.memory import WORD, Past
from rulewright.games.engine.position_words import Words
from rulewright.games.files.games import load
from rulewright.learning import kernels
from rulewright.learning.actions import ActionSpace
from rulewright.learning.kernels import BatchWords, Lane
from rulewright.learning.lane_arrays import BYTES, BatchArrays, LearningError, load_numbered, numpy
from rulewright.learning.planes import Planes
from rulewright.search.results import refuse_seats

if TYPE_CHECKING:
    import numpy as np

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]

LONGEST = 10_000
"""Decisions after which a game is broken off, unless said otherwise."""
LONGEST_WITH_PAST = 1_000
"""Lanes as above for rules that look back: they also keep the earlier positions of each lane."""
DRAW = -1
"""Stands for an action: a legal action is drawn."""
STAND = kernels.STAND
"""Stands for an action: the lane waits."""


@define(eq=False)
class Batch:
    """Games of one kind that are played side by side, each in a lane of its own.

    A lane's games depend on the seed, its number and the actions alone: neither on how many lanes
    there are nor on threads.  *longest*: decisions after which a game is broken off.  *again*: a
    game that has ended begins anew in the same step, whose rewards and ends are those of the old
    one.  Arrays are written over by the next call; copy what is to stay.
    """

    game: Game
    lanes: int
    seed: int = 0
    threads: int = 0
    longest: int = 0
    again: bool = True
    actions: ActionSpace = field(init=False)
    """All actions of the game, by number."""
    planes: Planes = field(init=False)
    """What the observations show, by name."""
    _arrays: BatchArrays = field(init=False)

    def __attrs_post_init__(self) -> None:
        numpy()
        if self.lanes < 1:
            raise LearningError(f"a batch of {self.lanes} games; it takes at least 1")
        if self.game.lots:
            raise LearningError(f"{self.game.name}: batches do not throw what chance decides")
        if self.game.rules.has_secrets:
            raise LearningError(f"{self.game.name}: batches show all of a position to both players")
        refuse_seats(self.game.rules, "a batch")
        engine, self.actions = load_numbered(self.game)
        self.planes = Planes(engine.plan)
        looks_back = engine.play.rules.looks_back
        self.longest = self.longest or (LONGEST_WITH_PAST if looks_back else LONGEST)
        self.threads = self.threads or os.cpu_count() or 1
        self._arrays = BatchArrays(
            engine, self.lanes, self.longest, self.threads, self.actions, self.planes
        )
        self._settle()
        self.reset(self.seed)

    def _settle(self) -> None:
        """Tell the kernels what all lanes share."""
        arrays, engine = self._arrays, self._arrays.engine
        words = {
            "row": engine.row, "size": engine.plan.size, "longest": self.longest,
            "marks": arrays.arrays["legal"].shape[1], "again": int(self.again), "room": arrays.room,
        }  # fmt: skip
        for name, value in words.items():
            arrays.arrays["batch"][place(BatchWords, name)] = value

    def close(self) -> None:
        """End the threads."""
        self._arrays.close()

    # --- playing ---

    def reset(self, seed: int | None = None) -> None:
        """Begin a new game in every lane; *seed* also begins the random numbers anew."""
        if seed is not None:
            self.seed = seed
            self._arrays.arrays["chance"][:, 0] = _seeds(seed, self.lanes)
        self._word("games")[:] = 0
        self._arrays.step("begin_lane")
        self._raise_faults()

    def step(self, actions: Sequence[int] | Numbers | None = None) -> None:
        """Play an action in every lane; None, or `DRAW` for a lane, draws a legal one.

        A lane with `STAND` waits.
        Raises `LearningError` where an action is not legal, after the other lanes have played, and
        `Fault` where the rules go wrong.
        """
        self._word("action")[:] = DRAW if actions is None else self._checked(actions)
        self._arrays.step("step_lane")
        self._raise_faults()
        if (refused := self._word("refused")).any():
            lane = int(refused.argmax())
            raise LearningError(f"lane {lane}: {self._name(lane)} is not legal there")

    def _checked(self, actions: Sequence[int] | Numbers) -> Numbers:
        """Return actions as whole numbers; raises `LearningError` for another shape or type."""
        array = numpy().asarray(actions)
        if array.shape != (self.lanes,) or array.dtype.kind not in "iu":
            wrong = f"shape {array.shape} and type {array.dtype}"
            raise LearningError(f"actions of {wrong}; a whole number is needed for each lane")
        return array

    def roll(self, plies: int) -> int:
        """Play so many random decisions in every lane; returns how many games were finished."""
        before = int(self._word("games").sum())
        self._arrays.arrays["batch"][place(BatchWords, "rolled")] = plies
        self._arrays.step("roll_lane")
        self._raise_faults()
        return int(self._word("games").sum()) - before

    def _name(self, lane: int) -> str:
        action = int(self._word("action")[lane])
        is_action = 0 <= action < len(self.actions)
        return f"action {action}" + (f" ({self.actions[action]})" if is_action else "")

    def _raise_faults(self) -> None:
        faults = self._word("fault")
        if faults.any():
            lane = int((faults != 0).argmax())
            if faults[lane] == kernels.UNNUMBERED:
                raise LearningError(f"a fault of rulewright's own: lane {lane}: no action fits")
            rules = self._arrays.engine.play.rules
            raise fault_of(int(faults[lane]), int(self._word("origin")[lane]), rules)

    # --- what there is to see ---

    @property
    def legal(self) -> Numbers:
        """Whether an action is legal: (lanes, actions), truths."""
        marks = self._arrays.arrays["legal"].view(numpy().bool_)
        return marks[:, : len(self.actions)]

    def is_legal(self, lane: int, action: int) -> bool:
        """Whether a number is one of an action that is legal in a lane."""
        return 0 <= action < len(self.actions) and bool(self.legal[lane, action])

    @property
    def counts(self) -> Numbers:
        """How many decisions are legal: (lanes,); 0 where a game is over."""
        return self._word("legal")

    @property
    def seats(self) -> Numbers:
        """Who decides next, 0 or 1: (lanes,).  Seats stay when players exchange their colours."""
        state = self._arrays.arrays["state"]
        return state[:, p.MOVER] ^ state[:, p.SWAPPED]

    @property
    def over(self) -> Numbers:
        """Whether the last step ended a game, by the rules or its length: (lanes,), truths."""
        return self._word("over") == 1

    @property
    def terminated(self) -> Numbers:
        """Whether a rule ended a game in the last step: (lanes,), truths."""
        ended: Numbers = self.over & (self._word("cut") == 0)
        return ended

    @property
    def truncated(self) -> Numbers:
        """Whether a game was broken off for its length in the last step: (lanes,), truths."""
        broken_off: Numbers = self.over & (self._word("cut") == 1)
        return broken_off

    @property
    def rewards(self) -> Numbers:
        """1 for the seat that won in the last step, -1 for the other, else 0: (lanes, 2)."""
        np = numpy()
        result, swapped = self._word("result"), self._word("swapped")
        won = self.over & (result >= 0) & (result < 2)
        first = np.where(won, 1.0 - 2.0 * (result ^ swapped), 0.0).astype(np.float32)
        return np.stack((first, -first), axis=1)

    def observe(self, waiting: bool = False) -> Numbers:
        """Return the planes as whoever decides next sees them: bytes by lane, plane and place.

        *waiting*: as the other seat sees them.

        A byte is 0 or 1.  `planes.planes` names the planes; the shape is rows and columns, or the
        sites of a drawn board.
        """
        np, planes = numpy(), self.planes
        self._arrays.observe(waiting)
        padded = planes.words * WORD * BYTES
        spread = self._arrays.arrays["planes"].view(np.uint8)
        spread = spread.reshape(self.lanes, len(planes.planes), padded)
        rows = planes.shape[1] if len(planes.shape) > 1 else 1
        strides = (*spread.strides[:2], *((rows, 1) if len(planes.shape) > 1 else (1,)))
        shape = (self.lanes, len(planes.planes), *planes.shape)
        assert prod(planes.shape) <= padded
        return np.lib.stride_tricks.as_strided(spread, shape, strides)

    def numbers(self) -> Numbers:
        """Return the numbers of positions as whoever decides next sees them: (lanes, numbers).

        `planes.numbers` names them.
        """
        np, state = numpy(), self._arrays.arrays["state"]
        places = np.array([part.places for part in self.planes.numbers])
        mover = state[:, p.MOVER]
        return np.take_along_axis(state, places.T[mover], axis=1)

    def _word(self, name: str) -> Numbers:
        return self._arrays.arrays["lane"][:, place(Lane, name)]

    # --- single games ---

    def state(self, lane: int) -> State:
        """Return the position of a lane as a `State`."""
        engine, arrays = self._arrays.engine, self._arrays.arrays
        words = arrays["state"][lane, : engine.plan.size]
        past: Past | None = None
        size = len(key_words(engine.plan))
        for number in range(int(words[p.PAST]) if engine.play.rules.looks_back else 0):
            key = arrays["past"][lane, number * size : (number + 1) * size]
            past = Past(past, key.tobytes())
        position = Words(engine).position(words.tobytes(), past)
        return self.game.state(engine.play.resume(position))

    def put(self, lane: int, state: State) -> None:
        """Put a position of the same game into a lane; its game goes on from there.

        Raises `LearningError` for another game, and for a position in which the game is over.
        """
        engine, arrays = self._arrays.engine, self._arrays.arrays
        if state.game.rules != self.game.rules:
            raise LearningError(f"a position of {state.game.name}, and not of {self.game.name}")
        if state.result is not None:
            raise LearningError("the game is over in that position")
        position = state.situation.position
        if position.past > self.longest:
            raise LearningError(f"{position.past} earlier positions; `longest` is {self.longest}")
        engine.put(position, arrays["state"][lane], arrays["past"][lane])
        arrays["state"][lane, p.RESULT] = RUNNING
        self._word("plies")[lane] = position.past
        self._arrays.step("look_lane", lane)
        self._raise_faults()


def batch(game: Game | str, lanes: int, /, **settings: Any) -> Batch:
    """Play *lanes* games side by side; *game* is a `Game`, a bundled name or a path.

    Settings: `seed`, `threads` (by default all cores), `longest`, `again`; others are options of
    the rules where the game is given by its name.
    """
    own = {name: settings.pop(name) for name in _SETTINGS if name in settings}
    if isinstance(game, str):
        game = load(game, **settings)
    elif settings:
        raise TypeError(f"batch() has no setting {next(iter(settings))!r}")
    return Batch(game, lanes, **own)


_SETTINGS = ("seed", "threads", "longest", "again")


def _seeds(seed: int, lanes: int) -> Numbers:
    """Return an odd number for each lane, by its number and the seed (SplitMix64)."""
    np = numpy()
    with np.errstate(over="ignore"):
        x = np.arange(1, lanes + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        x += np.uint64(seed % 2**64) * np.uint64(0xD1342543DE82EF95)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x = x ^ (x >> np.uint64(31))
    return (x | np.uint64(1)).view(np.int64)
