"""Thousands of games at once on a graphics card, stepped without a copy to the processor.

In: a game, how many lanes, a seed.  Out: `CardBatch`, which plays what `Batch` plays, and arrays on
the card that PyTorch, JAX and CuPy read where they lie.  The kernels are those of the processor,
with a thread of the card for each lane (`card_program`).  Refuses, as `LearningError`, what `Batch`
refuses, games whose kernels a card cannot run, and machines without a card.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, field

from rulewright.compiler.backend.tiles import TILE
from rulewright.compiler.lower.sight import KERNEL as SIGHT
from rulewright.compiler.runtime import place
from rulewright.games.engine.game import Game, State
from rulewright.games.engine.memory import WORD
from rulewright.ground.printable import amount
from rulewright.learning import card_kernels
from rulewright.learning.actions import ActionSpace
from rulewright.learning.batch import DRAW, HIDDEN, Batch, checked_actions, seeds_of
from rulewright.learning.card_arrays import CUDA, CardArray, place_of
from rulewright.learning.card_driver import Card
from rulewright.learning.card_program import ARRAYS, CardProgram, order_of
from rulewright.learning.kernels import BatchWords, Lane
from rulewright.learning.lane_arrays import BatchArrays, LearningError, numpy
from rulewright.learning.planes import BITS, BYTES, Planes

if TYPE_CHECKING:
    import numpy as np

    Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]
    Actions: TypeAlias = Sequence[int] | Numbers | Any

WORKERS = 1 << 14
"""Threads of a card that have rows of decisions of their own; lanes beyond take turns."""
ROWS = 4096
"""Decisions that a worker has room for."""
_CHOSEN = ("seat", "todo")
"""Arrays of all words that a kernel may be told."""
_DRAW_BYTE = DRAW & 255
"""All bytes of a word that is `DRAW`."""
_BLOCK = 64
"""Threads that a card starts together."""


@define(eq=False)
class CardBatch:
    """Games of one kind that are played side by side on a card; see `Batch` for what is alike.

    What goes wrong in a lane is kept on the card: `check` asks for it.  *workers*: lanes that are
    played at the same time.  *rows*: decisions that each of them has room for.
    """

    game: Game
    lanes: int
    seed: int = 0
    longest: int = 0
    again: bool = True
    chance: str = HIDDEN
    workers: int = WORKERS
    rows: int = ROWS
    card: Card = field(factory=Card)
    actions: ActionSpace = field(init=False)
    """All actions of the game, by number."""
    planes: Planes = field(init=False)
    """What the observations show, by name."""
    _lane: Batch = field(init=False)
    """A batch of one lane on the processor: it knows sizes, tables and positions."""
    _plan: CardProgram = field(init=False)
    _places: dict[str, int] = field(factory=dict, init=False)
    _sizes: dict[str, int] = field(factory=dict, init=False)
    """Words of each array: of a lane, of a worker, or of all together."""
    _functions: dict[str, Any] = field(factory=dict, init=False)
    _modules: list[Any] = field(factory=list, init=False)
    _finalizer: Any = field(init=False)
    _last_actions: Any = field(default=None, init=False)
    """The actions of the last step, which the card may still read."""

    def __attrs_post_init__(self) -> None:
        for name in ("lanes", "workers", "rows"):
            if getattr(self, name) < 1:
                raise LearningError(f"{name}={getattr(self, name)}; it is at least 1")
        self._lane = Batch(self.game, 1, 0, 1, self.longest, self.again, self.chance)
        self.longest, self.actions, self.planes = (
            self._lane.longest, self._lane.actions, self._lane.planes,
        )  # fmt: skip
        self.workers = -(-min(self.workers, self.lanes) // _BLOCK) * _BLOCK
        self._plan = CardProgram(self._host, self.rows)
        self._finalizer = weakref.finalize(self, _release, self.card, self._places, self._modules)
        self._reserve()
        self.reset(self.seed)

    @property
    def _host(self) -> BatchArrays:
        return self._lane._arrays

    def close(self) -> None:
        """Give the memory of the card back; its arrays must not be read any more."""
        self._finalizer()

    # --- memory ---

    def _reserve(self) -> None:
        """Reserve all arrays, and copy what all lanes share or begin with."""
        np, host = numpy(), self._host
        for name, words in self._shared().items():
            self._sizes[name], self._places[name] = 0, self.card.memory(max(1, words.nbytes))
            self.card.write(self._places[name], words)
        for name, size in self._own().items():
            self._sizes[name] = size
            count = self.workers if order_of(name)[1] else self.lanes
            tiles = -(-count // TILE) * TILE
            self._places[name] = self.card.memory(WORD * tiles * max(1, size))
        for name in ("past", "seen_sites"):
            whole = np.empty((-(-self.lanes // TILE), self._sizes[name], TILE), np.int64)
            whole[:] = host.arrays[name][0][: self._sizes[name], None]
            if whole.nbytes:
                self.card.write(self._places[name], whole)

    def _shared(self) -> dict[str, Any]:
        """Return what all lanes share."""
        np, host = numpy(), self._host
        names = ("tables", "moves", "actions", "start", "batch", "places", "links", "piles")
        seats = len(self.game.players)
        about = [self._plan.room - 1, seats if self.game.rules.has_several else 0]
        return {
            **{name: np.ascontiguousarray(host.arrays[name]) for name in names},
            "parts": np.array(self.planes.number_table(), np.int64),
            "about": np.array(about, np.int64), "todo": np.arange(3, dtype=np.int64),
            "seat": np.arange(-1, seats, dtype=np.int64),
        }  # fmt: skip

    def _own(self) -> dict[str, int]:
        """Return the words of each array that a lane or a worker has for itself."""
        host, numbers = self._host, max(1, len(self.planes.numbers))
        lane = {name: a.shape[1] for name, a in host.arrays.items() if a.ndim > 1}
        sizes = host.engine.sizes()
        return {
            **lane, "rows": self._plan.room, "scratch": sizes["X"], "trial": sizes["T"],
            **dict.fromkeys(("wanted_action", "seats", "counts", "terminated", "truncated"), 1),
            "rewards": max(2, len(self.game.players)), "wrong": 3, "numbers": numbers,
            "chances": BYTES * lane["legal"] if self.game.rules.has_chance else 0,
        }  # fmt: skip

    def _array(self, name: str, shape: tuple[int, ...], dtype: str = "int64") -> CardArray:
        return CardArray(
            self._places[name], shape, dtype, (CUDA, self.card.number), self, self.card.wait,
            self.card.read,
        )  # fmt: skip

    def _compact(self, name: str, shape: tuple[int, ...], dtype: str, pitch: int) -> CardArray:
        """Return an array without the gaps behind its rows, which lie *pitch* bytes apart.

        A row is all that lies behind the lane, of planes behind the plane.
        """
        outer = 2 if name == "planes" else 1
        width = prod(shape[outer:]) * numpy().dtype(dtype).itemsize
        height, alone = prod(shape[:outer]), f"{name} alone"
        if alone not in self._places:
            self._places[alone] = self.card.memory(width * height)
        if pitch:  # an array that this game has not stays 0
            self.card.copy_rows(self._places[alone], self._places[name], pitch, width, height)
        return self._array(alone, shape, dtype)

    # --- kernels ---

    def _launch(self, kernel: str, number: int = 0, first: int = 0, end: int = 0) -> None:
        """Launch a kernel on lanes, by default on all of them.

        *number*: which word of `_CHOSEN` arrays it takes: a word that is there need not be copied.
        """
        if kernel not in self._functions:
            self._load(next(names for names in self._plan.groups() if kernel in names))
        words = [
            word
            for name in ARRAYS[kernel]
            for word in (self._places[name] + WORD * number * (name in _CHOSEN), self._sizes[name])
        ]
        end = end or self.lanes
        blocks = -(-min(self.workers, end - first) // _BLOCK)
        self.card.launch(self._functions[kernel], blocks, _BLOCK, [*words, first, end])

    def _load(self, names: Sequence[str]) -> None:
        """Load kernels that are needed together."""
        module = self.card.module(self._plan.group(names).ptx(self.card.kind))
        self._modules.append(module)
        for name in names:
            self._functions[name] = self.card.function(module, f"card_{name}")

    # --- playing ---

    def reset(self, seed: int | None = None) -> None:
        """Begin a new game in every lane; *seed* also begins the random numbers anew."""
        if seed is not None:
            self.seed = seed
            words = numpy().zeros((self.lanes, self._sizes["chance"]), "int64")
            words[:, 0] = seeds_of(seed, self.lanes)
            self.card.write(self._places["chance"], as_tiles(words))
        self._launch("act_on_card", card_kernels.BEGIN)

    def step(self, actions: Actions | None = None) -> None:
        """Play an action in every lane; None, or `DRAW` for a lane, draws a legal one.

        *actions*: an array on the card, by DLPack, is read where it lies; numbers of this
        processor are copied there.  Nothing is copied back, and nothing is raised for an action
        that is not legal or a fault of the rules: that lane stands still, and `check` tells it.
        """
        if actions is None:
            self.card.fill(self._places["wanted_action"], _DRAW_BYTE, WORD * self.lanes)
        elif getattr(actions, "__dlpack_device__", lambda: (0, 0))()[0] == CUDA:
            at = place_of(actions, self.lanes, (CUDA, self.card.number))
            self.card.copy(self._places["wanted_action"], at, WORD * self.lanes)
            self._last_actions = actions
        else:
            words = numpy().ascontiguousarray(checked_actions(actions, self.lanes), "int64")
            self.card.write(self._places["wanted_action"], words)
        self._launch("act_on_card", card_kernels.STEP)

    def roll(self, plies: int) -> int:
        """Play so many random decisions in every lane; returns how many games were finished."""
        before = int(self._words("games").sum())
        batch = self._host.arrays["batch"]
        batch[place(BatchWords, "rolled")] = plies
        self.card.write(self._places["batch"], batch)
        self._launch("roll_on_card")
        return int(self._words("games").sum()) - before

    def check(self) -> None:
        """Raise what went wrong first in a lane since the last `reset`.

        `LearningError` for an action that was not legal and for more decisions than there is room
        for, `Fault` where the rules went wrong.  Waits for the card.
        """
        wrong = self._array("wrong", (self.lanes, 3)).numpy()
        if not wrong[:, 0].any():
            return
        lane = int((wrong[:, 0] != 0).argmax())
        kind, first, second = map(int, wrong[lane])
        if kind == card_kernels.REFUSED:
            raise self._lane._refusal(lane, first)
        if kind == card_kernels.CROWDED:
            most = amount(self.rows, "decision")
            raise LearningError(f"lane {lane}: more than {most}; give more `rows`")
        raise self._lane._fault(lane, first, second)

    # --- what there is to see ---

    @property
    def legal(self) -> CardArray:
        """Whether an action is legal: (lanes, actions), truths."""
        shape = (self.lanes, len(self.actions))
        return self._compact("legal", shape, "bool", WORD * self._sizes["legal"])

    @property
    def counts(self) -> CardArray:
        """How many decisions are legal: (lanes,); 0 where a game is over."""
        return self._array("counts", (self.lanes,))

    @property
    def seats(self) -> CardArray:
        """Who decides next, from 0 on, or `CHANCE`: (lanes,)."""
        return self._array("seats", (self.lanes,))

    @property
    def rewards(self) -> CardArray:
        """What the last step gave each seat, as `Batch.rewards`: (lanes, seats)."""
        return self._array("rewards", (self.lanes, self._sizes["rewards"]), "float64")

    @property
    def terminated(self) -> CardArray:
        """1 where a rule ended a game in the last step, else 0: (lanes,)."""
        return self._array("terminated", (self.lanes,))

    @property
    def truncated(self) -> CardArray:
        """1 where a game was broken off for its length in the last step, else 0: (lanes,)."""
        return self._array("truncated", (self.lanes,))

    def probabilities(self) -> CardArray:
        """Return how likely chance is to take each action: (lanes, actions)."""
        if self.game.rules.has_chance:
            self._launch("weigh_lane")
        shape = (self.lanes, len(self.actions))
        return self._compact("chances", shape, "float64", WORD * self._sizes["chances"])

    def observe(self, seat: int | None = None) -> CardArray:
        """Return the planes as a seat sees them, as `Batch.observe`: (lanes, planes, sites)."""
        self._view(seat)
        for name in next(names for names in self._plan.groups() if "view_on_card" in names):
            if name.startswith("observe"):
                self._launch(name)
        pitch = self.planes.words * BITS
        shape = (self.lanes, len(self.planes.planes), *self.planes.shape)
        return self._compact("planes", shape, "uint8", pitch)

    def numbers(self, seat: int | None = None) -> CardArray:
        """Return the numbers of positions as a seat sees them: (lanes, numbers)."""
        self._view(seat)
        self._launch("number_on_card")
        return self._array("numbers", (self.lanes, len(self.planes.numbers)))

    def _view(self, seat: int | None) -> None:
        """Note who observes, and work out what that seat sees."""
        self._launch("view_on_card", self._lane._checked_seat(seat) + 1)
        if self._host.has_secrets:
            self._launch(SIGHT)

    def _words(self, name: str) -> Numbers:
        """Copy a word of all lanes to the processor."""
        tiles = numpy().empty((-(-self.lanes // TILE), self._sizes["lane"], TILE), "int64")
        words: Numbers = self.card.read(self._places["lane"], tiles)[:, place(Lane, name)]
        return words.reshape(-1)[: self.lanes]

    # --- single games ---

    def state(self, lane: int) -> State:
        """Return the position of a lane as a `State`, copied from the card."""
        for name in ("state", "past"):
            self._host.arrays[name][0] = self._tile(name, lane)[:, lane % TILE]
        return self._lane.state(0)

    def put(self, lane: int, state: State) -> None:
        """Put a position of the same game into a lane, as `Batch.put` does."""
        self._lane.put(0, state)
        words = self._host.arrays["lane"]
        words[0, place(Lane, "games")] = self._tile("lane", lane)[place(Lane, "games"), lane % TILE]
        for name in ("state", "past", "lane"):
            tile = self._tile(name, lane)
            tile[:, lane % TILE] = self._host.arrays[name][0]
            self.card.write(self._tile_place(name, lane), tile)
        self._launch("act_on_card", card_kernels.LOOK, lane, lane + 1)

    def _tile(self, name: str, lane: int) -> Any:
        """Copy the tile of a lane from the card: (words, lanes of the tile)."""
        tile = numpy().empty((self._sizes[name], TILE), "int64")
        return self.card.read(self._tile_place(name, lane), tile)

    def _tile_place(self, name: str, lane: int) -> int:
        if not 0 <= lane < self.lanes:
            raise LearningError(f"lane {lane}; there are {self.lanes}, from 0 on")
        return self._places[name] + WORD * TILE * self._sizes[name] * (lane // TILE)


def as_tiles(words: Numbers) -> Numbers:
    """Bring words by lane (lanes, words) into the order of a card (tiles, words, `TILE`)."""
    np, (lanes, count) = numpy(), words.shape
    whole = np.zeros((-(-lanes // TILE) * TILE, count), np.int64)
    whole[:lanes] = words
    tiles: Numbers = np.ascontiguousarray(whole.reshape(-1, TILE, count).swapaxes(1, 2))
    return tiles


def _release(card: Card, places: Mapping[str, int], modules: list[Any]) -> None:
    """Give back what a batch has reserved on a card; one that has failed gives all back itself."""
    with suppress(LearningError):
        for place_on_card in places.values():
            card.free(place_on_card)
        for module in modules:
            card.unload(module)
