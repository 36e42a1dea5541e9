"""`Personality`: a personality ready to play one game.

In: a name or path and a game.  Out: decisions, with the values they were chosen by.  Everything
random comes from one generator that the caller gives or seeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from random import Random

from attrs import evolve, field, frozen

from rulewright import budget
from rulewright.engine.game import Game, State
from rulewright.errors import Fault, GameOver, MoveError, RulewrightError
from rulewright.files.catalog import load_personality
from rulewright.files.games import load
from rulewright.language.diagnostics import did_you_mean
from rulewright.model import personality as m
from rulewright.model.evaluation import ValueOf
from rulewright.players import searches
from rulewright.players.choose import Chosen, choose, one_of
from rulewright.players.considered import Considered
from rulewright.players.memory import Memory
from rulewright.players.native import Asked, Means, native_root
from rulewright.players.scores import Scorer, person
from rulewright.players.searches import Clock, Limits, Root
from rulewright.players.spent import tell
from rulewright.players.weighed import Beam, Told, looked_ahead, weighed
from rulewright.records import Brief
from rulewright.reference.evaluation import StaticEvaluator
from rulewright.search.best import best
from rulewright.search.results import Limits as SearchLimits

_SHOWN = 6
"""Changed factors that the `repr` names."""
MCTS_SECONDS = 1.0
"""What `search mcts` may use when it says nothing."""


@frozen(eq=False, repr=False)
class Personality(Brief):
    """A personality of one game."""

    game: Game
    model: m.Personality
    judge: StaticEvaluator | None = field(repr=False)
    native: bool = field(default=True, repr=False)
    """Whether machine code searches where it can."""
    known: Memory | None = field(default=None, repr=False)
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
            whole = isinstance(value, int) or not factor.whole
            if not whole or not factor.low <= value <= factor.high:
                limits = f"{factor.low}..{factor.high}"
                raise RulewrightError(f"{value} lies outside the range {limits} of `{name}`")
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
        early = self._opening(state, chance)
        if early:
            return Chosen(early, None, {}, settled="opening")
        return choose(
            self.model, state, lambda value: self.root(state, value, chance, seconds), chance
        )

    def _opening(self, state: State, random: Random) -> str:
        """The decision that the opening says; a turn of it that is not legal ends it."""
        opening, turns = self.model.opening, _own_turns(state)
        unseen = _own_turns_before(state)
        if len(turns) + unseen <= opening.random:
            return one_of(state.moves.texts, random)
        if unseen or len(turns) > len(opening.turns):
            return ""
        said = [
            _as_said(start, text) for (start, _), text in zip(turns, opening.turns, strict=False)
        ]
        done = [decisions for _, decisions in turns]
        if done[:-1] != said[:-1] or said[-1][: len(done[-1])] != done[-1]:
            return ""
        rest = said[-1][len(done[-1]) :]
        return rest[0] if rest else ""

    def root(
        self,
        state: State,
        name: str = "",
        random: Random | None = None,
        seconds: float | None = None,
        exact: bool = False,
    ) -> Root:
        """A score for each decision by one value, as far as the search gives one.

        *exact* asks for true scores of all decisions also where the search needs only the best.
        """
        chance = random or Random(0)
        with state.game.located(), self._located():
            if self.known is None or self._limits(seconds).seconds is not None:
                return self._root(state, name, chance, seconds, exact)
            key = f"{name} {exact}"
            return self.known.root(
                state, key, chance, lambda: self._root(state, name, chance, seconds, exact)
            )

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
    ) -> Root:
        kind = self.model.search.kind
        if kind == "random":
            return dict.fromkeys(state.moves.texts)
        if kind == "mcts":
            return self._playouts(state, random, seconds)
        scorer = self.scorer(state, name, random)
        limits = self._limits(seconds)
        if kind in ("minimax", "alphabeta") and self.native and not scorer.value.of_move:
            whole = exact or kind == "minimax"
            asked = Asked(self.value(name), limits, whole, self.means)
            fast = native_root(state, self.model, asked, random)
            if fast:
                return fast
        found = self._plain(state, scorer, limits, exact)
        tell(scorer.nodes, None if limits.nodes else limits.depth)
        return found

    def _plain(self, state: State, scorer: Scorer, limits: Limits, exact: bool) -> Root:
        """The scores by searches that count what they ask the scorer for."""
        kind = self.model.search.kind
        if kind == "one_ply":
            fast = self.native and weighed(state, self.model, Clock(scorer, limits))
            return fast or searches.one_ply(state, scorer, limits)
        if kind == "beam":
            return self._beam(state, Clock(scorer, limits), exact)
        if scorer.value.of_move:  # a pick that goes before the search
            fast = self.native and weighed(state, self.model, Clock(scorer, Limits()))
            return fast or searches.one_ply(state, scorer)
        whole = exact or kind == "minimax"
        return searches.full_width(state, scorer, limits, whole, self.considered)

    @cached_property
    def considered(self) -> Considered | None:
        """What narrows its decisions, if anything does."""
        consider = self.model.consider
        return Considered(self.game.play, consider) if consider else None

    def _beam(self, state: State, clock: Clock, lines: bool) -> Root:
        trim, fade = self.model.number("trim") or 0, self.model.number("fade") or 0
        breadth, depth = int(self.model.number("breadth") or 1), clock.limits.depth
        told = Beam(breadth, depth, trim, fade)
        written: Told = "all" if lines else "none" if self.means.quick else "best"
        fast = self.native and looked_ahead(state, self.model, clock, told, lines=written)
        return fast or searches.Beam(clock.scorer, clock, depth, trim, fade).root(state, breadth)

    def scorer(self, state: State, name: str, random: Random) -> Scorer:
        """What scores positions and decisions for the person to move in *state*."""
        ends = self.model.search.setting("ends")
        valued = ends is not None and ends.value == "valued"
        who = person(state.situation.position)
        assert self.judge is not None
        return Scorer(self.judge, self.value(name), self.model.factors, random, who, valued)

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
        if self.model.search.kind == "mcts":
            return seconds is not None or self.model.number("nodes") is None
        return self._limits(seconds).seconds is not None

    def _limits(self, seconds: float | None) -> Limits:
        depth, own, nodes = (self.model.number(n) for n in ("depth", "time", "nodes"))
        setting = self.model.search.setting("depth")
        turns = setting is not None and setting.unit == "turns"
        given = _shared([s for s in (own, seconds) if s is not None])
        whole = None if nodes is None else int(nodes)
        return Limits(int(depth or 1), turns, min(given) if given else None, whole)

    def _playouts(self, state: State, random: Random, seconds: float | None) -> Root:
        nodes, own = self.model.number("nodes"), self.model.number("time")
        given = [s for s in (own, seconds) if s is not None]
        given = _shared(given if given or nodes else [MCTS_SECONDS])
        most = min(given) if given else None
        limits = SearchLimits(most, None if nodes is None else int(nodes), None, self.means.memory)
        found = best(state, limits, random.getrandbits(32))
        tell(found.nodes, found.depth)
        values = {text: value for text, value in found.root if value is not None}
        values[found.move] = max(values.values(), default=found.value)
        return {
            text: searches.Line((0, values[text]), (text,)) if text in values else None
            for text in state.moves.texts
        }


def _shared(seconds: list[float]) -> list[float]:
    """Limits of time for one search, and half of what a command that has its own has left."""
    left = budget.left()
    return seconds if not seconds or left is None else [*seconds, max(0.01, left / 2)]


def _own_turns(state: State) -> list[tuple[State, list[str]]]:
    """The turns of whoever is to move, each with its start; the last is the one under way."""
    who, found = person(state.situation.position), list[tuple[State, list[str]]]()
    for before, after in pairwise(state.states()):
        if person(before.situation.position) == who:
            if before.turn_begins or not found:
                found.append((before, []))
            found[-1][1].append(after.move)
    if state.turn_begins or not found:
        found.append((state, []))
    return found


def _own_turns_before(state: State) -> int:
    """How many turns of whoever is to move lie before the first state, which may be any."""
    first, who = state.states()[0], person(state.situation.position)
    begins = person(first.situation.position)
    return first.ply // 2 if who == begins else (first.ply + 1) // 2


def _as_said(start: State, text: str) -> list[str]:
    """The decisions of a turn that is written as *text*; none when it cannot be played."""
    try:
        return start.play(text).decisions()[len(start.decisions()) :]
    except MoveError:
        return []
