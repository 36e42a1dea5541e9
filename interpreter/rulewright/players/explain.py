"""Explanations: the value of every decision taken apart, and what decided.

In: a personality and a state, or the player who has made its last decision (which is explained
whatever that player would decide now).  Out: for each decision its value (bigger is better for the
player who decides), what each summand of the formula adds to it, and what each factor does: the
value less what it would be with that factor at 0.  After a search
the values are those of the position at the end of the line that the search expects.  What decided
is a factor, a part of a value, the end of the game, or a rule of the file for equals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from attrs import evolve, field, frozen

from rulewright.errors import IllegalMove, RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.render.markup import rich
from rulewright.ground.printable import amount
from rulewright.ground.records import Brief, fields_as_json
from rulewright.model.personality import Belief, Number, Opening
from rulewright.players.choose import Chosen, Tried
from rulewright.players.inside import longer, with_depth
from rulewright.players.personality import Personality
from rulewright.players.terms import ExplainedMove, Explainer, LineWriter
from rulewright.search.best import best
from rulewright.search.results import FAR, Limits, Line, SearchResult, plain_value

THE_END = "the end of the game"
"""What decides between a decision whose line ends the game by force and another."""
SEARCH_ORDER = "search order"
"""What decides among equals where a search keeps the first that it finds."""
DEEPER = "a deeper search"
"""What decides where the values of all decisions could not be found as deep as the decision."""
ONLY = "only decision"
CHANCE = "chance"
"""What decides for the player that plays any legal decision."""
BY_SEARCH = "the search of the rules"
"""What decides for the player that knows the rules alone."""
_LONGER = 4
"""How many times as long the search for the values of all decisions may take."""

_BEST_ONLY = ("alphabeta", "beam")
"""Searches that, where they only have to decide, say all of the best decision only."""


@frozen(repr=False)
class Explanation(Brief):
    """Why a personality decides as it does; the best decisions come first.

    `decided_by` says what speaks most for the decision made, against the best of the others,
    `runner_up`: a factor (of none a term), a part of a value of several parts, the end of the game,
    or how the file chooses among `tied` decisions; `margin` is by how much.  `tried` are the `pick`
    lines down to the one that decided.
    """

    personality: str
    value: str
    side: str
    chosen: str
    moves: tuple[ExplainedMove, ...]
    decided_by: str
    runner_up: str
    margin: Number
    unjudged: tuple[str, ...] = ()
    opening: str = ""
    """What it plays in a game, where its opening decides."""
    opened_by: str = ""
    """The line of the evaluator's openings that decides there, if one does."""
    tried: tuple[Tried, ...] = ()
    tied: tuple[str, ...] = ()
    played: bool = field(default=False, eq=False)
    """Whether `chosen` has been played already."""
    again: str = field(default="", eq=False)
    """What it would play now, if that is another than it has played."""
    believed: tuple[Belief, ...] = ()
    """The words that may have led a line to the end of the game which is told."""

    def __repr__(self) -> str:
        much = f" ({self.margin:+g})" if self.margin else ""
        why = f", decided by {self.decided_by}{much}" if self.decided_by else ""
        what = f"{self.personality} plays {self.chosen}{why}"
        return f"<Explanation {what}, {amount(len(self.moves), 'decision')} judged>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """What a notebook shows: the decisions with their terms."""
        terms = list(dict.fromkeys(term for one in self.moves for term in one.terms))
        rows = (
            [
                one.move,
                one.ends or one.value,
                *(one.terms.get(term) for term in terms),
                *[" ".join(one.line)],
            ]
            for one in self.moves
        )
        return rich(self, ["decision", "value", *terms, "line"], rows)

    def judged(self, move: str) -> ExplainedMove:
        """What is said of one decision."""
        found = next((one for one in self.moves if one.move == move), None)
        if found is None:
            raise IllegalMove(f"`{move}` has no value here; there are values for {self._known()}")
        return found

    def _known(self) -> str:
        return ", ".join(one.move for one in self.moves[:8]) or "no decisions"

    def as_data(self) -> dict[str, object]:
        """The explanation as plain data, with the names of `explain --format json`."""
        told = "personality value side chosen decided_by? runner_up? margin tied"
        picks = {"picks": [_tried(one) for one in self.tried]}
        believed = {"believed": [belief.as_data() for belief in self.believed]}
        rest = fields_as_json(self, "opening? opened_by? moves")
        margin = {"margin": plain_value(self.margin)}
        return fields_as_json(self, told) | margin | picks | believed | rest


def _tried(one: Tried) -> dict[str, object]:
    numbers = {"first": plain_value(one.first), "second": plain_value(one.second)}
    return {"pick": str(one.pick), "decided": one.decided, **numbers}


def explain(
    state: State,
    personality: Personality | str | Path,
    seed: int = 0,
    value: str = "",
    played: str = "",
) -> Explanation:
    """What *personality* thinks of every decision in *state*, whatever its opening says.

    It may be given by its name or path.  What has been *played* here already is explained in place
    of what it would play now.
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
    root = (whole and chosen.root) or _root(personality, state, name, seed, chosen.line)
    explainer, lines = Explainer(personality, state, name, seed), _lines(personality, state, name)
    made = played or chosen.move
    known = [text for text, line in root.items() if line is not None]
    known.sort(key=lambda text: (_score(root, text), text == made), reverse=True)
    # the best first: where time is limited the lines of the others may stay short
    judged = [explainer.judged(text, lines(line)) for text in known if (line := root[text])]
    other = next((one.move for one in judged if one.move != made), "")
    why, margin = _why(chosen, made, other, root, {one.move: one for one in judged})
    return Explanation(
        personality.name,
        personality.value(name).name if personality.judge else "",
        state.mover or "",
        made,
        tuple(judged),
        why,
        other if root.get(made) else "",
        margin,
        tuple(t for t in state.moves.texts if root.get(t) is None),
        usual.move if opens else "",
        usual.settled.removeprefix("opening").strip() if opens else "",
        chosen.tried,
        _tied(chosen, made, root),
        bool(played),
        chosen.move if made != chosen.move else "",
        personality.model.believed_in_play if any(map(_is_forced, judged)) else (),
    )


def _is_forced(one: ExplainedMove) -> bool:
    """Whether a line ends the game by force, but not at once, which the rules alone say."""
    return bool(one.ends) and (one.distance or 0) > 1


def _root(
    personality: Personality, state: State, name: str, seed: int, decided: Line | None
) -> Mapping[str, Line | None]:
    """The values of all decisions, by a search as deep as the one that has decided.

    One that saw the end of the game stopped there: all others are looked at as deep as it might go.
    """
    if personality.judge is None:
        return {}
    if decided is not None and decided.depth:
        ended = decided.score[0] != 0
        model = personality.model if ended else with_depth(personality.model, decided.depth)
        model = longer(model, _LONGER)
        personality = evolve(personality, model=model)
    return personality.root(state, name, Random(seed), exact=True)


def _lines(personality: Personality, state: State, name: str) -> Callable[[Line], Line]:
    """What writes lines to their end: searches of full width leave that to be done."""
    if personality.judge is None:
        return lambda line: line
    return LineWriter.of(personality, state, name).whole


def _score(root: Mapping[str, Line | None], move: str) -> tuple[Number, ...]:
    line = root[move]
    assert line is not None
    return line.score


# --- what decided ---


def _tied(chosen: Chosen, made: str, root: Mapping[str, Line | None]) -> tuple[str, ...]:
    """The decisions that are worth as much as the one made, which is among them; none is alone."""
    if chosen.line is None:
        return chosen.tied if made in chosen.tied else ()
    line = root.get(made)
    same = tuple(t for t, one in root.items() if line and one and one.score == line.score)
    return same if len(same) > 1 else ()


def _why(
    chosen: Chosen,
    made: str,
    other: str,
    root: Mapping[str, Line | None],
    judged: Mapping[str, ExplainedMove],
) -> tuple[str, Number]:
    """What decided, and by how much (0 for what is no number)."""
    if len(root) == 1:
        return ONLY, 0
    if chosen.line is None or made not in judged or not other:
        return chosen.settled, 0
    mine, best = _score(root, made), _score(root, other)
    if mine == best:
        return chosen.settled or SEARCH_ORDER, 0
    if mine < best:
        return (DEEPER if chosen.move == made else ""), 0  # else: it would not play it now
    if mine[0] != best[0]:
        return THE_END, 0
    if mine[:2] == best[:2]:
        parts = zip(judged[made].parts.items(), judged[other].parts.values(), strict=True)
        return next((name, one - two) for (name, one), two in parts if one != two)
    return _deciding(judged[made], judged[other])


def _deciding(made: ExplainedMove, other: ExplainedMove) -> tuple[str, Number]:
    """The factor or term that speaks most for one decision against another, and by how much."""
    if made.ends or other.ends:
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
    explainer = Explainer(personality, state, value, seed)
    one, other = (explainer.judged(move, line) for move, line in lines.items())
    return _deciding(one, other)


# --- what was played ---


def explain_played(
    state: State, by: Personality | str, seconds: float = 1.0, seed: int = 0
) -> Explanation:
    """Why the last decision of *state* was made by whom: a personality, `computer` or `random`.

    The computer searches again, *seconds* long.  Raises `RulewrightError` for anybody else, and
    where nothing is played yet.
    """
    before = state.before
    if before is None:
        raise RulewrightError("nothing is played yet")
    if isinstance(by, Personality):
        return explain(before, by, seed, played=state.move)
    if by not in ("computer", "random"):
        raise RulewrightError(f"{before.mover} played {state.move}, and {by} gives no reasons")
    search = by == "computer" and len(before.moves) > 1
    found = best(before, Limits(seconds), seed, roots=True) if search else None
    judged = _judged(found, state.move) if found else ()
    others = [one.move for one in judged if one.move != state.move]
    assert before.mover is not None
    return Explanation(
        by, "", before.mover, state.move, judged, BY_SEARCH if by == "computer" else CHANCE,
        others[0] if others else "", 0, played=True, again=_again(found, state.move),
    )  # fmt: skip


def _again(found: SearchResult | None, move: str) -> str:
    return found.move if found and found.move != move else ""


def _judged(found: SearchResult, made: str) -> tuple[ExplainedMove, ...]:
    """What a search says of the decisions, the best first."""
    told = [(value, move) for move, value in found.root if value is not None]
    told.sort(key=lambda one: (one[0], one[1] == made), reverse=True)
    return tuple(_one(found, move, value) for value, move in told)


def _one(found: SearchResult, move: str, value: float) -> ExplainedMove:
    line = found.pv if move == found.move else (move,)
    if move == found.move and found.proven in ("win", "loss"):
        distance = FAR if found.distance is None else found.distance
        return ExplainedMove(move, value, {}, {}, line, found.proven, distance)
    return ExplainedMove(move, value, {}, {}, line)
