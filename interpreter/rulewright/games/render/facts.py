"""The states of a position that are to be seen, and the values of states as texts.

In: the rules in motion, a position.  Out: facts of a scene.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.errors import Fault
from rulewright.games.render.scene import Fact
from rulewright.model import expressions as m
from rulewright.model.board import bits
from rulewright.model.expressions import Type, Value
from rulewright.model.rules import Rules, StateVariable
from rulewright.model.walk import reachable_nodes
from rulewright.reference.evaluate import evaluate
from rulewright.reference.play import ReferencePlay
from rulewright.reference.position import Position

HIDDEN = "?"
"""Stands for a value that is not seen."""


def facts_of(
    play: ReferencePlay,
    position: Position,
    looked_at: frozenset[int],
    hidden: frozenset[tuple[int, int]] = frozenset(),
) -> Iterator[Fact]:
    """The states that a player must see.

    *looked_at* are those that an end rule looks at; *hidden* are not seen, each with its player.
    """
    rules = play.rules
    states = zip(rules.states, position.states, play.first.states, strict=True)
    for number, (state, values, first) in enumerate(states):
        if state.within_turn or state.unseen:
            continue
        if state.each:
            texts = (
                HIDDEN if (number, player) in hidden else value_text(rules, state, value)
                for player, value in enumerate(values)
            )  # fmt: skip
            yield Fact(state.name, tuple(texts))
        elif (number, 0) not in hidden and number in looked_at and values != first:
            yield Fact(state.name, (value_text(rules, state, values[0]),))
    if not rules.has_secrets:  # what it would be belongs to those who see everything
        yield from _score(play, position)


def read_by_ends(rules: Rules) -> frozenset[int]:
    """The states that an end rule looks at, itself or in a definition."""
    conditions = [end.condition for end in rules.ends]
    read = reachable_nodes(conditions, rules.functions)
    return frozenset(node.index for node in read if isinstance(node, m.StateValue))


def _score(play: ReferencePlay, position: Position) -> Iterator[Fact]:
    """By how much the first player would win or lose, were the score taken now."""
    score = next((end.score for end in play.rules.ends if end.score is not None), None)
    if score is None:
        return
    try:
        value = evaluate(score, play.context(position, 0))
    except Fault:
        return  # rules need not have a score before the end
    leader = play.rules.players[0 if value >= 0 else 1]
    yield Fact("score", (f"{leader} +{abs(value)}" if value else "even",))


def value_text(rules: Rules, state: StateVariable, value: Value) -> str:
    """A state's value as texts of positions write it; of a table the entries that are not 0."""
    type_ = state.type
    if isinstance(value, tuple):
        entries = [(at, value[state.place(at)]) for at in state.entry_places()]
        shown = (f"{rules.entry_name(state, at)}={_plain(v)}" for at, v in entries if v)
        return " ".join(shown) or "none"
    if type_ is Type.TRUTH:
        return "yes" if value else "no"
    if type_ is Type.SITES:
        assert isinstance(value, int)
        return "+".join(rules.board.names[s] for s in bits(value)) or "nowhere"
    return str(value)


def _plain(value: Value) -> str:
    return "yes" if value is True else str(value)
