"""Thousands of games at once, stepped in machine code on all cores.

In: a game, how many lanes, a seed.  Out: `Batch`, NumPy arrays over memory that kernels write:
observations, marks of legal actions, rewards, ends.  Chance, secrets and several players included.
Needs NumPy (`pip install 'rulewright[learning]'`) and machine code.  Refuses, as `LearningError`,
games that the reference plays and games whose actions cannot be numbered.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, field

from rulewright.compiler import layout as p
from rulewright.compiler.faults import fault_of
from rulewright.compiler.layout import RUNNING
from rulewright.compiler.passes.choices import choice_places
from rulewright.compiler.runtime import place
from rulewright.compiler.seats import PLACE_BITS
from rulewright.errors import RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.memory import WORD, Past
from rulewright.games.engine.position_words import Words
from rulewright.learning import kernels
from rulewright.learning.actions import ActionSpace, named_parts
from rulewright.learning.kernels import BatchWords, Lane
from rulewright.learning.lane_arrays import BatchArrays, LearningError, load_numbered, numpy
from rulewright.learning.planes import BYTES, Planes

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
CHANCE = -1
"""Stands for a seat where chance decides, and this is shown."""
HIDDEN, SHOWN = "hidden", "shown"
"""Whether chance decides within a step, or by actions of its own."""


@define(eq=False)
class Batch:
    """Games of one kind that are played side by side, each in a lane of its own.

    A lane's games depend on the seed, its number and the actions alone: neither on how many lanes
    there are nor on threads.  *longest*: decisions after which a game is broken off.  *again*: a
    game that has ended begins anew in the same step, whose rewards and ends are those of the old
    one.  *chance*: what chance decides is `HIDDEN` in steps, which draw it, or `SHOWN` as actions
    of a seat `CHANCE`.  *sparse*: 0, or how many decisions a position has at most: then an action
    is the place of a decision in the list of them.  Arrays are written over by the next call; copy
    what is to stay.
    """

    game: Game
    lanes: int
    seed: int = 0
    threads: int = 0
    longest: int = 0
    again: bool = True
    chance: str = HIDDEN
    sparse: int = 0
    actions: ActionSpace = field(init=False)
    """All actions of the game, by number."""
    planes: Planes = field(init=False)
    """What the observations show, by name."""
    _arrays: BatchArrays = field(init=False)
    _shown: Numbers | None = field(default=None, init=False)
    """The planes of all lanes, once somebody has observed."""

    def __attrs_post_init__(self) -> None:
        numpy()
        self._refuse()
        engine, self.actions = load_numbered(self.game, self.chance == SHOWN, self.sparse)
        self.planes = Planes(engine.plan)
        looks_back = engine.play.rules.looks_back
        self.longest = self.longest or (LONGEST_WITH_PAST if looks_back else LONGEST)
        self.threads = self.threads or os.cpu_count() or 1
        self._arrays = BatchArrays(
            engine, self.lanes, self.longest, self.threads, self.actions, self.planes
        )
        self._settle()
        self.reset(self.seed)

    def _refuse(self) -> None:
        """Raise `LearningError` for what no batch can be made of."""
        rules = self.game.rules
        if self.lanes < 1:
            raise LearningError(f"a batch of {self.lanes} games; it takes at least 1")
        if self.sparse < 0:
            raise LearningError(f"sparse={self.sparse}; it is 0, or how many decisions there are")
        if self.chance not in (HIDDEN, SHOWN):
            raise LearningError(f"chance={self.chance!r}; it is {HIDDEN!r} or {SHOWN!r}")
        if rules.has_secrets and (rules.links or rules.board.stacked):
            raise LearningError(f"{self.game.name}: observations do not hide links and piles")

    def _settle(self) -> None:
        """Tell the kernels what all lanes share."""
        arrays, engine = self._arrays, self._arrays.engine
        words = {
            "row": engine.row, "size": engine.plan.size, "longest": self.longest,
            "marks": arrays.arrays["legal"].shape[1], "again": int(self.again), "room": arrays.room,
            "chance": int(self.game.rules.has_chance), "shown": int(self.chance == SHOWN),
            "sparse": int(self.sparse > 0), "keeps": 1,
        }  # fmt: skip
        for name, value in words.items():
            arrays.arrays["batch"][place(BatchWords, name)] = value

    @property
    def bytes_each(self) -> int:
        """How many bytes each lane takes; what all share is not counted."""
        return sum(a.nbytes // self.lanes for a in self._arrays.arrays.values() if a.ndim > 1)

    def close(self) -> None:
        """End the threads."""
        self._arrays.close()

    # --- playing ---

    def reset(self, seed: int | None = None) -> None:
        """Begin a new game in every lane; *seed* also begins the random numbers anew."""
        if seed is not None:
            self.seed = seed
            self._arrays.arrays["chance"][:, 0] = seeds_of(seed, self.lanes)
        self._word("games")[:] = 0
        self._arrays.step("begin_lane")
        self._raise_faults()

    def step(self, actions: Sequence[int] | Numbers | None = None) -> None:
        """Play an action in every lane; None, or `DRAW` for a lane, draws a legal one.

        What chance decides is drawn as often as it is likely, and players' actions alike.

        A lane with `STAND` waits.
        Raises `LearningError` where an action is not legal, after the other lanes have played, and
        `Fault` where the rules go wrong.
        """
        self._word("action")[:] = DRAW if actions is None else checked_actions(actions, self.lanes)
        self._arrays.step("step_lane")
        self._raise_faults()
        if (refused := self._word("refused")).any():
            lane = int(refused.argmax())
            raise self._refusal(lane, int(self._word("action")[lane]))

    def roll(self, plies: int) -> int:
        """Play so many random decisions in every lane; returns how many games were finished."""
        before = int(self._word("games").sum())
        self._arrays.arrays["batch"][place(BatchWords, "rolled")] = plies
        self._arrays.step("roll_lane")
        self._raise_faults()
        return int(self._word("games").sum()) - before

    def _refusal(self, lane: int, action: int) -> LearningError:
        is_action = 0 <= action < len(self.actions)
        name = f"action {action}" + (f" ({self.actions[action]})" if is_action else "")
        return LearningError(f"lane {lane}: {name} is not legal there")

    def _raise_faults(self) -> None:
        faults = self._word("fault")
        if faults.any():
            lane = int((faults != 0).argmax())
            raise self._fault(lane, int(faults[lane]), int(self._word("origin")[lane]))

    def _fault(self, lane: int, fault: int, origin: int) -> RulewrightError:
        if fault == kernels.UNNUMBERED:
            return LearningError(f"a fault of rulewright's own: lane {lane}: no action fits")
        if fault == kernels.CROWDED:
            count = int(self.counts[lane])
            return LearningError(
                f"lane {lane}: {count} decisions; sparse={self.sparse} has no more"
            )
        return fault_of(fault, origin, self._arrays.engine.play.rules)

    # --- what there is to see ---

    @property
    def legal(self) -> Numbers:
        """Whether an action is legal: (lanes, actions), truths."""
        marks = self._arrays.arrays["legal"].view(numpy().bool_)
        return marks[:, : len(self.actions)]

    def is_legal(self, lane: int, action: int) -> bool:
        """Whether a number is one of an action that is legal in a lane."""
        return 0 <= action < len(self.actions) and bool(self.legal[lane, action])

    def decisions(self, lane: int) -> dict[str, int]:
        """Return the legal actions of a lane by the texts that they have in its position."""
        state = self.state(lane)
        if not self.sparse:
            return self.actions.legal(state)
        engine, rows = self._arrays.engine, self._rows[lane, : self.counts[lane]]
        mover = int(self._arrays.arrays["state"][lane, p.MOVER])
        places = {parts: n for n, parts in enumerate(named_parts(engine, rows.tolist(), mover))}
        moves = zip(state.moves.texts, state.moves, strict=True)
        return {text: places[move.name, *move.choices.values()] for text, move in moves}

    @property
    def _rows(self) -> Numbers:
        """The rows of decisions that are kept: (lanes, places, words)."""
        rows: Numbers = self._arrays.arrays["listed_rows"]
        return rows.reshape(self.lanes, -1, self._arrays.engine.row)

    def parts(self) -> Numbers:
        """Return what each place of a sparse batch stands for: (lanes, places, 1 + choices).

        The number of the move, from 0 in the order of the rules, then its choices in their order:
        sites, kinds, directions by their numbers, numbers, sets of sites as words; -1 where there
        is nothing.
        """
        if not self.sparse:
            raise LearningError("parts are those of a sparse batch: `sparse=256`")
        np, engine, rows = numpy(), self._arrays.engine, self._rows
        moves, words = self.game.rules.moves, engine.plan.words
        sizes = [sum(c[2] for c in choice_places(m, words).values()) for m in moves]
        is_listed = np.arange(self.sparse) < self.counts[:, None]
        number = np.where(is_listed, rows[:, :, 0], -1)
        columns = np.arange(max(sizes, default=0))
        is_chosen = columns < np.array([*sizes, 0])[number][:, :, None]
        choices = np.where(is_chosen, rows[:, :, 2 : 2 + len(columns)], -1)
        return np.concatenate((number[:, :, None], choices), axis=2)

    @property
    def counts(self) -> Numbers:
        """How many decisions are legal: (lanes,); 0 where a game is over."""
        return self._word("legal")

    @property
    def seats(self) -> Numbers:
        """Who decides next, from 0 on, or `CHANCE`: (lanes,).

        Seats stay when players exchange their colours.
        """
        state = self._arrays.arrays["state"]
        return numpy().where(
            self._word("by_chance") == 1, CHANCE, state[:, p.MOVER] ^ state[:, p.SWAPPED]
        )

    def probabilities(self) -> Numbers:
        """Return how likely chance is to take each action: (lanes, actions).

        The sum of a lane is 1 where chance decides, else 0.
        """
        return self._arrays.probabilities()[:, : len(self.actions)]

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
        """What the last step gave each seat: (lanes, seats).

        1 for the seat that won, -1 for the other, else 0; of several seats each gets what share of
        the others stands behind it, less that before it.
        """
        np = numpy()
        result, ended = self._word("result"), self.terminated
        if not self.game.rules.has_several:
            won = ended & (result >= 0) & (result < 2)
            first = np.where(won, 1.0 - 2.0 * (result ^ self._word("swapped")), 0.0)
            return np.stack((first, -first), axis=1).astype(np.float32)
        bits = PLACE_BITS * np.arange(len(self.game.players))
        places = result[:, None] >> bits & (1 << PLACE_BITS) - 1
        better = np.sign(places[:, None, :] - places[:, :, None]).sum(axis=2)
        return np.where(ended[:, None], better / (len(bits) - 1), 0).astype(np.float32)

    def observe(self, seat: int | None = None) -> Numbers:
        """Return the planes as a seat sees them: bytes by lane, plane and place.

        *seat*: None for whoever decides next.

        A byte is 0 or 1.  `planes.planes` names the planes; the shape is rows and columns, or the
        sites of a drawn board.
        """
        self._word("viewer")[:] = self._checked_seat(seat)
        self._arrays.observe()
        if self._shown is None:
            self._shown = self._planes_of_lanes()
        return self._shown

    def _planes_of_lanes(self) -> Numbers:
        """Return the bytes of planes, without those that fill up words."""
        np, planes = numpy(), self.planes
        padded = planes.words * WORD * BYTES
        spread = self._arrays.arrays["planes"].view(np.uint8)
        spread = spread.reshape(self.lanes, len(planes.planes), padded)
        rows = planes.shape[1] if len(planes.shape) > 1 else 1
        strides = (*spread.strides[:2], *((rows, 1) if len(planes.shape) > 1 else (1,)))
        shape = (self.lanes, len(planes.planes), *planes.shape)
        assert prod(planes.shape) <= padded
        return np.lib.stride_tricks.as_strided(spread, shape, strides)

    def numbers(self, seat: int | None = None) -> Numbers:
        """Return the numbers of positions as a seat sees them: (lanes, numbers).

        `planes.numbers` names them.
        """
        state, viewer = self._arrays.arrays["state"], self._checked_seat(seat)
        mover = state[:, p.MOVER]
        values: Numbers = self._arrays.numbers(
            mover if viewer < 0 else viewer ^ state[:, p.SWAPPED]
        )
        return values

    def _checked_seat(self, seat: int | None) -> int:
        """Return a seat, -1 for whoever decides next; raises `LearningError` for others."""
        if seat is None:
            return -1
        if not 0 <= seat < len(self.game.players):
            raise LearningError(f"seat {seat}; there are {len(self.game.players)}, from 0 on")
        return seat

    def _word(self, name: str) -> Numbers:
        return self._arrays.arrays["lane"][:, place(Lane, name)]

    # --- single games ---

    def state(self, lane: int) -> State:
        """Return the position of a lane as a `State`."""
        engine, arrays = self._arrays.engine, self._arrays.arrays
        words = arrays["state"][lane, : engine.plan.size]
        past: Past | None = None
        size = len(engine.earlier)
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


def checked_actions(actions: Sequence[int] | Numbers, lanes: int) -> Numbers:
    """Return actions as whole numbers; raises `LearningError` for another shape or type."""
    array = numpy().asarray(actions)
    if array.shape != (lanes,) or array.dtype.kind not in "iu":
        wrong = f"shape {array.shape} and type {array.dtype}"
        raise LearningError(f"actions of {wrong}; a whole number is needed for each lane")
    return array


def seeds_of(seed: int, lanes: int) -> Numbers:
    """Return an odd number for each lane, by its number and the seed (SplitMix64)."""
    np = numpy()
    with np.errstate(over="ignore"):
        x = np.arange(1, lanes + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        x += np.uint64(seed % 2**64) * np.uint64(0xD1342543DE82EF95)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x = x ^ (x >> np.uint64(31))
    return (x | np.uint64(1)).view(np.int64)
