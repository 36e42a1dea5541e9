"""`Personality`: a personality ready to play one game, and as a text of its own.

In: a name or path and a game.  Out: decisions, with the values they were chosen by; a file that
says all that the personality says, inherited or not.  Everything random comes from one generator
that the caller gives or seeds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from math import inf, nextafter
from pathlib import Path
from random import Random

from attrs import evolve, field

from rulewright.errors import Fault, GameOver, OutOfBudget, RulewrightError
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import load_personality
from rulewright.games.files.games import load
from rulewright.ground import budget
from rulewright.ground.budget import regardless, within_seconds
from rulewright.ground.records import Brief, record
from rulewright.language.diagnostics import offer
from rulewright.language.reprint import formatted
from rulewright.model import personality as m
from rulewright.model.evaluation import ValueOf
from rulewright.players import machine
from rulewright.players.choose import ChosenDecision, best_of, choose
from rulewright.players.machine import ScoreMemory, SearchResources, SearchTask
from rulewright.players.opening import opening_decision
from rulewright.reference.evaluation import StaticEvaluator
from rulewright.search import maxn, reference_search
from rulewright.search.best import first_decision
from rulewright.search.candidates import Considered
from rulewright.search.fallback import plain_search
from rulewright.search.one_ply import WrittenLines
from rulewright.search.reference_search import Scorer, SearchBudget
from rulewright.search.results import (
    BeamShape,
    Limits,
    Line,
    Lines,
    person,
    refuse_chance,
    refuse_secrets,
    tell,
)

_SHOWN = 6
"""Changed factors that the `repr` names."""
MCTS_SECONDS = 1.0
"""What `search mcts` may use when it says nothing."""
_SEARCHING = 0.6
"""The share of the time without machine code in which the reference searches."""
_ONE_VALUE = ("minimax", "alphabeta", *m.FOR_SEVERAL)
"""Searches by one value."""
_NO_TIME = "no time for a search"
_ALONE = 0.96
"""The share of what is left that the only search of a decision may take; half elsewhere."""


@record
class Personality(Brief):
    """A personality of one game."""

    game: Game
    model: m.Personality
    judge: StaticEvaluator | None = field(repr=False)
    native: bool = field(default=True, repr=False)
    """Whether machine code searches where it can."""
    score_memory: ScoreMemory | None = field(default=None, repr=False)
    """Scores found before, where many games are played one after the other."""
    resources: SearchResources = field(factory=SearchResources, repr=False)
    """What native searches may use, and whether they write out lines."""

    @property
    def known(self) -> ScoreMemory | None:
        """The former name of `score_memory`, for one release."""
        return self.score_memory

    def __repr__(self) -> str:
        pairs = self.model.factor_values()
        changes = [f"{f.name}={value:g}" for f, value in pairs if value != f.default]
        rest = ["..."] if len(changes) > _SHOWN else []
        words = [f"search {self.model.search.kind}", *changes[:_SHOWN], *rest]
        return f"<Personality {self.name} of {self.game.name}: {', '.join(words)}>"

    @classmethod
    def load(cls, name: str | Path, game: Game | None = None) -> Personality:
        """The personality of a name (`conniption/flip`, or `flip` with a *game*) or a path."""
        text = str(name)
        if game is None:
            folder, slash, _ = text.partition("/")
            if not slash or text.endswith(".personality"):
                raise RulewrightError(f"say which game `{text}` plays: `GAME/NAME`, or give a game")
            game = load(folder)
        return cls.of(load_personality(game, name), game)

    @classmethod
    def of(cls, model: m.Personality, game: Game) -> Personality:
        """A personality of the model."""
        refuse_secrets(game, "a personality")
        judge = StaticEvaluator(game.play, model.evaluator) if model.evaluator else None
        return cls(game, model, judge)

    @property
    def name(self) -> str:
        """The name that its file gives it."""
        return self.model.name

    @property
    def factors(self) -> dict[str, m.Number]:
        """The value of every factor."""
        return {factor.name: value for factor, value in self.model.factor_values()}

    def factor_texts(self) -> dict[str, str]:
        """Return the value of every factor as texts write it."""
        return {f.name: f.value_text(value) for f, value in self.model.factor_values()}

    written = factor_texts
    """The former name of `factor_texts`, for one release."""

    def refuse_percent(self, names: Collection[str]) -> None:
        """Refuse factors that are no percentages, where somebody has said `%`."""
        for factor, _ in self.model.factor_values():
            if factor.name in names and not factor.percent:
                message = f"`{factor.name}` is no percentage; its range is {factor.range}"
                raise RulewrightError(message)

    def with_factors(self, **values: m.Number) -> Personality:
        """Return the personality with other values of some factors; nothing is compiled anew."""
        factors, numbers = {f.name: f for f, _ in self.model.factor_values()}, self.factors
        for name, value in values.items():
            if name not in factors:
                hint = offer(name, factors)
                raise RulewrightError(f"{self.name} has no factor `{name}`; {hint}")
            if refusal := factors[name].refusal(value):
                raise RulewrightError(refusal)
            numbers[name] = value
        return evolve(self, model=evolve(self.model, factors=tuple(numbers.values())))

    # --- deciding ---

    def choose(
        self, state: State, random: Random | None = None, seconds: float | None = None
    ) -> str:
        """The decision it makes here; *seconds* limits its thinking, whatever its file says."""
        return self.decide(state, random, seconds).move

    def decide(
        self, state: State, random: Random | None = None, seconds: float | None = None
    ) -> ChosenDecision:
        """The decision it makes here, and the values of the others."""
        if state.over:
            raise GameOver(f"there is nothing to decide: the game is over ({state.result})")
        chance, booked = random or Random(0), not self.resources.watch.analysing
        with state.game.located(), self._locate():
            first = opening_decision(self.model, self.judge, state, chance) if booked else None
        if first is not None:
            how = f"opening {first.line}".rstrip()
            return ChosenDecision(first.move, None, {}, tied=first.among, settled=how)
        return choose(
            self.model, state, lambda value: self.root(state, value, chance, seconds), chance
        )

    def stopgap(self, state: State, random: Random, seconds: float) -> ChosenDecision:
        """What it decides where machine code is not there in time, in about so many seconds.

        The reference searches; where it judges nothing by then, single decisions are looked at, as
        far as there is time, and the best of them is made; else the first legal one.  Chance says
        nothing that the text does not leave to it.
        """
        slow = evolve(self, native=False, score_memory=None)
        works = ((_SEARCHING, slow.decide), (1.0, slow._decide_by_order))
        for part, work in works[1:] if state.game.lots else works:
            share = part * seconds
            with suppress(OutOfBudget), regardless(), within_seconds(share, 0, ""):
                decision = work(state, random, share)
                if decision.line or not decision.value or self.model.search.kind == "random":
                    return decision
        move = first_decision(state).move
        return ChosenDecision(
            move, None, {}, settled=f"{_NO_TIME}: the first decision", searched=False
        )

    def _decide_by_order(self, state: State, random: Random, seconds: float) -> ChosenDecision:
        """The best decision by the value that would lead a search; nothing follows it."""
        guidance = self.model.guidance
        if self.judge is None:
            raise OutOfBudget(_NO_TIME)
        scorer = self.scorer(state, guidance.order or guidance.policy, random)
        lines = reference_search.one_ply(state, scorer, SearchBudget(Limits(seconds)))
        best = best_of(lines)
        move = best[0] if best else ""
        how = f"{_NO_TIME}: {scorer.value.name} of single decisions"
        return ChosenDecision(
            move, lines.get(move), lines, scorer.value.name, (), tuple(best), how, searched=False
        )

    def root(
        self,
        state: State,
        name: str = "",
        random: Random | None = None,
        seconds: float | None = None,
        exact: bool = False,
    ) -> Lines:
        """A score for each decision by one value, as far as the search gives one.

        *exact* asks for true scores of all decisions also where the search needs only the best.
        """
        chance = random or Random(0)

        def find() -> Lines:
            return self._root(state, name, chance, seconds, exact)

        with state.game.located(), self._locate():
            free = self.resources.watch.cancelled is not None  # it may end at any time
            if self.score_memory is None or free or self.limits(seconds).seconds is not None:
                return find()
            return self.score_memory.root(state, f"{name} {exact}", chance, find)

    @contextmanager
    def _locate(self) -> Iterator[None]:
        """Give faults of the evaluator the place of their clause."""
        try:
            yield
        except Fault as fault:
            evaluator = self.model.evaluator
            if fault.place or evaluator is None or fault.origin >= len(evaluator.origins):
                raise
            place = evaluator.place(fault.origin)
            raise Fault(fault.code, fault.message, fault.origin, place) from None

    def _root(
        self, state: State, name: str, random: Random, seconds: float | None, exact: bool
    ) -> Lines:
        kind = self.model.search.kind
        if kind == "random":
            return dict.fromkeys(state.moves.texts)
        if kind == "beam":
            refuse_chance(state, "a beam")
        limits = self.limits(seconds)
        if kind == "mcts":
            return self._playouts(state, random, limits)
        if kind in m.FOR_SEVERAL and not state.game.rules.has_several:
            kind = "alphabeta"
        scorer, shape = self.scorer(state, name, random), None
        consider = self.model.consider
        if kind == "beam":
            trim, fade = self.model.number("trim") or 0, self.model.number("fade") or 0
            breadth = int(self.model.number("breadth") or 1)
            shape = BeamShape(breadth, limits.depth or 1, trim, fade)
        elif state.game.rules.has_several and not scorer.value.of_move:
            task = SearchTask(scorer, limits, exact, self.resources, consider)
            return self._of_several(state, task)
        elif scorer.value.of_move:
            kind = "one_ply"
            if self.model.search.kind != kind:  # a pick that goes before the search
                limits = evolve(limits, seconds=None)
        prove = float(self.model.number("prove") or 0)
        task = SearchTask(
            scorer, limits, exact or kind == "minimax", self.resources, consider, prove
        )
        lines = None
        if self.native:
            if kind in ("one_ply", "beam"):
                extent: WrittenLines = (
                    "all" if exact else "none" if self.resources.quick else "best"
                )
                lines = machine.weigh(state, task, shape, extent)
            else:
                lines = machine.full_width(state, task)
        return lines or self._by_reference(state, task, kind, shape)

    def _of_several(self, state: State, task: SearchTask) -> Lines:
        """The lines of a search among more than two players."""
        paranoid = self.model.search.kind == "paranoid"
        lines = machine.look_ahead(state, task, paranoid) if self.native else None
        if lines is not None:
            return lines
        considered, depth = self.considered, task.limits.depth or 1
        only = considered.root(state.situation) if considered else None
        root = maxn.JudgedByReference(state.situation, task.scorer, considered)
        return machine.several_values(root, state, task, paranoid, only).run(state, depth)

    def _by_reference(
        self, state: State, task: SearchTask, kind: str, shape: BeamShape | None
    ) -> Lines:
        """The lines that the one obvious search finds."""
        clock, limits = SearchBudget(task.limits, task.resources.watch.cancelled), task.limits
        if shape is not None:
            lines = reference_search.beam(state, task.scorer, clock, shape)
        elif kind == "one_ply":
            lines = reference_search.one_ply(state, task.scorer, clock)
        else:
            refuse_chance(state, "the search of the reference")
            lines = reference_search.full_width(
                state, task.scorer, clock, task.exact, self.considered
            )
        tell(clock.nodes, None if limits.nodes else limits.depth)
        return lines

    @cached_property
    def considered(self) -> Considered | None:
        """The text that narrows its decisions (`consider patterns`), None without one."""
        consider = self.model.consider
        return Considered(self.game.play, consider) if consider else None

    def scorer(self, state: State, name: str, random: Random) -> Scorer:
        """What scores positions and decisions for the person to move in *state*."""
        ends = self.model.search.setting("ends")
        valued = ends is not None and ends.value == "valued"
        player = person(state)
        assert self.judge is not None
        return Scorer(
            self.judge, self.value(name), self.model.factors, random, player, valued,
            self.model.guidance,
        )  # fmt: skip

    def value(self, name: str = "") -> ValueOf:
        """A value of its evaluator; without a name the one it picks by."""
        evaluator = self.model.evaluator
        picks = [p.value for p in self.model.picks if p.how == "best"] or [""]
        # those that go before a search by one value are conditions of it
        best = picks[-1] if self.model.search.kind in _ONE_VALUE else picks[0]
        value = evaluator.value(name or best) if evaluator else None
        if value is None:
            raise RulewrightError(f"{self.name} has no value `{name}`")
        return value

    def timed(self, seconds: float | None = None) -> bool:
        """Whether its decisions depend on the speed of the machine."""
        return self.limits(seconds).seconds is not None

    def limits(self, seconds: float | None) -> Limits:
        """What the search may use: its own limits, and the seconds that it is given."""
        kind = self.model.search.kind
        depth, own, nodes = (self.model.number(n) for n in ("depth", "time", "nodes"))
        setting = self.model.search.setting("depth")
        times = [s for s in (own, seconds) if s is not None]
        if kind == "mcts" and not times and not nodes:
            times = [MCTS_SECONDS]
        remaining_seconds = budget.seconds_left()  # of what a decision or a command may take
        if times and remaining_seconds is not None:
            share = _ALONE if self.resources.last and self._searches_once else 0.5
            times.append(max(0.01, remaining_seconds * share))
        return Limits(
            min(times) if times else None,
            None if nodes is None else int(nodes),
            None if kind == "mcts" else int(depth or 1),
            self.resources.memory,
            self.resources.threads,
            turns=setting is not None and setting.unit == "turns",
        )

    @property
    def _searches_once(self) -> bool:
        """Whether a decision takes one search with a clock: values of moves alone take none."""
        kind, names = self.model.search.kind, self.model.values_asked
        if kind == "mcts":
            return True
        if kind not in ("one_ply", "beam"):
            names = {name for name in names if not self.value(name).of_move}
        return len(names) <= 1

    def _playouts(self, state: State, random: Random, limits: Limits) -> Lines:
        watch, seed = self.resources.watch, random.getrandbits(32)
        answer = machine.grow(state, self.model, limits, seed, watch) if self.native else None
        if answer is None:
            answer = plain_search(state, limits, seed, watch.cancelled)
        tell(answer.nodes, answer.depth)
        # what few games say may be better: it is no reason to play what was hardly looked at
        below = nextafter(answer.value, -inf)
        values = {text: min(value, below) for text, value in answer.root if value is not None}
        values[answer.move] = answer.value
        return {
            text: Line((0, values[text]), (text,)) if text in values else None
            for text in state.moves.texts
        }


# --- as text ---


def whole_text(model: m.Personality, name: str) -> str:
    """A whole commented file for a personality like *model*, called *name*."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise RulewrightError(f"a personality's name has letters, digits and `_`, not {name!r}")
    if name in m.RESERVED:
        raise RulewrightError(f"`{name}` is {m.RESERVED[name]}; a personality needs another name")
    return formatted("\n".join(_lines(model, name)) + "\n")


def _lines(model: m.Personality, name: str) -> Iterator[str]:
    yield from ("format 1", f"personality {name} for {model.game}", "")
    yield f"# Like {model.name}. Change what you like: `rulewright check` knows every mistake."
    yield ""
    if model.evaluator is not None:
        yield from (f"use {model.evaluator.name}", "")
        for factor, value in model.factor_values():
            number = factor.value_text(value) if factor.percent else m.number_text(value)
            unit = f" {factor.unit}" if factor.unit not in ("", "%") else ""
            yield f"{factor.name} = {number}  # {factor.range}{unit}: {factor.meaning}"
        yield ""
    search = ", ".join([model.search.kind, *map(_setting, model.search.settings)])
    yield f"search {search}"
    if model.consider is not None:
        c = model.consider
        yield f"consider patterns {c.patterns.name}, most {c.most} else {c.otherwise}"
    yield from _guidance(model.guidance)
    yield from map(str, model.picks)
    if model.prefer:
        yield f"prefer {', '.join(model.prefer)}"
    yield f"ties {model.ties}"
    if model.opening.random:
        yield f"opening random {model.opening.random} turns"
    if model.opening.turns:
        yield "opening " + ", ".join(f'"{turn}"' for turn in model.opening.turns)
    if model.opening.lines:
        yield f"opening {', '.join(model.opening.lines)}"
    yield from map(str, model.opening.book)


def _guidance(g: m.Guidance) -> Iterator[str]:
    """Write the lines of what leads a search: one for each word that the personality says."""
    lines = {
        f"consider {g.consider}, most {g.most} else all": g.consider,
        f"forcing {g.forcing}, depth {g.reach}": g.forcing,
        f"must {g.must}": g.must,
        f"threats {g.threats}": g.threats,
        f"order {g.order}": g.order,
        f"policy {g.policy}, most {g.heaviest}": g.policy,
        f"reply {', '.join(g.replies)}": g.replies,
        f"passing {g.passing}": g.passing,
        f"drawn {g.drawn}": g.drawn,
        f"decided {g.decided}": g.decided,
        f"hopeless {g.hopeless}": g.hopeless,
        "reduce boldly" if g.bold else "reduce late": g.late,
    }
    yield from (line for line, word in lines.items() if word)


def _setting(setting: m.Setting) -> str:
    if isinstance(setting.value, str):
        unit = " turns" if setting.unit == "turns" else ""
        return f"{setting.name} {setting.value}{unit}"
    if setting.unit == "%":
        return f"{setting.name} {setting.value * 100:.10g}%"
    unit = setting.unit if setting.unit not in ("nodes", "decisions") else ""
    return f"{setting.name} {m.number_text(setting.value)} {unit}".rstrip()
