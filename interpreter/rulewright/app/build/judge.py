"""How an engine to take away decides: as a personality does, or by random games alone.

In: a personality.  Out: an `EngineJudge`: its values, opening and patterns as kernels, its settings
as numbers.  Refuses, with the reason, what an engine cannot do: searches by several values or by
values of positions in several parts, conditions that ask for what a search finds, and whatever has
no kernels.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field, frozen

from rulewright.app.build import thinking
from rulewright.app.build.choosing import ANY, BEST, READING
from rulewright.compiler.backend import Linked
from rulewright.compiler.defects import net
from rulewright.compiler.engine import Engine
from rulewright.compiler.ir.nodes import Local
from rulewright.compiler.ir.types import INT, INTS, NOTHING
from rulewright.compiler.layout import Unsupported
from rulewright.compiler.lower.game import FACTORS, JUDGES, module_of
from rulewright.compiler.lower.moves import AT
from rulewright.compiler.lower.random_rows import lower_openings
from rulewright.compiler.lower.writer import GAME, Writer, array, signature
from rulewright.errors import RulewrightError
from rulewright.model import personality as m
from rulewright.model import rules as r
from rulewright.model.evaluation import OpeningLine, ValueOf
from rulewright.players.machine import grown_by, native_evaluator, pack_values
from rulewright.players.personality import Personality
from rulewright.search.candidates import candidates
from rulewright.search.guides import by_suffix, grown_guide, guide
from rulewright.search.one_ply import DEEPEST
from rulewright.search.pattern_table import CandidateKernels
from rulewright.search.results import BeamShape
from rulewright.search.thread_arrays import Guide, LinkedEvaluator

_WAYS = {"mcts": thinking.GROW, "alphabeta": thinking.DEEPEN, "minimax": thinking.DEEPEN,
         **dict.fromkeys(m.FOR_SEVERAL, thinking.SEVERAL),
         "beam": thinking.BEAM, "one_ply": thinking.WEIGH, "random": thinking.WEIGH}  # fmt: skip
_HOW = {"best": BEST, "first": READING, "random": ANY}
_SIGNS = {"<": 1, "=": 2, "<=": 3, ">": 4, "<>": 5, ">=": 6}
"""Bits: whether the first number may be smaller, equal, larger."""
_WHICH, _PARTS = Local("which", INT), array("parts")


@frozen
class ChoiceRule:
    """A way to choose: how, by the number of which value, and if what holds.

    The condition is the number of a value, a sign, and the number of another one or a number.
    """

    how: int
    by: int = 0
    condition: tuple[int, int, int | None, float] | None = None


@frozen
class EnginePlayer:
    """The player in an engine's book: ties, values, ways to choose, openings."""

    ties: bool = True
    prefer: tuple[str, ...] = ()
    values: tuple[ValueOf, ...] = ()
    ways: tuple[ChoiceRule, ...] = ()
    random: int = 0
    turns: tuple[str, ...] = ()
    lines: tuple[OpeningLine, ...] = ()


@frozen
class EngineJudge:
    """The search of an engine: its kind (a number of `thinking`), its depth, its kernels.

    `evaluator` judges positions in alpha-beta.  `linked` are values and openings.
    """

    how: int = thinking.GROW
    evaluator: LinkedEvaluator | None = None
    factors: tuple[float, ...] = ()
    linked: tuple[Linked, ...] = ()
    depth: int = 0
    turns: bool = False
    exact: bool = False
    ends: bool = False
    threats: bool = False
    prove: float = 0.0
    guide: Guide | None = None
    candidates: CandidateKernels | None = None
    beam: BeamShape | None = None
    player: EnginePlayer = EnginePlayer()

    @property
    def weighs(self) -> bool:
        """Whether it scores decisions one ply ahead."""
        searched = self.how == thinking.DEEPEN
        return any(value.of_move or not searched for value in self.player.values)


def judge_of(engine: Engine, personality: Personality) -> EngineJudge:
    """The judge that a personality is."""
    try:
        with net(engine.play.rules):
            return _Maker(engine, personality).judge()
    except Unsupported as reason:
        raise _refused(personality, str(reason)) from None


@define
class _Maker:
    """A judge under way."""

    engine: Engine
    personality: Personality
    how: int = field(init=False)
    values: list[ValueOf] = field(factory=list, init=False)
    main: LinkedEvaluator | None = field(default=None, init=False)
    """The value that is searched by."""
    factors: tuple[float, ...] = field(default=(), init=False)

    def __attrs_post_init__(self) -> None:
        rules = self.engine.play.rules
        self.how = _WAYS[self.model.search.kind]
        if rules.has_several:
            raise Unsupported("of more than two players it plays by random games alone")
        if rules.has_chance and self.how == thinking.BEAM:
            raise Unsupported("a beam knows nothing of chance")

    @property
    def model(self) -> m.Personality:
        """The model of the personality."""
        return self.personality.model

    def judge(self) -> EngineJudge:
        """The whole judge."""
        model, number = self.model, self.model.number
        player = self._player()
        linked = self._linked()
        if player.lines:
            assert model.evaluator is not None
            linked.append(lower_openings(self.engine.plan, model.evaluator, player.lines))
            self._factors(model.evaluator.values[0])
        depth = model.search.setting("depth")
        ends, led = model.search.setting("ends"), self._guide()
        valued = ends is not None and ends.value == "valued"
        results = not valued and not self.engine.play.rules.has_chance
        return EngineJudge(
            self.how,
            self.main if self.how == thinking.DEEPEN else None,
            self.factors,
            tuple(linked),
            int(number("depth") or 1),
            depth is not None and depth.unit == "turns",
            model.search.kind == "minimax",
            valued,
            led is not None and led.threats and results,
            float(number("prove") or 0) if results else 0.0,
            led,
            self._candidates(),
            self._shape(),
            player,
        )

    # --- what the player says ---

    def _player(self) -> EnginePlayer:
        model, opening = self.model, self.model.opening
        openings = model.evaluator.openings if model.evaluator else ()
        lines = tuple(line for name in opening.lines for line in openings if line.name == name)
        if opening.book:
            raise Unsupported("it plays a book of openings")
        if opening.turns and not _single(self.engine.play.rules.course):
            raise Unsupported("its opening gives turns of several decisions")
        ways = () if self.how == thinking.GROW else tuple(map(self._way, model.picks))
        return EnginePlayer(
            model.ties == "random", model.prefer, tuple(self.values), ways,
            opening.random, opening.turns, lines,
        )  # fmt: skip

    def _way(self, pick: m.Pick) -> ChoiceRule:
        by = self._number(pick.value) if pick.how == "best" else 0
        condition = pick.condition
        if condition is None:
            return ChoiceRule(_HOW[pick.how], by)
        second = condition.second
        first, rival = self._number_weighed(condition.first), None
        if isinstance(second, str):
            rival, second = self._number_weighed(second), 0.0
        return ChoiceRule(_HOW[pick.how], by, (first, _SIGNS[condition.sign], rival, float(second)))

    def _number(self, name: str) -> int:
        value = self.personality.value(name)
        if value not in self.values:
            self.values.append(value)
        return self.values.index(value)

    def _number_weighed(self, name: str) -> int:
        """The value of a condition, which has to be weighed and not searched."""
        number = self._number(name)
        if self.how == thinking.BEAM or self._searched(self.values[number]):
            raise Unsupported("a condition asks for what its search finds")
        return number

    def _searched(self, value: ValueOf) -> bool:
        return self.how == thinking.BEAM or (self.how == thinking.DEEPEN and not value.of_move)

    # --- kernels ---

    def _linked(self) -> list[Linked]:
        """The kernels of all values, and what asks for one by its number."""
        modules, names = list[Linked](), list[str]()
        if sum(map(self._searched, self.values)) > 1:
            raise Unsupported("it searches by several values")
        for number, value in enumerate(self.values):
            kernels = self._kernels(value)
            suffix = "" if self._searched(value) else f"_v{number}"
            modules.append(by_suffix(kernels.linked, suffix) if suffix else kernels.linked)
            self.main = self.main if suffix else kernels
            names.append(suffix)
        weighed = [
            (number, value, names[number])
            for number, value in enumerate(self.values)
            if not (self.how == thinking.DEEPEN and self._searched(value))
        ]
        return [*modules, _face(self.engine, weighed, modules)] if weighed else modules

    def _kernels(self, value: ValueOf) -> LinkedEvaluator:
        """The kernels of a value."""
        if self.how == thinking.DEEPEN and not value.of_move and len(value.parts) > 1:
            raise Unsupported(f"`{value.name}` values positions in several parts")
        kernels = self._factors(value)
        if kernels is None:
            raise Unsupported(f"`{value.name}` has no kernels")
        return kernels

    def _factors(self, value: ValueOf) -> LinkedEvaluator | None:
        model, ends = self.model, self.model.search.setting("ends")
        assert model.evaluator is not None
        valued = ends is not None and ends.value == "valued"
        kernels = native_evaluator(self.engine, model.evaluator, value, model.factors, valued)
        self.factors = kernels.factors if kernels else self.factors
        return kernels

    def _guide(self) -> Guide | None:
        model = self.model
        if self.how == thinking.GROW:
            return self._grown()
        if self.how != thinking.DEEPEN or model.guidance == m.Guidance():
            return None
        assert model.evaluator is not None
        return guide(self.engine, model.evaluator, model.guidance)

    def _grown(self) -> Guide | None:
        """The kernels that lead random games, and the factors that they need."""
        model, grown = self.model, grown_by(self.model)
        if grown is None:
            return None
        if model.evaluator is not None:
            self.factors = pack_values(model.evaluator.factors, model.factors)
        return grown_guide(self.engine, model.evaluator, model.guidance, grown)

    def _candidates(self) -> CandidateKernels | None:
        statement = self.model.consider
        if statement is None or self.how != thinking.DEEPEN:
            return None
        return candidates(self.engine, statement.patterns, statement.most, statement.fallback)

    def _shape(self) -> BeamShape | None:
        if self.how != thinking.BEAM:
            return None
        number = self.model.number
        depth, breadth = int(number("depth") or 1), int(number("breadth") or 1)
        if depth > DEEPEST:
            raise Unsupported(f"its beam has more than {DEEPEST} levels")
        return BeamShape(breadth, depth, number("trim") or 0, number("fade") or 0)


def _face(
    engine: Engine, weighed: Iterable[tuple[int, ValueOf, str]], linked: Iterable[Linked]
) -> Linked:
    """Write kernels that ask for one of several values by its number."""
    outside = {name: s for part in linked for name, s in part.module.signatures.items()}
    look, judged, parts = (Writer(layout=engine.plan) for _ in range(3))
    for number, value, suffix in weighed:
        if value.of_move:
            with look.when(_WHICH.eq(number)):
                look.do(f"look{suffix}", GAME, FACTORS)
            with judged.when(_WHICH.eq(number)):
                judged.give(judged.call(f"judges{suffix}", array("g.rows"), AT))
        with parts.when(_WHICH.eq(number)):
            parts.do(f"parts{suffix}", GAME, FACTORS, _PARTS, AT)
    more = (*JUDGES, (_PARTS.name, INTS))
    module = module_of(engine.plan, outside)
    module.add([
        look.function("look_by", signature("which", gives=NOTHING, more=JUDGES)),
        judged.function("judged_by", signature("which", "at"), 0),
        parts.function("parts_by", signature("which", "at", gives=NOTHING, more=more)),
    ])  # fmt: skip
    return Linked.of(module)


def _single(course: r.Course) -> bool:
    """Whether a turn is one decision."""
    match course:
        case r.OneMove():
            return True
        case r.Either(items=items):
            return all(map(_single, items))
        case r.Otherwise(first=first, second=second):
            return _single(first) and _single(second)
    return False


def _refused(personality: Personality, why: str) -> RulewrightError:
    return RulewrightError(f"{personality.name} cannot be built into an engine: {why}")
