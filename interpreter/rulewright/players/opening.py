"""First decisions: those of a book, random or given ones, or what lines of the evaluator say.

In: a personality, its evaluator and a state with its history.  Out: a decision and the line that
said it, or None where the opening is over and the search decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, pairwise
from random import Random

from attrs import frozen

from rulewright.errors import MoveError
from rulewright.games.engine.game import State
from rulewright.games.engine.moves import Move
from rulewright.model.board import Mask, bits
from rulewright.model.evaluation import REMEMBERED, OpeningLine
from rulewright.model.expressions import Local, Type
from rulewright.model.personality import Personality
from rulewright.model.rules import Choose, ChooseRay
from rulewright.model.walk import nodes
from rulewright.players.book import book_choices
from rulewright.players.choose import one_of
from rulewright.reference.evaluate import evaluate
from rulewright.reference.evaluation import StaticEvaluator
from rulewright.search.results import person


@frozen
class OpeningDecision:
    """A first decision, the line of the evaluator that says it, and the decisions it leaves."""

    move: str
    line: str = ""
    among: tuple[str, ...] = ()


def opening_decision(
    model: Personality, judge: StaticEvaluator | None, state: State, random: Random
) -> OpeningDecision | None:
    """The decision that the opening says; a given turn that is not legal ends it."""
    opening = model.opening
    book = book_choices(opening.book, state) if opening.book else {}
    if book:
        return OpeningDecision(_weighed(book, model.ties, random), "book", tuple(book))
    if opening.random or opening.turns:
        return _decision_by_turns(model, state, random)
    for name in opening.lines if judge is not None else ():
        assert judge is not None
        line = judge.evaluator.opening(name)
        if line is None or (line.chance < 1 and random.random() >= line.chance):
            continue  # a line without chance draws none
        moves = line_decisions(line, judge, model, state)
        if moves:
            return OpeningDecision(one_of(moves, random), name, tuple(moves))
    return None


def _weighed(choices: Mapping[str, int], ties: str, random: Random) -> str:
    """Return one of some decisions, as often as its weight; the heaviest where `ties first`."""
    if ties == "first":
        return max(choices, key=choices.__getitem__)
    return random.choices(list(choices), list(choices.values()))[0]


def _decision_by_turns(model: Personality, state: State, random: Random) -> OpeningDecision | None:
    """Return the decision that an opening of counted turns prescribes, random or listed."""
    opening, turns = model.opening, _own_turns(state)
    unseen = _own_turns_before(state)
    if len(turns) + unseen <= opening.random:
        return OpeningDecision(one_of(state.moves.texts, random))
    if unseen or len(turns) > len(opening.turns):
        return None
    plan = [
        _turn_decisions(start, text) for (start, _), text in zip(turns, opening.turns, strict=False)
    ]
    past = [decisions for _, decisions in turns]
    if past[:-1] != plan[:-1] or plan[-1][: len(past[-1])] != past[-1]:
        return None
    next_decisions = plan[-1][len(past[-1]) :]
    return OpeningDecision(next_decisions[0]) if next_decisions else None


# --- lines of the evaluator ---


def line_decisions(
    line: OpeningLine, judge: StaticEvaluator, model: Personality, state: State
) -> list[str]:
    """The decisions that a line leaves, in reading order; none where it says nothing."""
    position = state.situation.position
    c = judge.context(position, position.mover, model.factors, Random(0))
    c.frame = [None] * line.slots
    asks_last = any(isinstance(n, Local) and n.slot < line.last for n in nodes(line.condition))
    if not asks_last and not evaluate(line.condition, c):  # before the game is gone back
        return []
    last = last_sites(state, line.last)
    if len(last) < line.last:
        return []
    c.frame = [*last] + [None] * (line.slots - line.last)
    if asks_last and not evaluate(line.condition, c):
        return []
    name = state.game.rules.moves[line.move].name
    legal = [move for move in state.moves if move.name == name]
    if not line.sets:
        return [move.text for move in legal]
    sites = {move.text: _site(state, move) for move in legal}
    for domain in line.sets:
        mask = evaluate(domain, c)
        decisions = [text for text, site in sites.items() if site is not None and site & mask]
        if decisions:
            return decisions
    return []


def last_sites(state: State, number: int) -> list[Mask]:
    """The sites of the last *number* decisions that chose any, the last first; or of fewer."""
    steps = pairwise(reversed(list(state.states()))) if number else iter(())
    moves = (before.moves.find(after.move) for after, before in steps)
    sites = (_site(state, move) for move in moves if move is not None)
    return list(islice((site for site in sites if site is not None), number))


def remembered_sites(state: State) -> tuple[int, ...]:
    """The numbers of these sites, as many as replies may ask for; -1 where there are fewer."""
    numbers = [site.bit_length() - 1 for site in last_sites(state, REMEMBERED)]
    return (*numbers, *[-1] * (REMEMBERED - len(numbers)))


def _site(state: State, move: Move) -> Mask | None:
    """The site that a decision chose, of several the last one; None where it chose none."""
    rules, names = state.game.rules, list[str]()
    for statement in next((kind.body for kind in rules.moves if kind.name == move.name), ()):
        if isinstance(statement, Choose) and statement.domain.type is Type.SITES:
            names.append(statement.name)
        elif isinstance(statement, ChooseRay):
            names += statement.names
    value = move.choices[names[-1]] if names else None
    if not isinstance(value, str):
        return None
    at = next((i for i in bits(rules.board.sites) if rules.board.names[i] == value), None)
    return None if at is None else 1 << at


# --- counted turns ---


def _own_turns(state: State) -> list[tuple[State, list[str]]]:
    """The turns of whoever is to move, each with its start; the last is the one under way."""
    player, turns = person(state), list[tuple[State, list[str]]]()
    for before, after in pairwise(state.states()):
        if person(before) == player:
            if before.turn_begins or not turns:
                turns.append((before, []))
            turns[-1][1].append(after.move)
    if state.turn_begins or not turns:
        turns.append((state, []))
    return turns


def _own_turns_before(state: State) -> int:
    """How many turns of whoever is to move lie before the first state, which may be any."""
    first = state.states()[0]
    return (first.ply + (person(state) != person(first))) // 2


def _turn_decisions(start: State, text: str) -> list[str]:
    """The decisions of a turn that is written as *text*; none when it cannot be played."""
    try:
        return start.play(text).decisions()[len(start.decisions()) :]
    except MoveError:
        return []
