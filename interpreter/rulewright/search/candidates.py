"""Candidates: the decisions that patterns leave to a search, by machine code and by the reference.

In: a pattern file, how many decisions may be kept, and an engine or positions.  Out: kernels that
narrow the decisions of every position, and the decisions of a root.  Patterns only narrow: where
none fires all decisions are looked at, and at the root nothing is left out that wins at once or
that alone keeps the other person from winning at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast
from weakref import WeakKeyDictionary

from attrs import evolve, field, frozen

from rulewright.codegen import layout as p
from rulewright.codegen.engine import Engine
from rulewright.codegen.lower.paths import Rooms
from rulewright.engine.game import State
from rulewright.engine.kept_lowering import Lowered, kept_lowering
from rulewright.model.patterns import Patterns
from rulewright.model.personality import Consider
from rulewright.reference.matching import Matcher, placements
from rulewright.reference.play import LegalDecision, ReferencePlay, Situation
from rulewright.reference.position import Position
from rulewright.search.kernels import matching
from rulewright.search.pattern_face import face_of
from rulewright.search.pattern_table import MOST_KEPT, Candidates, Tables
from rulewright.search.results import Number
from rulewright.search.thread_arrays import Guide, LinkedEvaluator, Root, ThreadArrays, module

_KNOWN: WeakKeyDictionary[Engine, dict[tuple[int, int, int], tuple[Patterns, Candidates]]] = (
    WeakKeyDictionary()
)


def candidates(
    engine: Engine, file: Patterns, widest: int = MOST_KEPT, rest: int = 0
) -> Candidates:
    """The candidates by a pattern file; its tables are laid once for an engine.

    *widest*: how many are kept at the most; *rest*: how many where no pattern fires, 0 for all.

    Raises `Unsupported` for what has no kernels: paths whose costs are not whole, drawn boards.
    """
    known = _KNOWN.setdefault(engine, {})
    key = (id(file), widest, rest)
    if key not in known:
        lowered = kept_lowering(
            engine, ("candidates", file, widest, rest), lambda: _lowered(engine, file, widest, rest)
        )
        linked = *lowered.linked, module(matching)
        known[key] = (file, Candidates(linked, lowered.at, file, widest))
    return known[key][1]


def _lowered(engine: Engine, file: Patterns, widest: int, rest: int) -> Lowered:
    """What the patterns of a file ask of the game."""
    plan = engine.plan
    rooms = Rooms.of(plan) if file.around else None
    directions = Matcher(engine.play, file).directions
    tables = Tables(plan, file, directions)
    table = tables.lay(engine.row, widest, rest)
    return Lowered((face_of(tables, table, rooms),), table)


@frozen(eq=False)
class Proposing:
    """What patterns propose in positions, by machine code."""

    found: Candidates
    space: ThreadArrays

    @classmethod
    def of(cls, engine: Engine, file: Patterns) -> Proposing:
        """The patterns of a file at work; raises `Unsupported` as `candidates` does."""
        found = candidates(engine, file)
        return cls(found, ThreadArrays(engine, 0, candidates=found))

    def proposals(self, position: Position) -> dict[int, tuple[int, ...]]:
        """The sites proposed, each with the numbers of its patterns; legal or not."""
        space = self.space
        space.place(position)
        count = space.kernels["matched"](*space.game)
        x, constants = space.game[4], space.game[1]
        first = constants[self.found.table + matching.FOUND]
        pairs: dict[int, set[int]] = {}
        for i in range(count):
            pairs.setdefault(x[first + 2 * i], set()).add(x[first + 2 * i + 1])
        return {site: tuple(sorted(pairs[site])) for site in sorted(pairs)}


# --- the root, by machine code ---


def narrowed_root(state: State, engine: Engine, consider: Consider) -> tuple[Candidates, list[str]]:
    """What narrows the positions of a search, and the decisions that are searched here."""
    found = candidates(engine, consider.patterns, consider.most, consider.rest)
    return found, _Look(state, engine, found).root()


def led_root(
    state: State, engine: Engine, judge: LinkedEvaluator, led: Guide, found: Candidates | None
) -> list[str]:
    """The decisions that a text's values leave to be searched here; it may be all of them."""
    look = _Look(state, engine, found, judge, led)
    kept = look.kept()
    if led.must or len(kept) == len(look.texts):
        return kept
    return look.root(kept)


class _Look:
    """A look at the decisions of one position and those that follow it."""

    def __init__(
        self, state: State, engine: Engine, found: Candidates | None,
        judge: LinkedEvaluator | None = None, led: Guide | None = None,
    ) -> None:  # fmt: skip
        self.engine, self.position = engine, state.situation.position
        self.space = ThreadArrays(engine, 0, judge, candidates=found, guide=led)
        Root(state, engine).place(self.space)
        self.texts = state.moves.texts
        self.person = self.position.mover ^ self.position.swapped

    def root(self, kept: list[str] | None = None) -> list[str]:
        """The decisions that are searched, in the order of the game."""
        wins = self._winning(self.person)
        if wins:
            return [self.texts[row] for row in wins]
        kept = self.kept() if kept is None else kept
        if not self._threatened():
            return kept
        sound = self._safe()
        return [text for text in kept if text in sound] or sound or kept

    def _winning(self, who: int) -> list[int]:
        """The rows that win at once for a person."""
        space, found = self.space, list[int]()
        row = int(space.call("winning_from", 0, space.rows, who))
        while row >= 0:
            found.append(row)
            row = int(space.call("winning_from", row + 1, space.rows, who))
        return found

    def _wins(self, row: int, who: int) -> bool:
        result, swapped = self.space.result_after(row)
        return _won(result, swapped, who)

    def kept(self) -> list[str]:
        """The decisions that patterns or values leave; all where none is left."""
        whole = self.space.rows
        rows = {row: number for number, row in enumerate(self.space.written(0, whole))}
        end = self.space.call("wanted", 0, whole, self.space.who)
        kept = [rows[row] for row in self.space.written(0, end)]
        self.space.place(self.position)
        return [self.texts[number] for number in sorted(kept)]

    def _threatened(self) -> bool:
        """Whether the other colour would win at once, if it were its turn."""
        course = self.engine.play.rules.course
        passed = evolve(self.position, mover=1 - self.position.mover, rest=course, fresh=True)
        self.space.place(passed)
        wins = self._winning(passed.mover ^ passed.swapped)
        self.space.place(self.position)
        return bool(wins)

    def _safe(self) -> list[str]:
        """The decisions after which the other person cannot win at once; his last win first."""
        found, last = [], 0
        after = [self.space.after(row) for row in range(self.space.rows)]
        for row, text in enumerate(self.texts):
            running = after[row][p.RESULT] == p.RUNNING
            win = self._reply(after[row], last) if running else -1
            last = max(win, 0)
            if win < 0:
                found.append(text)
        self.space.place(self.position)
        return found

    def _reply(self, words: list[int], first: int) -> int:
        """A reply that wins at once, tried from row *first* on; -1 if there is none."""
        who = words[p.MOVER] ^ words[p.SWAPPED]
        count = self.space.put(words)
        order = [first, *range(first), *range(first + 1, count)] if first < count else range(count)
        return next((n for n in order if self._wins(n, who)), -1)


def _won(result: int, swapped: int, who: int) -> bool:
    return result not in (p.RUNNING, p.DRAWN) and result ^ swapped == who


# --- by the reference ---


@frozen(eq=False)
class Considered:
    """Narrows decisions as a personality says."""

    play: ReferencePlay
    consider: Consider
    matcher: Matcher = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "matcher", Matcher(self.play, self.consider.patterns))

    def options(self, situation: Situation) -> tuple[LegalDecision, ...]:
        """The decisions worth a look, in the order of the game."""
        position = situation.position
        ranks = self._ranks(position)
        written = {text: site for site, text in placements(self.play, position).items()}
        ranked = [
            (o, ranks.get(written[o.text], 0)) for o in situation.options if o.text in written
        ]
        least = least_kept([rank for _, rank in ranked if rank], self.consider.most)
        if not least:
            return situation.options[: self.consider.rest or None]
        kept = {o.text for o, rank in ranked if rank >= least}
        return tuple(o for o in situation.options if o.text in kept or o.text not in written)

    def root(self, situation: Situation) -> list[str]:
        """The decisions of a root."""
        kept = [option.text for option in self.options(situation)]
        return root_of(situation, lambda: kept, lambda: safe(situation))

    def _ranks(self, position: Position) -> dict[int, int]:
        """For every proposed site the rank of its best pattern."""
        ranks = self.consider.patterns.ranks
        found = self.matcher.proposals(position)
        return {site: max(ranks[i] for i in known) for site, known in found.items()}


def least_kept(ranks: Sequence[Number], most: int) -> Number:
    """The lowest rank that is kept; 0 without any.  Equal ranks are kept or left out together."""
    kept, least = 0, cast(Number, 0)
    for rank in sorted(set(ranks), reverse=True):
        more = ranks.count(rank)
        if kept and kept + more > most:
            break
        kept, least = kept + more, rank
    return least


def root_of(
    situation: Situation, narrowed: Callable[[], list[str]], safe: Callable[[], set[str]]
) -> list[str]:
    """The decisions of a root: those that patterns leave, and what must not be left out.

    *safe* gives the decisions after which the other person cannot win at once.
    """
    wins = winning(situation)
    if wins:
        return wins
    kept = narrowed()
    if not threatened(situation):
        return kept
    sound = safe()
    return [text for text in kept if text in sound] or sorted(sound) or kept


def winning(situation: Situation) -> list[str]:
    """The decisions that win at once for the person to move."""
    me = situation.position.mover ^ situation.position.swapped
    return [o.text for o in situation.options if _won_by(situation.after(o), me)]


def threatened(situation: Situation) -> bool:
    """Whether the other colour would win at once, if it were its turn."""
    position = situation.position
    passed = evolve(
        position, mover=1 - position.mover, rest=situation.play.rules.course, fresh=True
    )
    return bool(winning(Situation(situation.play, passed)))


def safe(situation: Situation) -> set[str]:
    """The decisions after which the other person cannot win at once."""
    return {o.text for o in situation.options if not _loses(situation.after(o))}


def _loses(after: Situation) -> bool:
    return not after.outcome and bool(winning(after))


def _won_by(after: Situation, who: int) -> bool:
    won = after.outcome
    return won is not None and won.winner is not None and won.winner ^ after.position.swapped == who
