"""Candidates: the decisions that patterns leave to a search, by machine code and by the reference.

In: a pattern file, how many decisions may be kept, and an engine or positions.  Out: kernels that
narrow the decisions of every position, and the decisions of a root.  Patterns only narrow: where
none fires all decisions are looked at, and at the root nothing is left out that wins at once or
that alone keeps the other person from winning at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, cast
from weakref import WeakKeyDictionary

from attrs import evolve, field, frozen

from rulewright.compiler.engine import Engine
from rulewright.compiler.lower.paths import PathScratch
from rulewright.errors import Fault
from rulewright.games.engine.game import State
from rulewright.games.engine.kept_lowering import Lowered, content, kept_lowering
from rulewright.ground import budget
from rulewright.model.patterns import Patterns
from rulewright.model.personality import Consider
from rulewright.reference.decisions import LegalDecision
from rulewright.reference.matching import Matcher, placements
from rulewright.reference.play import ReferencePlay, Situation
from rulewright.reference.position import Position
from rulewright.search.kernels import matching
from rulewright.search.pattern_face import face_of
from rulewright.search.pattern_table import MOST_KEPT, CandidateKernels, Tables
from rulewright.search.results import Number, result_of
from rulewright.search.root_search import RootSearch
from rulewright.search.thread_arrays import Guide, LinkedEvaluator, Root, ThreadArrays, module

if TYPE_CHECKING:
    from rulewright.search.decide import SearchOptions

_CANDIDATES = WeakKeyDictionary[Engine, dict[tuple[str, int, int], CandidateKernels]]()


def candidates(
    engine: Engine, file: Patterns, widest: int = MOST_KEPT, fallback: int = 0
) -> CandidateKernels:
    """Return the candidates by a pattern file; its tables are laid once for an engine.

    *widest*: how many are kept at the most; *fallback*: how many where no pattern fires, 0 for all.

    Raises `Unsupported` for what has no kernels: paths whose costs are not whole, drawn boards.
    """
    by_patterns = _CANDIDATES.setdefault(engine, {})
    key = (content(file), widest, fallback)
    if key not in by_patterns:
        name = ("candidates", file, widest, fallback)
        lowered = kept_lowering(engine, name, lambda: _lowered(engine, file, widest, fallback))
        linked = *lowered.linked, module(matching)
        by_patterns[key] = CandidateKernels(linked, lowered.at, file, widest)
    return by_patterns[key]


def _lowered(engine: Engine, file: Patterns, widest: int, fallback: int) -> Lowered:
    """The kernel by which the patterns of a file read a position of the game."""
    plan = engine.plan
    scratch = PathScratch.of(plan) if file.around else None
    directions = Matcher(engine.play, file).directions
    tables = Tables(plan, file, directions)
    table = tables.lay(engine.row, widest, fallback)
    return Lowered((face_of(tables, table, scratch),), table)


_WORD = (1 << 64) - 1
"""The bits of a word."""


@frozen(eq=False)
class Proposing:
    """Proposals of patterns in positions, by machine code."""

    patterns: CandidateKernels
    worker: ThreadArrays

    @classmethod
    def of(cls, engine: Engine, file: Patterns) -> Proposing:
        """The patterns of a file at work; raises `Unsupported` as `candidates` does."""
        proposed = candidates(engine, file)
        return cls(proposed, ThreadArrays(engine, 0, candidates=proposed))

    def proposals(self, position: Position) -> dict[int, tuple[int, ...]]:
        """The sites proposed, each with the numbers of its patterns; legal or not."""
        worker = self.worker
        worker.place(position)
        count = worker.kernels["matched"](*worker.game)
        x, constants = worker.game[4], worker.game[1]
        first = constants[self.patterns.table + matching.PROPOSALS]
        pairs: dict[int, set[int]] = {}
        for i in range(count):
            pairs.setdefault(x[first + 2 * i], set()).add(x[first + 2 * i + 1])
        return {site: tuple(sorted(pairs[site])) for site in sorted(pairs)}

    def path_ends(self, position: Position, player: int) -> tuple[int, int]:
        """The reference points of a player as two sets: those looking ahead, and those back."""
        worker, words = self.worker, self.worker.engine.plan.words
        worker.place(position)
        x, constants = worker.game[4], worker.game[1]
        at = constants[self.patterns.table + matching.ENDS]
        worker.kernels["path_ends"](*worker.game, player, at)
        ends = [x[at + w] & _WORD for w in range(2 * words)]
        ahead, back = (
            sum(word << 64 * w for w, word in enumerate(part))
            for part in (ends[:words], ends[words:])
        )
        return ahead, back


# --- the root, by machine code ---


def narrowed_root(
    state: State, engine: Engine, consider: Consider, seconds: float | None = None
) -> tuple[CandidateKernels, list[str]]:
    """What narrows the positions of a search, and the decisions that are searched here.

    Defences are looked for in so many seconds.
    """
    narrowing = candidates(engine, consider.patterns, consider.most, consider.fallback)
    return narrowing, _Look(state, engine, narrowing).root(seconds)


def led_root(
    state: State, engine: Engine, options: SearchOptions, seconds: float | None = None
) -> list[str]:
    """The decisions that a text's values leave to be searched here; it may be all of them."""
    led = options.guide
    look = _Look(state, engine, options.candidates, options.evaluator, led)
    rows = look.kept_rows()
    if (led is not None and led.must) or len(rows) == len(look.texts):
        return look.texts_of(rows)
    return look.root(seconds, rows)


class _Look:
    """A look at the decisions of one position and those that follow it."""

    def __init__(
        self, state: State, engine: Engine, narrowing: CandidateKernels | None,
        judge: LinkedEvaluator | None = None, led: Guide | None = None,
    ) -> None:  # fmt: skip
        self.worker = ThreadArrays(engine, 0, judge, candidates=narrowing, guide=led)
        Root(state, engine).place(self.worker)
        self.search, self.texts = RootSearch(self.worker), state.moves.texts

    def root(self, seconds: float | None, rows: list[int] | None = None) -> list[str]:
        """The decisions that are searched, in the order of the game."""
        wins = self._listed("list_winning")
        if wins:
            return self.texts_of(wins)
        rows = self.kept_rows() if rows is None else rows
        several = self.worker.control.seats > 2  # who threatens is looked for behind each decision
        if not several and not self.worker.call("threatened", self.worker.rows):
            return self.texts_of(rows)
        others = sorted(set(range(self.worker.rows)) - set(rows))
        with nullcontext() if seconds is None else budget.within_seconds(seconds, seconds, ""):
            return self.texts_of(self._safe(rows) or self._safe(others) or rows)

    def texts_of(self, rows: list[int]) -> list[str]:
        """The decisions in some rows."""
        return [self.texts[row] for row in rows]

    def kept_rows(self) -> list[int]:
        """The rows that patterns or values leave; all where none is left."""
        self.search.call("mark_kept")
        return self._listed("list_marked")

    def _listed(self, kernel: str) -> list[int]:
        """The rows that a kernel puts into the order."""
        self.search.words.width = self.search.call(kernel)
        return self.search.order()

    def _safe(self, rows: list[int]) -> list[int]:
        """The rows after which whoever is next cannot win at once.

        Where the time is over, what was not looked at may be as good as any.
        """
        worker = self.worker
        return [row for row in rows if budget.over() or worker.call("is_safe", row, worker.rows)]


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
        sites = {text: site for site, text in placements(self.play, position).items()}
        ranked = [(o, ranks.get(sites[o.text], 0)) for o in situation.options if o.text in sites]
        least = least_kept([rank for _, rank in ranked if rank], self.consider.most)
        if not least:
            return situation.options[: self.consider.fallback or None]
        ranked_texts = {o.text for o, rank in ranked if rank >= least}
        return tuple(o for o in situation.options if o.text in ranked_texts or o.text not in sites)

    def root(self, situation: Situation) -> list[str]:
        """The decisions of a root."""
        texts = [option.text for option in self.options(situation)]
        return root_of(situation, lambda: texts)

    def _ranks(self, position: Position) -> dict[int, int]:
        """For every proposed site the rank of its best pattern."""
        ranks = self.consider.patterns.ranks
        proposals = self.matcher.proposals(position)
        return {site: max(ranks[i] for i in patterns) for site, patterns in proposals.items()}


def least_kept(ranks: Sequence[Number], most: int) -> Number:
    """The lowest rank that is kept; 0 without any.  Equal ranks are kept or left out together."""
    count, least = 0, cast(Number, 0)
    for rank in sorted(set(ranks), reverse=True):
        more = ranks.count(rank)
        if count and count + more > most:
            break
        count, least = count + more, rank
    return least


def root_of(situation: Situation, narrowed: Callable[[], list[str]]) -> list[str]:
    """List the decisions to search at a root: wins, else those of patterns, but defences first."""
    wins = winning(situation)
    if wins:
        return wins
    texts = narrowed()
    if not is_threatened(situation):
        return texts
    others = [o.text for o in situation.options if o.text not in set(texts)]
    return safe(situation, texts) or safe(situation, others) or texts


def winning(situation: Situation) -> list[str]:
    """The decisions that win at once for the person to move."""
    me = situation.position.mover ^ situation.position.swapped
    return [o.text for o in situation.options if _won_by(situation.after(o), me)]


def is_threatened(situation: Situation) -> bool:
    """Whether the other colour would win at once, if it were its turn.

    The rules need not lead to such a position: a decision that faults in it is no threat.  Among
    several it may be so: who threatens is looked for behind each decision.
    """
    if situation.play.rules.has_several:
        return True
    position = situation.position
    passed = evolve(
        position, mover=1 - position.mover, rest=situation.play.rules.course, fresh=True
    )
    try:
        return bool(winning(Situation(situation.play, passed)))
    except Fault:
        return False


def safe(situation: Situation, among: Collection[str] | None = None) -> list[str]:
    """The decisions after which nobody else has won, and whoever is next cannot at once."""
    me = situation.position.mover ^ situation.position.swapped
    options = [o for o in situation.options if among is None or o.text in among]
    return [o.text for o in options if not _loses(situation.after(o), me)]


def _loses(after: Situation, me: int) -> bool:
    if after.outcome is not None:
        return after.outcome.winner is not None and not _won_by(after, me)
    return after.position.mover ^ after.position.swapped != me and bool(winning(after))


def _won_by(after: Situation, person: int) -> bool:
    outcome = after.outcome
    return outcome is not None and result_of(outcome, after.position, person) > 0
