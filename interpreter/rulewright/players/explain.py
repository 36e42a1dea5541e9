"""Explanations: the value of every decision taken apart, and what decided.

In: a personality and a state, or the player who has made its last decision (which is explained
whatever that player would decide now).  Out: for each decision its value (bigger is better for the
player who decides), what each summand of the formula adds to it, and what each factor does: the
value less what it would be with that factor at 0.  After a search
the values are those of the position at the end of the line that the search expects.  What decided
is a factor, a part of a value, the end of the game, or a rule of the file for equals.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from pathlib import Path
from random import Random

from attrs import evolve, field, frozen

from rulewright.errors import IllegalMove, RulewrightError
from rulewright.games.engine.game import State
from rulewright.games.render.markup import rich
from rulewright.ground.printable import amount
from rulewright.ground.records import Brief, fields_as_json
from rulewright.model.personality import FOR_SEVERAL, Belief, Number, Opening
from rulewright.players.builtin import longer, with_depth
from rulewright.players.choose import ChosenDecision, PickTrial
from rulewright.players.personality import Personality
from rulewright.players.terms import ExplainedMove, Explainer, LineWriter
from rulewright.search.best import best
from rulewright.search.results import (
    FAR,
    Limits,
    Line,
    SearchResult,
    Spent,
    counting_searches,
    plain_value,
    tell,
)

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

_BEST_ONLY = ("alphabeta", "beam", *FOR_SEVERAL)
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
    decision: str
    moves: tuple[ExplainedMove, ...]
    decided_by: str
    runner_up: str
    margin: Number
    unjudged: tuple[str, ...] = ()
    opening: str = ""
    """What it plays in a game, where its opening decides."""
    opened_by: str = ""
    """The line of the evaluator's openings that decides there, if one does."""
    tried: tuple[PickTrial, ...] = ()
    tied: tuple[str, ...] = ()
    played: bool = field(default=False, eq=False)
    """Whether `decision` has been played already."""
    again: str = field(default="", eq=False)
    """What it would play now, if that is another than it has played."""
    believed: tuple[Belief, ...] = ()
    """The words that may have led a line to the end of the game which is told."""
    expected: Line | None = field(default=None, eq=False)
    """The line, with its score, that the search expects which decided; others are not as deep."""
    spent: Spent = field(factory=Spent, eq=False)
    """The nodes and the depth of the search that decided."""

    @property
    def chosen(self) -> str:
        """The former name of `decision`, for one release."""
        return self.decision

    def __repr__(self) -> str:
        much = f" ({self.margin:+g})" if self.margin else ""
        why = f", decided by {self.decided_by}{much}" if self.decided_by else ""
        decision = f"{self.personality} plays {self.decision}{why}"
        return f"<Explanation {decision}, {amount(len(self.moves), 'decision')} judged>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """What a notebook shows: the decisions with their terms."""
        terms = list(dict.fromkeys(term for move in self.moves for term in move.terms))
        rows = (
            [m.move, m.ends or m.value, *(m.terms.get(term) for term in terms), " ".join(m.line)]
            for m in self.moves
        )
        return rich(self, ["decision", "value", *terms, "line"], rows)

    def judged(self, move: str) -> ExplainedMove:
        """Return the explanation of one decision; raises `IllegalMove` where it has no value."""
        explained = next((judged for judged in self.moves if judged.move == move), None)
        if explained is None:
            texts = ", ".join(judged.move for judged in self.moves[:8]) or "no decisions"
            raise IllegalMove(f"`{move}` has no value here; there are values for {texts}")
        return explained

    def as_data(self) -> dict[str, object]:
        """The explanation as plain data, with the names of `explain --format json`."""
        names = "personality value side decision chosen decided_by? runner_up? margin tied"
        picks = {"picks": [_pick_data(trial) for trial in self.tried]}
        believed = {"believed": [belief.as_data() for belief in self.believed]}
        moves = fields_as_json(self, "opening? opened_by? moves")
        margin = {"margin": plain_value(self.margin)}
        return fields_as_json(self, names) | margin | picks | believed | moves


def _pick_data(trial: PickTrial) -> dict[str, object]:
    numbers = {"first": plain_value(trial.first), "second": plain_value(trial.second)}
    return {"pick": str(trial.pick), "decided": trial.decided, **numbers}


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
    usual, spent = _decide(personality, state, seed)
    opens = usual.line is None and personality.model.opening != Opening()
    if opens:
        model = evolve(personality.model, opening=Opening())
        personality = evolve(personality, model=model)
    decision, spent = _decide(personality, state, seed) if opens else (usual, spent)
    name = value or decision.value
    whole = name == decision.value and personality.model.search.kind not in _BEST_ONLY
    root = (whole and decision.root) or _root(personality, state, name, seed, decision.line)
    explainer = Explainer(personality, state, name, seed)
    # searches of full width leave it to be done to write lines to their end
    writer = LineWriter.of(personality, state, name) if personality.judge else None
    move = played or decision.move
    texts = [text for text, line in root.items() if line is not None]
    texts.sort(key=lambda text: (_score(root, text), text == move), reverse=True)
    # the best first: where time is limited the lines of the others may stay short
    judged = [
        explainer.explain(text, writer.whole(line) if writer else line)
        for text in texts
        if (line := root[text])
    ]
    rival = next((m.move for m in judged if m.move != move), "")
    reason, margin = _why(decision, move, rival, root, {m.move: m for m in judged})
    # an end by force, but not at once, which the rules alone say
    forced = any(m.ends and (m.distance or 0) > 1 for m in judged)
    opening = usual.settled.removeprefix("opening").strip() if opens else ""
    return Explanation(
        personality.name, personality.value(name).name if personality.judge else "",
        state.mover or "", move, tuple(judged), reason, rival if root.get(move) else "", margin,
        tuple(t for t in state.moves.texts if root.get(t) is None),
        usual.move if opens else "", opening, decision.tried, _equals(decision, move, root),
        bool(played), decision.move if move != decision.move else "",
        personality.model.believed_in_play if forced else (), decision.line, spent,
    )  # fmt: skip


def _decide(personality: Personality, state: State, seed: int) -> tuple[ChosenDecision, Spent]:
    """What a personality decides, and what its search has spent on that."""
    with counting_searches() as spent:
        decision = personality.decide(state, Random(seed))
    tell(spent.nodes, spent.depth)
    return decision, spent


def _root(
    personality: Personality, state: State, name: str, seed: int, line: Line | None
) -> Mapping[str, Line | None]:
    """The values of all decisions, by a search as deep as the one that has decided.

    One that saw the end of the game stopped there: all others are looked at as deep as it might go.
    """
    if personality.judge is None:
        return {}
    if line is not None and line.depth:
        is_end = line.score[0] != 0
        model = personality.model if is_end else with_depth(personality.model, line.depth)
        model = longer(model, _LONGER)
        personality = evolve(personality, model=model)
    return personality.root(state, name, Random(seed), exact=True)


def _score(root: Mapping[str, Line | None], move: str) -> tuple[Number, ...]:
    line = root[move]
    assert line is not None
    return line.score


# --- what decided ---


def _equals(
    decision: ChosenDecision, move: str, root: Mapping[str, Line | None]
) -> tuple[str, ...]:
    """The decisions that are worth as much as the one made, which is among them; none is alone."""
    if decision.line is None:
        return decision.tied if move in decision.tied else ()
    line = root.get(move)
    equals = tuple(t for t, other in root.items() if line and other and other.score == line.score)
    return equals if len(equals) > 1 else ()


def _why(
    decision: ChosenDecision,
    move: str,
    rival: str,
    root: Mapping[str, Line | None],
    judged: Mapping[str, ExplainedMove],
) -> tuple[str, Number]:
    """The reason for the decision, and its margin (0 for a reason that is no number)."""
    if len(root) == 1:
        return ONLY, 0
    if decision.line is None or move not in judged or not rival:
        return decision.settled, 0
    mine, best = _score(root, move), _score(root, rival)
    if mine == best:
        return decision.settled or SEARCH_ORDER, 0
    if mine < best:
        return (DEEPER if decision.move == move else ""), 0  # else: it would not play it now
    if mine[0] != best[0]:
        return THE_END, 0
    if mine[:2] == best[:2]:
        parts = zip(judged[move].parts.items(), judged[rival].parts.values(), strict=True)
        return next((name, part - two) for (name, part), two in parts if part != two)
    return _heaviest(judged[move], judged[rival])


def _heaviest(move: ExplainedMove, rival: ExplainedMove) -> tuple[str, Number]:
    """The factor or term that speaks most for one decision against another, and by how much."""
    if move.ends or rival.ends:
        return "", 0
    for mine, theirs in ((move.factors, rival.factors), (move.terms, rival.terms)):
        ahead = {name: number - theirs.get(name, 0) for name, number in mine.items()}
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
    return _heaviest(*(explainer.explain(move, line) for move, line in lines.items()))


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
    answer = best(before, Limits(seconds), seed, roots=True) if search else None
    judged = _explain_search(answer, state.move) if answer else ()
    rivals = [m.move for m in judged if m.move != state.move]
    again = answer.move if answer and answer.move != state.move else ""
    assert before.mover is not None
    return Explanation(
        by, "", before.mover, state.move, judged, BY_SEARCH if by == "computer" else CHANCE,
        rivals[0] if rivals else "", 0, played=True, again=again,
    )  # fmt: skip


def _explain_search(answer: SearchResult, move: str) -> tuple[ExplainedMove, ...]:
    """The explanation of a decision by the plain search, the best decisions first."""
    values = [(value, text == move, text) for text, value in answer.root if value is not None]
    values.sort(key=itemgetter(0, 1), reverse=True)
    return tuple(_explain_result(answer, text, value) for value, _, text in values)


def _explain_result(answer: SearchResult, move: str, value: float) -> ExplainedMove:
    line = answer.pv if move == answer.move else (move,)
    if move == answer.move and answer.proven in ("win", "loss"):
        distance = FAR if answer.distance is None else answer.distance
        return ExplainedMove(move, value, {}, {}, line, answer.proven, distance)
    return ExplainedMove(move, value, {}, {}, line)
