"""What `kernels/matching.py` asks of a game: where patterns are tried, or everywhere at once.

In: the tables of a pattern file.  Out: its kernels.  Patterns around the ends of paths are walked
through around one point after the other; those that only say what stands where, around all own
stones, are asked of all points together, as sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product
from operator import or_

from attrs import define, field

from rulewright.compiler.backend import Linked
from rulewright.compiler.ir.nodes import Expr, Function, Local, Value
from rulewright.compiler.ir.types import INT, NOTHING, Signature
from rulewright.compiler.layout import MOVER, StateLayout
from rulewright.compiler.lower.evaluators import lower_path_ends
from rulewright.compiler.lower.game import module_of
from rulewright.compiler.lower.paths import PathScratch
from rulewright.compiler.lower.writer import GAME, Sites, Writer, at, signature
from rulewright.model.board import Step, bits
from rulewright.model.patterns import EndsOf, frames_towards
from rulewright.search.kernels import matching as k
from rulewright.search.pattern_table import Branch, Tables


def face_of(tables: Tables, place: int, scratch: PathScratch | None) -> Linked:
    """The kernels that `kernels/matching.py` needs: the game's description and reference points."""
    plan, file = tables.plan, tables.file
    module = module_of(plan, {})
    sets = Writer(layout=plan)
    if tables.by_sets:
        BySets(sets, tables).write()
    else:
        sets.give(-1)
    module.add([sets.function("by_sets", signature("at"), 0)])
    table = Writer(layout=plan).function("pattern_table", Signature((), INT), place)
    whole = Writer(layout=plan)
    if scratch is None:
        _own_sites(whole)
    else:
        for number, ends in enumerate(file.around):
            module.add(_add_ends(whole, ends, (scratch, number)))
    module.add([table, whole.function("path_ends", signature("player", "at", gives=NOTHING))])
    return Linked.of(module, plan.needs)


_PLAYER, _AT = Local("player", INT), Local("at", INT)


@define
class BySets:
    """Writes the kernel that tries patterns around all points at once.

    Of each question the points are worked out first at which its answer is yes: then a pattern
    holds around those points that are in all of its sets.
    """

    w: Writer
    tables: Tables
    stands: dict[int, Sites] = field(factory=dict, init=False)
    """Where which pieces stand, as the player to move sees them."""
    views: dict[tuple[int, Step], Sites] = field(factory=dict, init=False)
    """From where it is seen at a step."""
    answers: dict[tuple[int, Step], Sites] = field(factory=dict, init=False)
    """The points that answer a question with yes."""
    hits: Local = field(init=False)

    def write(self) -> None:
        """Write the whole kernel; it gives the number of hits."""
        w, plan = self.w, self.tables.plan
        mover, players = w.let(at("g.state", MOVER)), len(plan.rules.players)
        own, several = self._owned(mover), players > 2
        everybody = w.union(self._owned(player) for player in range(players * several))
        enemy = w.variable(everybody - own) if several else self._owned(1 - mover)
        self.stands = {k.OWN_PIECE: own, k.ENEMY_PIECE: enemy}
        if plan.owners > players:
            self.stands[k.NEUTRAL] = self._owned(players)
        self.hits = w.var(0, "n")
        self._try(False, own)
        if several:
            self._defend(mover, everybody)
        else:
            self._try(True, enemy)
        w.give(self.hits)

    def _owned(self, player: Value) -> Sites:
        plan = self.tables.plan
        return self.w.load("g.state", plan.owned + player * plan.words)

    def _defend(self, mover: Expr, everybody: Sites) -> None:
        """Try what defends against each of several others, for whom the rest is nobody's."""
        w, stands = self.w, self.stands
        with w.indices(len(self.tables.directions)) as player, w.when(player.ne(mover)):
            attacker = w.variable(self._owned(player))
            others = everybody - stands[k.OWN_PIECE] - attacker
            neutral = others | stands[k.NEUTRAL] if k.NEUTRAL in stands else others
            enemies = {k.ENEMY_PIECE: attacker, k.NEUTRAL: w.variable(neutral)}
            before, self.stands, self.views = self.views, stands | enemies, {}
            self._try(True, attacker)
            self.stands, self.views = stands, before

    def _try(self, defends: bool, points: Sites) -> None:
        """Try the patterns of one kind around points."""
        with self.w.when(points.any()):
            tree, before = self.tables.trees[defends], (self.answers, self.views)
            self.answers, self.views = dict(self.answers), dict(self.views)
            for what, step in self._questions(tree):
                self._answer(what, step)
            self._branch(tree, points)
            self.answers, self.views = before  # what is worked out here is not known elsewhere

    def _questions(self, branch: Branch) -> Iterator[tuple[int, Step]]:
        """All that is asked: what stands at a step."""
        for (_, *spot, what, _), below in branch.below.items():
            yield what, self._step(spot)
            yield from self._questions(below)

    def _step(self, spot: Sequence[int]) -> Step:
        """A step of a pattern that looks north, as the points look."""
        frame = frames_towards(self.tables.plan.rules.board, self.tables.directions[0][0])[0]
        return frame((-spot[0], -spot[1]))

    def _branch(self, branch: Branch, points: Sites) -> None:
        """What holds around these points, all questions before it answered with yes."""
        for move, number, rank in branch.proposals:
            self._propose(points, (self._delta(self._step(move)), number, rank))
        for (_, *spot, what, _), below in branch.below.items():
            remaining_points = points & self.answers[what, self._step(spot)]
            with self.w.when(remaining_points.any()):
                self._branch(below, remaining_points)

    def _propose(self, points: Sites, numbers: tuple[int, int, int]) -> None:
        w, words = self.w, self.tables.plan.words
        place = w.let(_AT + self.hits * (words + 3))
        w.store("g.scratch", place, points)
        for i, number in enumerate(numbers):
            w.set(at("g.scratch", place + (words + i)), number)
        w.set(self.hits, self.hits + 1)

    def _answer(self, what: int, step: Step) -> None:
        """Work out the points from which one of some things (bits of *what*) is seen at a step."""
        if (what, step) not in self.answers:
            whole, inside = self.tables.plan.rules.board.sites, self._inside(step)
            points = self.w.constant(whole & ~inside if what & k.OUTSIDE else 0)
            for piece in (*self.stands, k.NOTHING):
                if what & piece:
                    points = points | self._view(piece, step)
            self.answers[what, step] = points

    def _view(self, what: int, step: Step) -> Sites:
        key = what, step
        if key not in self.views:
            inside = self.w.fixed(self._inside(step))
            if what == k.NOTHING:  # what holds no piece, which takes fewer words than a shift
                pieces = [self._view(piece, step) for piece in self.stands]
                self.views[key] = inside - reduce(or_, pieces)
            else:
                self.views[key] = self.stands[what].shifted(-self._delta(step)) & inside
        return self.views[key]

    def _delta(self, step: Step) -> int:
        """A step as a difference of sites."""
        return step[1] * self.tables.plan.rules.board.width + step[0]

    def _inside(self, step: Step) -> int:
        """The sites from which a step stays on the board."""
        board = self.tables.plan.rules.board
        coordinates = {(board.columns[s], board.rows[s]) for s in bits(board.sites)}
        return sum(
            1 << s
            for s in bits(board.sites)
            if (board.columns[s] + step[0], board.rows[s] + step[1]) in coordinates
        )


def _own_sites(whole: Writer) -> None:
    """Every own stone is a reference point ahead."""
    plan = whole.layout
    for player in plan.rules.views:
        with whole.when(_PLAYER.eq(player)):
            own = whole.load("g.state", plan.owned + player * plan.words)
            whole.store("g.scratch", _AT, own)
    whole.store("g.scratch", _AT + plan.words, whole.constant(0))


def _add_ends(whole: Writer, path_ends: EndsOf, place: tuple[PathScratch, int]) -> list[Function]:
    """The kernels of a path, called in *whole*: its ends come to those of the paths before."""
    plan, (scratch, number), functions = whole.layout, place, list[Function]()
    places = [whole.variable(whole.load("g.scratch", at)) for at in _places(plan)] if number else []
    for player, mover in product(plan.rules.views, repeat=2):
        viewer = player if path_ends.as_next else mover
        name = f"path_ends{number}_{player}{viewer}"
        if viewer == mover:
            path = path_ends.evaluator, path_ends.path
            ends, kernels = lower_path_ends(plan, scratch, path, (player, mover))
            functions += [*kernels, ends.function(name, signature("at", gives=NOTHING))]
        with whole.when(_PLAYER.eq(player) & at("g.state", MOVER).eq(mover)):
            whole.do(name, GAME, _AT)
    for before, word in zip(places, _places(plan), strict=False):
        whole.store("g.scratch", word, whole.load("g.scratch", word) | before)
    return functions


def _places(plan: StateLayout) -> tuple[Expr, Expr]:
    """Where the ends ahead and those back lie."""
    return _AT, _AT + plan.words
