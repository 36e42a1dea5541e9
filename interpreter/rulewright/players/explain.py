"""Explanations: the value of every decision, split by term and by factor.

In: a personality and a state.  Out: for each decision its value (bigger is better for the player
who decides), what each summand of the formula adds to it, and what each factor does: the value less
what it would be with that factor at 0.  After a search the values are those of the position at the
end of the line that the search expects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from attrs import evolve, field, frozen

from rulewright.errors import Fault, IllegalMove
from rulewright.game import State
from rulewright.model.personality import Number, Opening
from rulewright.players.lines import Lines
from rulewright.players.personality import Personality
from rulewright.players.scores import FAR, person
from rulewright.players.searches import Line
from rulewright.records import Brief
from rulewright.reference.evaluation import Choice, side
from rulewright.reference.position import Position

AHEAD = "look-ahead"
"""The term for what a beam expects to follow a decision."""


_BEST_ONLY = ("alphabeta", "beam")
"""Searches that, where they only have to decide, say all of the best decision only."""


@frozen
class Judged:
    """A decision with its value; `terms` add up to it, unless chance or the game's end speak.

    `ends` is `win` or `loss` where the line reaches the end of the game, `distance` decisions on.
    """

    move: str
    value: Number
    terms: Mapping[str, Number]
    factors: Mapping[str, Number]
    line: tuple[str, ...]
    ends: str = ""
    distance: int | None = None


@frozen(repr=False)
class Explanation(Brief):
    """Why a personality decides as it does; the best decisions come first.

    `decided_by` is the factor (of none, the term) that speaks most for the decision made, against
    the best of the others, `runner_up`.
    """

    personality: str
    value: str
    side: str
    chosen: str
    moves: tuple[Judged, ...]
    decided_by: str
    runner_up: str
    margin: Number
    unjudged: tuple[str, ...] = ()
    opening: str = ""
    """What it plays in a game, where its opening decides."""

    def __repr__(self) -> str:
        why = f", decided by {self.decided_by} ({self.margin:+g})" if self.decided_by else ""
        what = f"{self.personality} plays {self.chosen}{why}"
        return f"<Explanation {what}, {len(self.moves)} decisions judged>"

    def judged(self, move: str) -> Judged:
        """What is said of one decision."""
        found = next((one for one in self.moves if one.move == move), None)
        if found is None:
            raise IllegalMove(f"`{move}` has no value here; there are values for {self._known()}")
        return found

    def _known(self) -> str:
        return ", ".join(one.move for one in self.moves[:8]) or "no decisions"

    def as_data(self) -> dict[str, object]:
        """The explanation as plain data, with the names of `explain --format json`."""
        return {
            "personality": self.personality,
            "value": self.value,
            "side": self.side,
            "chosen": self.chosen,
            "decided_by": self.decided_by or None,
            "runner_up": self.runner_up or None,
            "margin": self.margin,
            "opening": self.opening or None,
            "moves": [_data(one) for one in self.moves],
        }


def _data(one: Judged) -> dict[str, object]:
    return {
        "move": one.move,
        "value": one.value,
        "terms": dict(one.terms),
        "factors": dict(one.factors),
        "line": list(one.line),
        "ends": one.ends or None,
        "distance": one.distance,
    }


@frozen
class Difference:
    """Where two personalities part: their decisions, and the factors that alone make it so.

    A factor is named when the first personality, given only that factor of the second, decides like
    the second.
    """

    first: str
    second: str
    factors: tuple[str, ...] = field(default=())


def explain(
    state: State, personality: Personality | str | Path, seed: int = 0, value: str = ""
) -> Explanation:
    """What *personality* thinks of every decision in *state*, whatever its opening says.

    It may be given by its name or path.
    """
    if not isinstance(personality, Personality):
        personality = Personality.load(personality, state.game)
    usual = personality.decide(state, Random(seed))
    opens = usual.line is None and personality.model.opening != Opening()
    if opens:
        model = evolve(personality.model, opening=Opening())
        personality = evolve(personality, model=model)
    chosen = personality.decide(state, Random(seed)) if opens else usual
    name = value or chosen.value
    whole = name == chosen.value and personality.model.search.kind not in _BEST_ONLY
    root = (whole and chosen.root) or _root(personality, state, name, seed)
    explainer, lines = _Explainer(personality, state, name, seed), _lines(personality, state, name)
    judged = [explainer.judged(t, lines(line)) for t, line in root.items() if line is not None]
    judged.sort(key=lambda one: (_rank(root, one.move), one.move == chosen.move), reverse=True)
    unjudged = tuple(t for t in state.moves() if root.get(t) is None)
    mover = state.mover
    assert mover is not None
    made = next((one for one in judged if one.move == chosen.move), None)
    other = next((one for one in judged if one.move != chosen.move), None)
    why, margin = _deciding(made, other)
    return Explanation(
        personality.name,
        personality.value(name).name if personality.judge else "",
        mover,
        chosen.move,
        tuple(judged),
        why,
        other.move if made and other else "",
        margin,
        unjudged,
        usual.move if opens else "",
    )


def _root(
    personality: Personality, state: State, name: str, seed: int
) -> Mapping[str, Line | None]:
    if personality.judge is None:
        return {}
    return personality.root(state, name, Random(seed), exact=True)


def _lines(personality: Personality, state: State, name: str) -> Callable[[Line], Line]:
    """What writes lines to their end: searches of full width leave that to be done."""
    if personality.judge is None:
        return lambda line: line
    return Lines.of(personality, state, name).whole


def _rank(root: Mapping[str, Line | None], move: str) -> tuple[Number, ...]:
    line = root[move]
    assert line is not None
    return line.score


def _deciding(made: Judged | None, other: Judged | None) -> tuple[str, Number]:
    """The factor or term that speaks most for one decision against another, and by how much."""
    if made is None or other is None:
        return "", 0
    for one, two in ((made.factors, other.factors), (made.terms, other.terms)):
        ahead = {name: number - two.get(name, 0) for name, number in one.items()}
        best = max(ahead, key=lambda name: ahead[name], default="")
        if best and ahead[best] > 0:
            return best, ahead[best]
    return "", 0


def weigh(
    state: State, personality: Personality, value: str, lines: Mapping[str, Line], seed: int = 0
) -> tuple[str, Number]:
    """What speaks most for the first of two decisions with their lines, and how much.

    A factor, of none a term; an empty name when nothing does, or when the game ends on a line.
    """
    explainer = _Explainer(personality, state, value, seed)
    one, other = (explainer.judged(move, line) for move, line in lines.items())
    return _deciding(one, other)


@frozen
class _Explainer:
    personality: Personality
    state: State
    name: str
    seed: int

    def judged(self, move: str, line: Line) -> Judged:
        """A decision with its value taken apart."""
        rank, first = line.score[0], line.score[1] if len(line.score) > 1 else 0
        if rank:
            ends, distance = ("win", FAR - rank) if rank > 0 else ("loss", rank + FAR)
            return Judged(move, first, {}, {}, line.moves, ends, int(distance))
        if self.personality.judge is None:
            return Judged(move, first, {}, {}, line.moves)
        if line.depth and line.leaf is None:
            return Judged(move, first, {}, {}, line.moves)  # a limit came before the line's end
        position, choice = self._valued(move, line)
        terms = self._terms(position, choice)
        whole = self._value(position, choice, self.personality.model.factors)
        if first != whole and self.personality.value(self.name).of_move:
            terms[AHEAD] = first - whole
        return Judged(move, first, terms, self._factors(position, choice, whole), line.moves)

    def _valued(self, move: str, line: Line) -> tuple[Position, Choice | None]:
        """The position (and in it the choice) whose value a line's value is."""
        here = self.state.situation
        judge = self.personality.judge
        assert judge is not None
        if not self.personality.value(self.name).of_move:
            leaf = line.leaf or self.state.play_decision(move).situation
            return leaf.position, None
        option = next(o for o in here.options if o.text == move)
        return here.position, judge.choices(here.position, option)

    def _sign(self, position: Position) -> int:
        who = person(self.state.situation.position)
        value = self.personality.value(self.name)
        return 1 if side(value, position) ^ position.swapped == who else -1

    def _terms(self, position: Position, choice: Choice | None) -> dict[str, Number]:
        judge, factors = self.personality.judge, self.personality.model.factors
        assert judge is not None
        value, sign = self.personality.value(self.name), self._sign(position)
        found: dict[str, Number] = {}
        for text, number in judge.terms(value, position, choice, factors, Random(self.seed)):
            found[text] = found.get(text, 0) + sign * number
        return found

    def _value(
        self, position: Position, choice: Choice | None, factors: tuple[Number, ...]
    ) -> Number:
        judge, value = self.personality.judge, self.personality.value(self.name)
        assert judge is not None
        chance = Random(self.seed)
        if choice is None:
            found = judge.of_position(value, position, factors, chance)
        else:
            found = judge.of_move(value, position, choice, factors, chance)
        return self._sign(position) * found[0]

    def _factors(
        self, position: Position, choice: Choice | None, whole: Number
    ) -> dict[str, Number]:
        """What each factor adds: the value less the value with that factor at 0."""
        model, found = self.personality.model, dict[str, Number]()
        assert model.evaluator is not None
        for index, factor in enumerate(model.evaluator.factors):
            if factor.for_search or not model.factors[index]:
                continue
            without = (*model.factors[:index], 0, *model.factors[index + 1 :])
            try:
                found[factor.name] = whole - self._value(position, choice, without)
            except Fault:
                continue  # the formula has no value without this factor
        return found


@frozen
class Heat:
    """The best value of the decisions that put a piece on a site, as text and as a share of 1."""

    texts: Mapping[int, str]
    shares: Mapping[int, float]


def heat(state: State, explanation: Explanation) -> Heat:
    """What a heat map shows: decisions that put one piece somewhere, the better the warmer."""
    best: dict[int, Number] = {}
    mover = state.situation.position.mover
    before = state.situation.position.owned[mover]
    after = {option.text: option.after for option in state.situation.options}
    for one in reversed(explanation.moves):  # the best last
        fresh = after[one.move].owned[mover] & ~before
        if fresh.bit_count() == 1:
            best[fresh.bit_length() - 1] = one.value
    low, high = min(best.values(), default=0), max(best.values(), default=0)
    texts = {site: f"{value:.4g}" for site, value in best.items()}
    return Heat(texts, {s: (v - low) / (high - low or 1) for s, v in best.items()})


def difference(state: State, first: Personality, second: Personality, seed: int = 0) -> Difference:
    """Where two personalities part in *state*, and which single factors make them do so."""
    one = first.choose(state, Random(seed))
    other = second.choose(state, Random(seed))
    if one == other:
        return Difference(one, other)
    if not _same_evaluator(first, second):
        return Difference(one, other)  # factors of the same name would not be the same
    mine, theirs = first.factors, second.factors
    found = [
        name
        for name in mine
        if name in theirs
        and mine[name] != theirs[name]
        and _with(first, name, theirs[name]).choose(state, Random(seed)) == other
    ]
    return Difference(one, other, tuple(found))


def _same_evaluator(first: Personality, second: Personality) -> bool:
    judges = [one.model.evaluator for one in (first, second)]
    return None not in judges and len({judge.name for judge in judges if judge}) == 1


def _with(personality: Personality, name: str, value: Number) -> Personality:
    return personality.with_factors(**{name: value})
