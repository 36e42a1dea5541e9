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
from rulewright.language.diagnostics import did_you_mean
from rulewright.language.reprint import formatted
from rulewright.model import personality as m
from rulewright.model.evaluation import Factor, ValueOf
from rulewright.players import machine
from rulewright.players.choose import Chosen, best_of, choose
from rulewright.players.machine import Asked, Means, ScoreMemory
from rulewright.players.opening import opened
from rulewright.reference.evaluation import StaticEvaluator
from rulewright.search import reference
from rulewright.search.best import first_decision
from rulewright.search.candidates import Considered
from rulewright.search.fallback import plain_search
from rulewright.search.one_ply import Told
from rulewright.search.reference import Scorer, SearchBudget
from rulewright.search.results import BeamShape, Limits, Line, Lines, person, tell

_SHOWN = 6
"""Changed factors that the `repr` names."""
MCTS_SECONDS = 1.0
"""What `search mcts` may use when it says nothing."""
_SEARCHING = 0.6
"""The share of the time without machine code in which the reference searches."""
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
    known: ScoreMemory | None = field(default=None, repr=False)
    """Scores found before, where many games are played one after the other."""
    means: Means = field(factory=Means, repr=False)
    """What native searches may use, and whether they write out lines."""

    def __repr__(self) -> str:
        known = self.model.evaluator.factors if self.model.evaluator else ()
        pairs = zip(known, self.model.factors, strict=True)
        changed = [f"{f.name}={value:g}" for f, value in pairs if value != f.default]
        more = ["..."] if len(changed) > _SHOWN else []
        words = [f"search {self.model.search.kind}", *changed[:_SHOWN], *more]
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
        judge = StaticEvaluator(game.play, model.evaluator) if model.evaluator else None
        return cls(game, model, judge)

    @property
    def name(self) -> str:
        """The name that its file gives it."""
        return self.model.name

    @property
    def factors(self) -> dict[str, m.Number]:
        """The value of every factor."""
        known = self.model.evaluator.factors if self.model.evaluator else ()
        return {f.name: value for f, value in zip(known, self.model.factors, strict=True)}

    def written(self) -> dict[str, str]:
        """The value of every factor as texts write it."""
        known = self.model.evaluator.factors if self.model.evaluator else ()
        pairs = zip(known, self.model.factors, strict=True)
        return {factor.name: factor.written(value) for factor, value in pairs}

    def refuse_percent(self, names: Collection[str]) -> None:
        """Refuse factors that are no percentages, where somebody has said `%`."""
        known = self.model.evaluator.factors if self.model.evaluator else ()
        for factor in known:
            if factor.name in names and not factor.percent:
                message = f"`{factor.name}` is no percentage; its range is {factor.range}"
                raise RulewrightError(message)

    def with_factors(self, **values: m.Number) -> Personality:
        """The same personality with other values of some factors; nothing is compiled anew."""
        known = self.model.evaluator.factors if self.model.evaluator else ()
        names = [f.name for f in known]
        factors = list(self.model.factors)
        for name, value in values.items():
            if name not in names:
                there = f"there is {', '.join(names)}" if names else "it has none"
                hint = did_you_mean(name, names) or there
                raise RulewrightError(f"{self.name} has no factor `{name}`; {hint}")
            factor = known[names.index(name)]
            if refusal := factor.refusal(value):
                raise RulewrightError(refusal)
            factors[names.index(name)] = value
        return evolve(self, model=evolve(self.model, factors=tuple(factors)))

    # --- deciding ---

    def choose(
        self, state: State, random: Random | None = None, seconds: float | None = None
    ) -> str:
        """The decision it makes here; *seconds* limits its thinking, whatever its file says."""
        return self.decide(state, random, seconds).move

    def decide(
        self, state: State, random: Random | None = None, seconds: float | None = None
    ) -> Chosen:
        """The decision it makes here, and the values of the others."""
        if state.over:
            raise GameOver(f"there is nothing to decide: the game is over ({state.result})")
        chance = random or Random(0)
        with state.game.located(), self._located():
            early = opened(self.model, self.judge, state, chance)
        if early is not None:
            how = f"opening {early.line}".rstrip()
            return Chosen(early.move, None, {}, tied=early.among, settled=how)
        return choose(
            self.model, state, lambda value: self.root(state, value, chance, seconds), chance
        )

    def stopgap(self, state: State, random: Random, seconds: float) -> Chosen:
        """What it decides where machine code is not there in time, in about so many seconds.

        The reference searches; where it judges nothing by then, single decisions are looked at, as
        far as there is time, and the best of them is made; else the first legal one.  Chance says
        nothing that the text does not leave to it.
        """
        slow = evolve(self, native=False, known=None)
        for part, work in ((_SEARCHING, slow.decide), (1.0, slow._ordered)):
            share = part * seconds
            with suppress(OutOfBudget), regardless(), within_seconds(share, 0, ""):
                found = work(state, random, share)
                if found.line or not found.value or self.model.search.kind == "random":
                    return found
        move = first_decision(state).move
        return Chosen(move, None, {}, settled=f"{_NO_TIME}: the first decision", searched=False)

    def _ordered(self, state: State, random: Random, seconds: float) -> Chosen:
        """The best decision by the value that would lead a search; nothing follows it."""
        told = self.model.guidance
        if self.judge is None:
            raise OutOfBudget(_NO_TIME)
        scorer = self.scorer(state, told.order or told.policy, random)
        found = reference.one_ply(state, scorer, SearchBudget(Limits(seconds)))
        tied = best_of(found)
        move = tied[0] if tied else ""
        how = f"{_NO_TIME}: {scorer.value.name} of single decisions"
        return Chosen(
            move, found.get(move), found, scorer.value.name, (), tuple(tied), how, searched=False
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

        with state.game.located(), self._located():
            free = self.means.watch.cancelled is not None  # it may end at any time
            if self.known is None or free or self.limits(seconds).seconds is not None:
                return find()
            return self.known.root(state, f"{name} {exact}", chance, find)

    @contextmanager
    def _located(self) -> Iterator[None]:
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
        limits = self.limits(seconds)
        if kind == "mcts":
            return self._playouts(state, random, limits)
        scorer, shape = self.scorer(state, name, random), None
        consider = self.model.consider
        if kind == "beam":
            trim, fade = self.model.number("trim") or 0, self.model.number("fade") or 0
            breadth = int(self.model.number("breadth") or 1)
            shape = BeamShape(breadth, limits.depth or 1, trim, fade)
        elif scorer.value.of_move:
            kind = "one_ply"
            if self.model.search.kind != kind:  # a pick that goes before the search
                limits = evolve(limits, seconds=None)
        prove = float(self.model.number("prove") or 0)
        asked = Asked(scorer, limits, exact or kind == "minimax", self.means, consider, prove)
        found = None
        if self.native:
            if kind in ("one_ply", "beam"):
                told: Told = "all" if exact else "none" if self.means.quick else "best"
                found = machine.weigh(state, asked, shape, told)
            else:
                found = machine.full_width(state, asked)
        return found or self._by_reference(state, asked, kind, shape)

    def _by_reference(
        self, state: State, asked: Asked, kind: str, shape: BeamShape | None
    ) -> Lines:
        """The lines that the one obvious search finds."""
        clock, limits = SearchBudget(asked.limits, asked.means.watch.cancelled), asked.limits
        if shape is not None:
            found = reference.beam(state, asked.scorer, clock, shape)
        elif kind == "one_ply":
            found = reference.one_ply(state, asked.scorer, clock)
        else:
            kept = self.considered
            found = reference.full_width(state, asked.scorer, clock, asked.exact, kept)
        tell(clock.nodes, None if limits.nodes else limits.depth)
        return found

    @cached_property
    def considered(self) -> Considered | None:
        """What narrows its decisions, if anything does."""
        consider = self.model.consider
        return Considered(self.game.play, consider) if consider else None

    def scorer(self, state: State, name: str, random: Random) -> Scorer:
        """What scores positions and decisions for the person to move in *state*."""
        ends = self.model.search.setting("ends")
        valued = ends is not None and ends.value == "valued"
        who = person(state)
        assert self.judge is not None
        return Scorer(
            self.judge, self.value(name), self.model.factors, random, who, valued,
            self.model.guidance,
        )  # fmt: skip

    def value(self, name: str = "") -> ValueOf:
        """A value of its evaluator; without a name the one it picks by."""
        evaluator = self.model.evaluator
        picks = [p.value for p in self.model.picks if p.how == "best"] or [""]
        # those that go before a search by one value are conditions of it
        best = picks[-1] if self.model.search.kind in ("minimax", "alphabeta") else picks[0]
        found = evaluator.value(name or best) if evaluator else None
        if found is None:
            raise RulewrightError(f"{self.name} has no value `{name}`")
        return found

    def timed(self, seconds: float | None = None) -> bool:
        """Whether its decisions depend on how fast the machine is."""
        return self.limits(seconds).seconds is not None

    def limits(self, seconds: float | None) -> Limits:
        """What the search may use: its own limits, and the seconds that it is given."""
        kind = self.model.search.kind
        depth, own, nodes = (self.model.number(n) for n in ("depth", "time", "nodes"))
        setting = self.model.search.setting("depth")
        given = [s for s in (own, seconds) if s is not None]
        if kind == "mcts" and not given and not nodes:
            given = [MCTS_SECONDS]
        given = _shared(given, _ALONE if self.means.last and self._searches_once else 0.5)
        return Limits(
            min(given) if given else None,
            None if nodes is None else int(nodes),
            None if kind == "mcts" else int(depth or 1),
            self.means.memory,
            self.means.threads,
            turns=setting is not None and setting.unit == "turns",
        )

    @property
    def _searches_once(self) -> bool:
        """Whether a decision takes one search with a clock: values of moves alone take none."""
        kind, asked = self.model.search.kind, self.model.values_asked
        if kind == "mcts":
            return True
        if kind not in ("one_ply", "beam"):
            asked = {name for name in asked if not self.value(name).of_move}
        return len(asked) <= 1

    def _playouts(self, state: State, random: Random, limits: Limits) -> Lines:
        watch, seed = self.means.watch, random.getrandbits(32)
        found = machine.grow(state, self.model, limits, seed, watch) if self.native else None
        if found is None:
            found = plain_search(state, limits, seed, watch.cancelled)
        tell(found.nodes, found.depth)
        # what few games say may be better: it is no reason to play what was hardly looked at
        below = nextafter(found.value, -inf)
        values = {text: min(value, below) for text, value in found.root if value is not None}
        values[found.move] = found.value
        return {
            text: Line((0, values[text]), (text,)) if text in values else None
            for text in state.moves.texts
        }


def _shared(seconds: list[float], share: float) -> list[float]:
    """Limits of time for one search, and its share of what a decision or a command has left."""
    left = budget.left()
    return seconds if not seconds or left is None else [*seconds, max(0.01, left * share)]


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
        for factor, value in zip(model.evaluator.factors, model.factors, strict=True):
            yield f"{factor.name} = {_quantity(factor, value)}  # {_about(factor)}"
        yield ""
    search = ", ".join([model.search.kind, *map(_setting, model.search.settings)])
    yield f"search {search}"
    if model.consider is not None:
        known = model.consider
        yield f"consider patterns {known.patterns.name}, most {known.most} else {known.otherwise}"
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


def _guidance(told: m.Guidance) -> Iterator[str]:
    if told.consider:
        yield f"consider {told.consider}, most {told.most} else all"
    if told.forcing:
        yield f"forcing {told.forcing}, depth {told.reach}"
    if told.must:
        yield f"must {told.must}"
    if told.threats:
        yield f"threats {told.threats}"
    if told.order:
        yield f"order {told.order}"
    if told.policy:
        yield f"policy {told.policy}, most {told.heaviest}"
    if told.replies:
        yield f"reply {', '.join(told.replies)}"
    if told.passing:
        yield f"passing {told.passing}"
    if told.drawn:
        yield f"drawn {told.drawn}"
    if told.decided:
        yield f"decided {told.decided}"
    if told.hopeless:
        yield f"hopeless {told.hopeless}"
    if told.late:
        yield "reduce boldly" if told.bold else "reduce late"


def _about(factor: Factor) -> str:
    unit = f" {factor.unit}" if factor.unit not in ("", "%") else ""
    return f"{factor.range}{unit}: {factor.meaning}"


def _quantity(factor: Factor, value: m.Number) -> str:
    return factor.written(value) if factor.percent else m.written(value)


def _percent(share: m.Number) -> str:
    return f"{share * 100:.10g}%"


def _setting(setting: m.Setting) -> str:
    if isinstance(setting.value, str):
        unit = " turns" if setting.unit == "turns" else ""
        return f"{setting.name} {setting.value}{unit}"
    if setting.unit == "%":
        return f"{setting.name} {_percent(setting.value)}"
    unit = setting.unit if setting.unit not in ("nodes", "decisions") else ""
    return f"{setting.name} {m.written(setting.value)} {unit}".rstrip()
