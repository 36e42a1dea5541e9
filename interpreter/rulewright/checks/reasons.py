"""Explanations of why a decision or a turn is legal, or which clause forbids it first.

In: a state and the text of a decision or of a whole turn.  Out: a reason; the clauses that a
decision went through, and the end rule that it met.  Every way through every move is tried with its
tests kept from discarding it, and noted; then with choices among all sites too.  Of the ways that
are written like the text, the one that breaks fewest clauses is told.  Of a turn the decisions that
can be played are played, and the next one is told of.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from attrs import define, evolve, field, frozen

from rulewright.checks.attempts import Attempts, BrokenClause, distance
from rulewright.checks.findings import Clause, clause
from rulewright.checks.instrument import TracePoint, Tracer, instrumented_rules
from rulewright.errors import MoveError, RulewrightError
from rulewright.games.engine.clicks import click_names
from rulewright.games.engine.game import Game, State
from rulewright.games.files.catalog import load_look
from rulewright.ground.records import fields_as_json
from rulewright.model import rules as r
from rulewright.model.expressions import Local, Text
from rulewright.model.rules import Course
from rulewright.model.walk import nodes
from rulewright.reference.courses import text as course_text
from rulewright.reference.decisions import NONE, LegalDecision
from rulewright.reference.lookup import find
from rulewright.reference.play import ReferencePlay
from rulewright.reference.position import Context, Position


@frozen
class Reason:
    """Why a decision is forbidden (or, with `legal`, what lets it be made)."""

    move: str
    legal: bool
    message: str
    clause: Clause | None = None
    values: tuple[tuple[str, str], ...] = ()
    others: tuple[Clause, ...] = ()
    """Further clauses that forbid it too, or all those that it went through."""
    words: str = ""
    """What a player reads: the comment behind the clause, or what the look of the game says."""

    def as_data(self) -> dict[str, object]:
        """The reason as plain data."""
        data = fields_as_json(self, "move legal message clause values others words")
        return data | {"values": dict(self.values)}

    @property
    def sentence(self) -> str:
        """What a player reads, with a capital and a full stop; empty where there are no words."""
        return _sentence(self.words) if self.words else ""

    def __str__(self) -> str:
        lines = [self.sentence] * bool(self.words) + [self.message]
        if self.clause is not None:
            lines.append(f"  {self.clause.place}: {self.clause.text}")
        lines += [f"    {name} = {value}" for name, value in self.values]
        head = "what it did:" if self.legal else "and then:"
        lines += [f"  {head}"] * bool(self.others)
        lines += [f"    {c.place}: {c.text}" for c in self.others]
        return "\n".join(lines)


def turn_reason(text: str, end: State, number: int) -> Reason:
    """The clauses of a legal turn of so many decisions."""
    decisions = " ".join(end.decisions()[-number:])
    clauses = [
        clause for state in end.states()[-number:] for clause in clauses_of_last_decision(state)
    ]
    message = f"`{text}` is a legal turn: the decisions {decisions}"
    if end.result is not None:
        message += f", and it ends the game ({end.result})"
    return Reason(text, True, message, None, (), tuple(dict.fromkeys(clauses)))


def legal_reason(state: State, text: str) -> Reason:
    """The clauses of a legal decision."""
    after = state.play_decision(text)
    message = f"`{text}` is legal: the move `{kind_of(state, text)}`"
    if after.result is not None:
        message += f", and it ends the game ({after.result})"
    return Reason(text, True, message, None, (), tuple(clauses_of_last_decision(after)))


def kind_of(state: State, text: str) -> str:
    """The name of the move that a legal decision is."""
    return next((k for k, texts in state.by_kind().items() if text in texts), "none")


@define(eq=False)
class _Path:
    """A listener that keeps the tracepoints on the way to the branch that is being tried."""

    points: list[TracePoint] = field(factory=list)

    def __call__(self, point: TracePoint, value: Any, context: Context) -> None:
        """Append a point; a statement of a move first drops the points of earlier branches."""
        if point.owner.startswith("move "):
            for index, earlier in enumerate(self.points):
                if _forgotten(earlier, point):
                    del self.points[index:]
                    break
        self.points.append(point)


def _forgotten(earlier: TracePoint, now: TracePoint) -> bool:
    """Whether *earlier* belongs to another move, or stands at or behind *now* in the same one."""
    if earlier.owner == now.owner:
        return earlier.number >= now.number
    return earlier.owner.startswith("move ")


_TRACED: WeakKeyDictionary[ReferencePlay, tuple[ReferencePlay, Tracer]] = WeakKeyDictionary()


def traced_rules(game: Game) -> tuple[ReferencePlay, Tracer]:
    """The rules of a game with tracepoints, and their tracer; made once for a game."""
    if game.play not in _TRACED:
        rules, tracer = instrumented_rules(game.rules)
        _TRACED[game.play] = (ReferencePlay(rules), tracer)
    return _TRACED[game.play]


def clauses_of_last_decision(state: State) -> list[Clause]:
    """The clauses of the last decision, and the end rule that it met."""
    if state.before is None:
        return []
    rules = state.game.rules
    origins = [p.origin for p in statements_of_last_decision(state)]
    if state.position.ended is not None:
        origins.append(state.position.ended.origin)
    return [clause(rules, origin) for origin in dict.fromkeys(origins) if origin]


def statements_of_last_decision(state: State) -> list[TracePoint]:
    """The statements that the last decision went through, but for those that write it."""
    if state.before is None or state.move == NONE:
        return []
    play, tracer = traced_rules(state.game)
    path = _Path()
    tracer.listener = path
    try:
        decision = find(play, state.before.situation.position, state.move)
    finally:
        tracer.listener = None
    statements = (p for p in path.points if isinstance(p.node, r.Statement))
    acting = (p for p in statements if not isinstance(p.node, r.Write))
    return list(acting) if decision else []


_PREFIXES = 2_000
"""Beginnings of a turn that are looked at."""


def why_not(state: State, text: str) -> Reason:
    """Why *text*, a decision or a whole turn, is not legal in a state (or that it is)."""
    with suppress(MoveError):  # read as `--moves` is: a decision in any case, or a whole turn
        return _legal(state, text, state.play(text))
    if state.result is not None:
        return Reason(text, False, f"the game is over: {state.result}")
    reason = _forbidden(state, text)
    if reason is None and len(text.split()) > 1:
        return _in_sequence(state, text)
    if reason is None and state.turn_begins and state.game.rules.joined:
        reason = _in_turn(state, text)
    return reason or _unknown(state, text)


def _legal(state: State, text: str, end: State) -> Reason:
    last = end
    while last.before is not None and last.before is not state:
        last = last.before
    if last is end:
        return legal_reason(state, end.move)
    return turn_reason(text, end, len(end.decisions()) - len(state.decisions()))


def reason_of_forbidden(state: State, text: str, play: ReferencePlay) -> Reason:
    """Why a decision is not legal, of the moves as *play* has them."""
    return _forbidden(state, text, play) or _unknown(state, text)


def _forbidden(state: State, text: str, play: ReferencePlay | None = None) -> Reason | None:
    """Why a decision is not legal; None when no move is written so."""
    nearest = _nearest(state, text, range(len(state.game.rules.moves)), play or state.game.play)
    return nearest and _reason(state, text, *nearest)


def _nearest(
    state: State, text: str, numbers: Iterable[int], play: ReferencePlay
) -> tuple[int, list[BrokenClause]] | None:
    """Of the moves with these numbers the one nearest to legal, and the clauses that it breaks."""
    for wide in (False, True):
        candidates: list[tuple[int, list[BrokenClause]]] = []
        for number in numbers:
            context = play.context(state.situation.position)
            broken = Attempts(play, text, wide).move(number, context)
            if broken is not None:
                candidates.append((number, broken))
        if candidates:
            return min(candidates, key=lambda candidate: distance(candidate[1]))
    return None


# --- clicks ---

_NEIGHBOURS = 8
"""Sites beside the last click that are tried where a decision needs one more."""


def why_not_clicked(state: State, sites: tuple[int, ...]) -> Reason:
    """Why clicks on sites, in their order, mean no legal decision.

    The reason is that of the decision nearest to legal among those that the clicks could be written
    as; where all need another click, among those that go on to a site beside the last one; where
    there are none of these, the reason of the last click alone.
    """
    names = [state.game.rules.board.names[site] for site in sites]
    text = " ".join(names)
    if state.result is not None or not sites:
        return why_not(state, text)
    moves = _possible(state)
    near = [(*sites, site) for site in _beside(state, sites)]
    for ways, head in (([sites], ""), (near, f"nothing goes on from {text}: ")):
        decisions = [decision for way in ways for decision in _clicked_ways(state, way, moves)]
        if decisions:
            reason = _reason(state, *min(decisions, key=lambda decision: distance(decision[2])))
            return evolve(reason, message=head + reason.message)
    return why_not(state, text) if len(sites) == 1 else why_not_clicked(state, sites[-1:])


def _possible(state: State) -> list[int]:
    """The moves that the course of the turn offers now, whether they can be made or not."""
    offered: dict[int, None] = {}

    def note(number: int, _: Position) -> Iterator[LegalDecision]:
        offered[number] = None
        return iter(())

    play, position = state.game.play, state.situation.position
    for _ in play.listing(position, note, play.listing(position)).of(position.rest):
        pass
    return list(offered)


def _beside(state: State, sites: tuple[int, ...]) -> list[int]:
    """The sites nearest to the last of *sites*."""
    places = {spot.site: spot.place for spot in state.scene.spots}
    x, y = places[sites[-1]]
    others = [site for site in places if site not in sites]
    return sorted(others, key=lambda s: math.dist((x, y), places[s]))[:_NEIGHBOURS]


def _clicked_ways(
    state: State, sites: tuple[int, ...], moves: list[int]
) -> Iterator[tuple[str, int, list[BrokenClause]]]:
    """The decisions that clicks may mean, each with its move and the clauses that it breaks."""
    for number in moves:
        for text in dict.fromkeys(_clicked_texts(state, sites, state.game.rules.moves[number])):
            nearest = _nearest(state, text, (number,), state.game.play)
            if nearest is not None and nearest[1]:
                yield (text, *nearest)


def _clicked_texts(state: State, sites: tuple[int, ...], move: r.MoveKind) -> Iterator[str]:
    """The texts of a move whose clicks are on *sites*, as far as these alone tell them."""
    slots = list(click_names(move))
    context = state.game.play.context(state.situation.position)
    context.frame = [None] * move.slots
    for slot, site in zip(slots, sites, strict=False):
        context.frame[slot] = 1 << site
    writes = (
        [n for n in nodes(move.body) if isinstance(n, r.Write)] if len(slots) == len(sites) else ()
    )
    for text in (n for write in writes for n in nodes(write.notation) if isinstance(n, Text)):
        if {n.slot for n in nodes(text) if isinstance(n, Local)} <= {*slots}:
            yield state.game.play.effects.written(text, context, state.game.rules)


# --- several decisions ---


def _in_sequence(state: State, text: str) -> Reason:
    """The reason of the first that is not legal of several decisions or turns."""
    decisions: list[str] = []
    for part in text.split():
        try:
            state = state.play(part)
        except MoveError:
            return _after(text, decisions, why_not(state, part))
        decisions.append(part)
    raise AssertionError("all of it can be played")


def _after(text: str, decisions: list[str], reason: Reason) -> Reason:
    """Put the decisions before it in front of a reason: "after `a1 b2`: ..."."""
    before = f"after `{' '.join(decisions)}`: " if decisions else ""
    return evolve(reason, move=text, message=before + reason.message)


def _in_turn(state: State, text: str) -> Reason:
    """The reason of the first decision that is not legal, of several that are written together."""
    begun = list(_begun(state, text))
    least = min(len(rest) for _, rest in begun)
    deepest = [(here, rest) for here, rest in begun if len(rest) == least]
    for here, rest in deepest:
        decisions = here.decisions()[len(state.decisions()) :]
        if here.over or (decisions and here.turn_begins):
            whole = state.turn_text(decisions)
            return Reason(text, False, f"`{whole}` is a whole turn, and `{rest}` is left over")
        if not rest:
            return Reason(text, False, f"the turn goes on after `{text}`: {_forms(here)}")
        for length in range(len(rest), 0, -1):
            reason = _forbidden(here, rest[:length])
            if reason is not None:
                return _after(text, [d for d in decisions if d != NONE], reason)
    here, rest = deepest[-1] if least < len(text) else deepest[0]
    decisions = [d for d in here.decisions()[len(state.decisions()) :] if d != NONE]
    return _after(text, decisions, _unknown(here, rest))


def _unknown(state: State, text: str) -> Reason:
    return Reason(text, False, f"`{text}` is no move of {state.game.name}: {_forms(state)}")


def _begun(state: State, text: str) -> Iterator[tuple[State, str]]:
    """The states after a beginning of *text*, and what is left of it."""
    open_ = [(state, text)]
    for _ in range(_PREFIXES):
        if not open_:
            return
        here, rest = open_.pop(0)
        yield here, rest
        if here.over or (here is not state and here.turn_begins):
            continue
        for move in here.moves.texts:
            move_text = "" if move == NONE else move
            if rest.casefold().startswith(move_text.casefold()):
                open_.append((here.play_decision(move), rest[len(move_text) :]))


# --- messages ---


def _forms(state: State) -> str:
    """Examples of how moves are written: one of each kind here, and the notation of others."""
    rules, kinds = state.game.rules, state.by_kind()
    forms = [f"`{texts[0]}` ({kind})" for kind, texts in kinds.items()]
    for move in rules.moves:
        lines = [s.origin for s in move.body if isinstance(s, r.Write)]
        text = rules.origins[lines[0]].text if lines else ""
        if move.name not in kinds and text.startswith("write "):
            forms.append(f"{text} ({move.name})")
    begins = rules.joined and state.turn_begins and not rules.has_secrets  # one shows what comes
    whole = f"; a whole turn like {_whole(state)}" if begins else ""
    return f"moves are written like {', '.join(forms)}{whole}"


def _whole(state: State) -> str:
    """A turn of as few decisions as can be, and one of as many."""
    turns = dict.fromkeys(_example(state, passing) for passing in (False, True))
    return " or ".join(f"`{turn}`" for turn in turns)


def _example(start: State, passing: bool) -> str:
    """A turn that does (or does not) what need not be done."""
    state, decisions = start, list[str]()
    while not state.over and (state is start or not state.turn_begins):
        moves = state.moves.texts
        decisions.append(next((m for m in moves if (m == NONE) is not passing), moves[0]))
        state = state.play_decision(decisions[-1])
    return start.turn_text(decisions)


def _reason(state: State, text: str, number: int, broken: list[BrokenClause]) -> Reason:
    rules = state.game.rules
    name = rules.moves[number].name
    if not broken:
        return _not_its_turn(state, text, number)
    first, *rest = broken
    message = f"`{text}` would be the move `{name}`, but {first.message}:"
    others = tuple(dict.fromkeys(clause(rules, b.origin) for b in rest))
    words = rules.origins[first.origin].about or _refusal(state.game, name)
    return Reason(text, False, message, clause(rules, first.origin), first.values, others, words)


def _sentence(words: str) -> str:
    """Words with a capital and a full stop."""
    return f"{words[:1].upper()}{words[1:]}".rstrip(".!?") + (
        words[-1:] if words[-1:] in "!?" else "."
    )


def _refusal(game: Game, move: str) -> str:
    """What the look of a game says of forbidden decisions of a move; empty without one."""
    with suppress(RulewrightError):
        layers = load_look(game).layers
        return next((k.refusals[move] for k in reversed(layers) if move in k.refusals), "")
    return ""


def _not_its_turn(state: State, text: str, number: int) -> Reason:
    """The move itself is possible: the course of the turn has something else here."""
    rules, position = state.game.rules, state.situation.position
    rest = course_text(position.rest, rules)
    name = rules.moves[number].name
    now = ", ".join(state.by_kind())
    reason = f"now comes {now}" if _holds(position.rest, number) else f"left is `{rest}`"
    message = f"`{text}` would be the move `{name}`, which the turn does not offer here: {reason}"
    return Reason(text, False, message, clause(rules, rules.turn) if rules.turn else None)


def _holds(course: Course, number: int) -> bool:
    """Whether a course mentions a move."""
    match course:
        case r.OneMove(move):
            return move == number
        case r.InOrder(items) | r.Either(items):
            return any(_holds(i, number) for i in items)
        case r.Otherwise(first, second):
            return _holds(first, number) or _holds(second, number)
        case r.Maybe(item) | r.While(item) | r.Longest(item):
            return _holds(item, number)
