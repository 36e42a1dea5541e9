"""A game's kernels, loaded and ready: one face for machine code and plain Python.

In: a game in motion (`ReferencePlay`).  Out: perft counts and random games from any of its
positions.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from pathlib import Path
from threading import RLock, Thread
from typing import Any

from attrs import define, field

from rulewright.compiler import layout as p
from rulewright.compiler.arrays import Arrays, Guarded, InMemory
from rulewright.compiler.backend import Linked
from rulewright.compiler.defects import net
from rulewright.compiler.earlier import EarlierRow
from rulewright.compiler.faults import fault_of
from rulewright.compiler.layout import Emitted, StateLayout, Unsupported, state_words
from rulewright.compiler.runtime import Scratch, signed
from rulewright.compiler.seats import out_word
from rulewright.errors import TooLong
from rulewright.ground import limits
from rulewright.ground.limits import LINE
from rulewright.ground.scoped import begin_part
from rulewright.model.rules import EMPTY
from rulewright.reference.effects import blank_value
from rulewright.reference.play import ReferencePlay
from rulewright.reference.position import History, Key, Position

IMPROVE_SECONDS = 0.25
"""Seconds of work with code compiled quickly, after which better code is worth its price."""
_DEEP = 3
"""Decisions that are counted one first decision after the other, as long as code is quick."""
LEVELS = 64
"""Decisions that perft can go deep before it asks for more room."""


def native_is_there() -> bool:
    """Whether LLVM can be used here."""
    return importlib.util.find_spec("llvmlite") is not None


def fastest() -> str | None:
    """Return the fastest backend that can run here, None if only plain Python can."""
    if native_is_there():
        return "native"
    from rulewright.compiler.backend.wasm_host import wasm_is_there

    return "wasm" if wasm_is_there() else None


def emitted_of(play: ReferencePlay) -> Emitted:
    """Lower the kernels of a game."""
    from rulewright.compiler.lower.game import lower_game  # and many modules with it

    begin_part()
    with net(play.rules):
        return lower_game(play)


def not_too_long(emitted: Emitted) -> None:
    """Refuse, as `Unsupported`, kernels that would take seconds to compile."""
    lines = emitted.length
    if lines > limits.KERNELS:
        raise Unsupported(f"its kernels have {lines:,} lines, which take seconds to compile")


_CAREFUL = RLock()
"""Held while code is compiled with care: two threads at once would gain nothing."""


@define(eq=False)
class Engine:
    """The kernels of one game on one backend, with the arrays they work on.

    Code can be had in two steps.  `load_engine(game, quick=True)` and whatever is `linked` after it
    are there within a second of processor time.  Whoever lets kernels work for long calls
    `search.background.improve(engine)` and goes on; kernels that are asked for later are optimized.
    Every search does so by itself when it has taken a quarter of a second.
    """

    play: ReferencePlay
    backend: str = "native"
    use_cache: bool = True
    emitted: Emitted | None = None
    """The kernels, if they were written before."""
    quick: bool = False
    """Whether machine code is compiled quickly, and slow until `improve` compiles it again."""
    cache_file: Path | None = None
    """The file in which its kernels are cached, if they are; those of players lie beside."""
    plan: StateLayout = field(init=False)
    row: int = field(init=False)
    long: bool = field(init=False)
    """Whether its kernels are so long that quick code has to do unless somebody improves it."""
    lowered: Linked = field(init=False)
    """The kernels of the game alone."""
    arrays: Arrays = field(init=False)
    """Makes the arrays that its kernels take."""
    _kernels: Any = field(init=False)
    _arrays: dict[str, Any] = field(factory=dict, init=False)
    _levels: int = field(default=LEVELS, init=False)
    _linked: dict[tuple[int, ...], tuple[tuple[Linked, ...], Any]] = field(factory=dict, init=False)
    pools: dict[int, list[Any]] = field(factory=dict, init=False)
    """Free objects that searches have made for these kernels, by the linked value."""
    search_seconds: float = field(default=0.0, init=False)
    """Seconds for which searches have used its kernels."""
    _first: StateLayout = field(init=False)
    """The layout as the rules alone need it."""
    _parts: dict[str, Engine] = field(factory=dict, init=False)
    """Engines with tables of their own, by their names."""
    _improving: bool = field(default=False, init=False)
    part: str = field(default="", init=False)
    """The name that `apart` was called with."""
    lowering: Any = field(factory=RLock, init=False)
    """Held while kernels are lowered: threads would write into each other's layout."""

    def __attrs_post_init__(self) -> None:
        emitted = self.emitted = self.emitted or emitted_of(self.play)
        self.plan, self.row, self.lowered = emitted.layout, emitted.layout.row, emitted.linked
        not_too_long(emitted)
        self._first = _fork(self.plan)
        self.long = emitted.length > limits.CAREFUL
        self.quick = self.backend == "native" and (self.quick or self.long)
        with net(self.play.rules):
            self._kernels, self.arrays = self._load()
        sizes = {**self.sizes(), "Y": self.plan.whole * LEVELS, "R": 16, "C": 16}
        self._arrays = {name: self.zeros(size) for name, size in sizes.items()}
        self._arrays["K"] = self.array(self.plan.table or [0])

    def _load(self) -> tuple[Any, Arrays]:
        """Load the kernels of the game; returns them with the maker of their arrays."""
        if self.backend == "native":
            from rulewright.compiler.backend.native import Native

            return Native([self.lowered], use_cache=self.use_cache, quick=self.quick), InMemory()
        if self.backend == "wasm":
            from rulewright.compiler.backend.wasm_host import Wasm

            loaded = Wasm([self.lowered], use_cache=self.use_cache)
            return loaded, InMemory(loaded.host.memory)
        from rulewright.compiler.backend.python import run

        return run(self.lowered.module, self.play.rules.name), Guarded()

    def sizes(self) -> dict[str, int]:
        """Return the lengths (words) of the arrays that every kernel takes, without constants."""
        key = len(self.earlier)
        positions = limits.KEPT + 1 if self.play.rules.looks_back else 1
        return {
            "S": self.plan.whole, "M": p.DECISIONS * self.row, "X": self.plan.scratch_size,
            "H": key * positions, "T": self.plan.size,
        }  # fmt: skip

    @property
    def code(self) -> Any:
        """The best machine code of the game that is compiled."""
        return self._kernels.best

    @cached_property
    def symmetries(self) -> list[tuple[int, ...]]:
        """The ways to turn the board that the rules do not tell apart."""
        from rulewright.compiler.passes.symmetry import symmetries  # proofs alone need it

        return symmetries(self.play.rules)

    @cached_property
    def earlier(self) -> EarlierRow:
        """The row in which an earlier position is kept."""
        return EarlierRow.of(self.plan)

    @property
    def constants(self) -> Any:
        """The array K, with the tables that evaluators have added."""
        if len(self._arrays["K"]) < len(self.plan.table):
            self._arrays["K"] = self.array(self.plan.table)
        return self._arrays["K"]

    def zeros(self, size: int) -> Any:
        """Make an array of whole numbers, all 0."""
        return self.arrays.ints(size)

    def array(self, values: Sequence[float]) -> Any:
        """Make an array of *values* for this backend; the last of them gives its type."""
        return self.arrays.of(values)

    def _call(self, name: str, *more: Any) -> int:
        arrays = [self._arrays[a] for a in "SKMHXT"]
        result: int = self._kernels[name](*arrays, *more)
        return result

    def _interruptible(self, name: str, *more: Any) -> int:
        """Call a kernel in a thread of its own: machine code sees no signals, but a flag."""
        if self.backend == "python" or sys.platform == "emscripten":  # a page has no threads
            return self._call(name, *more)
        results: list[int] = []
        worker = Thread(target=lambda: results.append(self._call(name, *more)), daemon=True)
        worker.start()
        try:
            while worker.is_alive():
                worker.join(0.05)
        except BaseException:
            self._arrays["C"][6] = 1
            worker.join()
            raise
        return results[0]

    def linked(self, *more: Linked) -> Any:
        """Link further modules to the game's kernels; returns functions by their names.

        Different modules share nothing but the game's object code, so that they may define the same
        names; the same ones are linked once.
        """
        more = tuple(dict.fromkeys(part for item in more for part in (*item.needs, item)))
        key = tuple(id(item) for item in more)
        if key not in self._linked:
            with net(self.play.rules):
                self._linked[key] = (more, self._link(*more))
        return self._linked[key][1]

    def _link(self, *more: Linked) -> Any:
        if self.backend == "native":
            from rulewright.compiler.backend.native import Native

            return Native(more, self.use_cache, self._kernels, self.quick)
        if self.backend == "wasm":
            from rulewright.compiler.backend.wasm_host import Wasm

            return Wasm(more, self._kernels, self.use_cache)
        from rulewright.compiler.backend.python import run

        kernels = dict(self._kernels)
        for number, item in enumerate(more):
            kernels |= run(item.module, f"{self.play.rules.name}, part {number + 2}", kernels)
        return kernels

    def apart(self, name: str) -> Engine:
        """Return an engine with the same kernels, and tables and room for the texts of *name*.

        So what is lowered there is the same text whoever plays in the same process, and its code is
        compiled once.  It takes no positions of its own: searches have their own arrays.
        """
        if name not in self._parts:
            part = copy(self)
            part.plan, part._linked, part.pools, part._parts = _fork(self._first), {}, {}, {}
            part._arrays = {"K": part.array(part.plan.table or [0])}
            part.part = name
            self._parts[name] = part
        return self._parts[name]

    def improve(self) -> None:
        """Compile quick code again with care, and with care all that is linked later."""
        if self.backend == "native" and self.quick:
            self.quick = False
            self.better()

    def better(self) -> None:
        """Compile quick code again with care; it may be running meanwhile."""
        try:
            with _CAREFUL:
                for loaded in self._loadings():
                    loaded.improve()
        finally:
            self._improving = False

    def claim(self) -> bool:
        """Claim the work of compiling with more care; False if there is none, or it is claimed.

        Who has claimed it calls `better` in some thread.
        """
        if self.backend != "native" or self._improving:
            return False
        self._improving = not self.final
        return self._improving

    @property
    def final(self) -> bool:
        """Whether all code that is loaded was compiled with care."""
        return self.backend != "native" or all(loaded.best.final for loaded in self._loadings())

    def _loadings(self) -> list[Any]:
        """Return all code that is loaded."""
        return [self._kernels, *(kernels for _, kernels in list(self._linked.values()))]

    # --- positions ---

    def encode(self, position: Position) -> list[int]:
        """Encode a position as the words of S."""
        plan, rules = self.plan, self.play.rules
        words = [0] * plan.size
        words[: p.HEAD] = [
            position.mover, position.ply, plan.courses[position.rest], int(position.fresh),
            int(position.again), int(position.swapped), p.RUNNING, 0, 0,
        ]  # fmt: skip
        kinds = position.kinds if plan.kinds_kept else ()
        masks = (*position.owned[: plan.owners], *kinds)
        for i, mask in enumerate(masks):
            words[plan.owned + i * plan.words : plan.owned + (i + 1) * plan.words] = plan.split(
                mask
            )
        for i in range(plan.link_words):
            words[plan.links + i] = signed(position.links[0] >> 64 * i & 2**64 - 1)
        for offset, word in plan.piles.words_of(position.piles):
            words[offset] = word
        for index, values in enumerate(position.states):
            for offset, word in state_words(plan, index, values):
                words[offset] = word
        words[p.PAST] = position.past if rules.looks_back else 0
        if plan.claimable:
            words[plan.claimable] = int(position.claimable)
        if plan.out:
            words[plan.out] = out_word(position.out)
        return words

    def set(self, position: Position) -> None:
        """Put a position (and what stood before it) into the arrays."""
        self.put(position, self._arrays["S"], self._arrays["H"])

    def put(self, position: Position, state: Any, history: Any) -> None:
        """Put a position into the array *state*, and what stood before it into *history*."""
        for i, word in enumerate(self.encode(position)):
            state[i] = word
        if self.play.rules.looks_back:
            entries = list(_past(position.history))[::-1]
            words = [w for key in entries for w in self.key_of(key)]
            for i, word in enumerate(words[: len(history)]):
                history[i] = word

    def key_of(self, key: Key) -> list[int]:
        """Encode a key of the reference as the words of `push`."""
        owned, kinds, links, piles, states, mover, again, rest, out = key
        pairs = zip(self.play.rules.states, states, strict=True)
        players = len(self.play.rules.players)
        values = tuple(blank_value(s, players) if v is None else v for s, v in pairs)
        position = Position(
            owned, kinds, links, values, mover, 0, rest, again=again, piles=piles, out=out
        )
        words = self.encode(position)
        return self.earlier.read(words, over=rest == EMPTY)

    def words(self) -> list[int]:
        """Return the words of the present position."""
        state, size = self._arrays["S"], self.plan.size
        values: list[int] = list(state)[:size] if self.backend == "python" else state[:size]
        return values

    def restore(self, words: list[int]) -> None:
        """Put the words of a position back."""
        for i, word in enumerate(words):
            self._arrays["S"][i] = word

    # --- what the kernels do ---

    def decisions(self) -> int:
        """Count the decisions of the present position; their rows are in M."""
        return self._call("decisions", 0)

    @property
    def left_out(self) -> int:
        """How many decisions the last list left out because others are written alike."""
        return int(Scratch(self._arrays["X"]).dropped)

    def outcome_when_stuck(self) -> int:
        """Return the result by the end rules that mention `stuck`."""
        return self._call("stuck")

    def random_plies(self, position: Position, seed: int) -> Iterator[list[int]]:
        """Play a random game as playouts do; yields the words after every decision."""
        self.set(position)
        chance = self._arrays["R"]
        chance[0] = seed | 1
        name = "incremental_ply" if self._call("begin_incremental") else "ply"
        while self._call(name, chance, 0):
            yield self.words()

    def playout(self, position: Position, seed: int, most: int) -> tuple[int, int, int]:
        """Play a random game; returns decisions, result (RUNNING: unfinished), fault or 0.

        The same game as `random_plies` plays with that seed.
        """
        self.set(position)
        chance = self._arrays["R"]
        chance[0] = seed | 1
        plies = self._call("playout", chance, most)
        state = self._arrays["S"]
        return plies, state[p.RESULT], state[p.FAULT]

    def step(self, number: int) -> None:
        """Play a decision by its number."""
        self._call("play", number * self.row, p.DECISIONS // 2)

    def perft(self, position: Position, depth: int, unit: str = "decision") -> int:
        """Count the sequences of exactly *depth* decisions or turns."""
        return self.count(position, depth, unit)[0]

    def count(self, position: Position, depth: int, unit: str = "decision") -> tuple[int, int]:
        """Return perft and the decisions counted on the way, as `State.count` does."""
        if depth == 0:
            return 1, 0
        if unit == "decision" and depth >= _DEEP and not self.final:
            return self._count_by_first_decision(position, depth)
        return self._count_whole(position, depth, unit)

    def _count_by_first_decision(self, position: Position, depth: int) -> tuple[int, int]:
        """Count below one first decision after the other, with better code as soon as there is any.

        It is compiled in another thread after `IMPROVE_SECONDS`.
        """
        situation, begun, leaves, nodes = self.play.resume(position), time.perf_counter(), 0, 0
        for option in situation.options:
            outcome = situation.after(option)
            if not outcome.ended:
                counts = self._count_whole(outcome.position, depth - 1)
                leaves, nodes = leaves + counts[0], nodes + counts[1]
            if time.perf_counter() > begun + IMPROVE_SECONDS and self.claim():
                Thread(target=self.better, daemon=True).start()
        return leaves, nodes + len(situation.options)

    def _count_whole(
        self, position: Position, depth: int, unit: str = "decision"
    ) -> tuple[int, int]:
        for levels in (max(self._levels, depth), LINE):
            if levels <= LINE:
                self._make_room(levels)
                counts = self._try_count(position, depth, unit)
                if counts is not None:
                    return counts
        raise TooLong(LINE)

    def _try_count(self, position: Position, depth: int, unit: str) -> tuple[int, int] | None:
        """Count leaves and decisions; None if a line has more decisions than there is room for."""
        self.set(position)
        counts = self._arrays["C"]
        counts[0], counts[6], counts[7], counts[8] = 0, 0, 0, self._levels
        arrays = self._arrays["Y"], counts
        if unit == "turn":
            leaves = self._interruptible("turns", *arrays, depth, 0, 0, 0)
        else:
            leaves = self._interruptible("perft", *arrays, depth, 0, 0)
        self._check(self._arrays["S"][p.FAULT])
        return None if counts[7] else (leaves, counts[0])

    def _make_room(self, levels: int) -> None:
        """Make room for lines of *levels* decisions."""
        if levels > self._levels:
            self._levels = levels
            self._arrays["Y"] = self.zeros(self.plan.whole * levels)

    def playouts(
        self, position: Position, games: int, seed: int = 1, most: int = 10_000
    ) -> tuple[int, list[int]]:
        """Play random games; returns all decisions, and games won by each person, draws, faults.

        Of more than two players a draw is a game with several first places.
        """
        self.set(position)
        chance, counts = self._arrays["R"], self._arrays["C"]
        chance[0], chance[1] = (seed * 2654435761 + 88172645463325252) % 2**62 | 1, 0
        players = len(self.play.rules.players)
        wins = [10 + i for i in range(players)] if players > 2 else [0, 1]
        for i in (*wins, 2, 3):
            counts[i] = 0
        plies = self._call("playouts", self._arrays["Y"], chance, counts, games, most)
        return plies, [counts[i] for i in (*wins, 2, 3)]

    def _check(self, fault: int) -> None:
        if fault:
            raise fault_of(fault, self._arrays["X"][p.ORIGIN], self.play.rules)


def _past(history: History) -> Iterator[Key]:
    while history is not None:
        key, history = history
        yield key


_BOOKS = "table", "kernels", "callees", "caches", "sizes", "facts", "notes", "_offsets"


def _fork(layout: StateLayout) -> StateLayout:
    """Copy a layout: what is added to one is not in the other."""
    own = copy(layout)
    for name in _BOOKS:
        setattr(own, name, copy(getattr(layout, name)))
    return own
