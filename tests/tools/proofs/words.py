"""Words that lead a proof and are right: written from what is known of a small game by force.

In: a graph.  Out: texts of an evaluator and a personality whose `decided`, `drawn`, `hopeless` and
`must` say of some positions what is true of them.  A position is told by its pieces as who is at
move sees them; a word is said of pieces only where it is true of every position that has them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from random import Random

from attrs import frozen

from rulewright.model import rules as r
from rulewright.model.board import bits
from rulewright.model.expressions import Type
from tests.tools.proofs.force import DRAW, LOSS, WIN, Graph, Node

MOST = 5
"""Pieces of which one word is said."""
WORDS = ("decided", "drawn", "hopeless", "must")


@frozen
class Led:
    """The texts of an evaluator and of a personality that uses it."""

    evaluator: str
    personality: str


def led(game: str, rules: r.Rules, graph: Graph, random: Random) -> Led | None:
    """Right words about some positions; None where nothing can be said."""
    groups = dict[Hashable, list[int]]()
    for number, node in enumerate(graph.nodes):
        if node.situation.ended is None:  # who is stuck is asked about, too
            groups.setdefault(_pieces(node), []).append(number)
    lines, used = ["value plain of position for mover = 0"], list[str]()
    for word, says in (("decided", _decided), ("drawn", _drawn), ("hopeless", _hopeless)):
        told = [(graph.nodes[numbers[0]], says(graph, numbers)) for numbers in groups.values()]
        known = [(node, value) for node, value in told if value]
        if known and random.random() < 0.7:
            some = random.sample(known, min(MOST, len(known)))
            value = "".join(f"{n} if {_condition(node, rules)} else " for node, n in some)
            lines.append(f"value {word}_known of position for mover = {value}0")
            used.append(f"{word} {word}_known")
    musts = _musts(rules, graph, list(groups.values()), random)
    if musts:
        lines.append(musts)
        used.append("must needed")
    if not used:
        return None
    evaluator = f"format 1\nevaluator known for {game}\n" + "\n".join(lines) + "\n"
    head = f"format 1\npersonality knowing for {game}\nuse known\nsearch alphabeta, depth 60\n"
    head += "pick best plain\n"
    return Led(evaluator, head + "\n".join(used) + "\n")


# --- what is true of all positions with the same pieces ---


def _decided(graph: Graph, numbers: Iterable[int]) -> int:
    values = {graph.truth(n).value for n in numbers}
    return {WIN: 1, LOSS: -1}.get(values.pop() or 0, 0) if len(values) == 1 else 0


def _drawn(graph: Graph, numbers: Iterable[int]) -> int:
    return int(all(
        graph.truth(n).value == DRAW and not any(n in graph.open[who] for who in (0, 1))
        for n in numbers
    ))  # fmt: skip


def _hopeless(graph: Graph, numbers: list[int]) -> int:
    """Who can no longer win: 1 the player at move, -1 the other one, 0 neither or both."""
    me = all(n not in graph.open[graph.nodes[n].person] for n in numbers)
    other = all(n not in graph.open[1 - graph.nodes[n].person] for n in numbers)
    return int(me) - int(other)


def _musts(rules: r.Rules, graph: Graph, groups: list[list[int]], random: Random) -> str:
    """A value of one move that keeps a best decision, in some positions."""
    found = dict[int, list[str]]()
    for numbers in random.sample(groups, len(groups)):
        if len(numbers) == 1 and sum(map(len, found.values())) < MOST:
            kept = _kept(rules, graph, numbers[0])
            if kept is not None:
                found.setdefault(kept[0], []).append(kept[1])
    if not found:
        return ""
    move, conditions = max(found.items(), key=lambda item: len(item[1]))
    value = "".join(f"1 if {condition} else " for condition in conditions)
    return f"value needed of move {rules.moves[move].name} for mover = {value}0"


def _kept(rules: r.Rules, graph: Graph, number: int) -> tuple[int, str] | None:
    """A move and a condition of what it chooses, which holds for a decision that is best."""
    node, truth = graph.nodes[number], graph.truth(number)
    if truth.value is None:
        return None
    for option, after in zip(node.situation.options, node.following, strict=False):
        if option.move is None or value_for(graph, after, node.person) != truth.value:
            continue
        site = _site(rules.moves[option.move])
        if site is not None:
            mask = option.frame[site[1]]
            assert isinstance(mask, int)
            return option.move, f"{site[0]} = {_sites(mask, rules)} and {_condition(node, rules)}"
    return None


def value_for(graph: Graph, number: int, who: int) -> int | None:
    """What is forced in a position, for a person."""
    node = graph.nodes[number]
    if node.winner is not None:
        return DRAW if node.winner < 0 else WIN if node.winner == who else LOSS
    value = graph.truth(number).value
    return value if value is None or node.person == who else -value


def _site(move: r.MoveKind) -> tuple[str, int] | None:
    """The name and the slot of a site that a move chooses."""
    choices = (s for s in move.body if isinstance(s, r.Choose))
    sites = (s for s in choices if s.domain.type in (Type.SITE, Type.SITES))
    return next(((s.name, s.slot) for s in sites), None)


# --- pieces ---


def _pieces(node: Node) -> Hashable:
    """The pieces of a position as who is at move sees them."""
    position = node.situation.position
    first, second, nobody = position.owned
    own, enemy = (first, second) if position.mover == 0 else (second, first)
    return own, enemy, nobody, position.kinds


def _condition(node: Node, rules: r.Rules) -> str:
    position = node.situation.position
    own, enemy = position.owned[position.mover], position.owned[1 - position.mover]
    parts = [("own", own), ("enemy", enemy), ("full", position.full)]
    pairs = zip(rules.kinds, position.kinds, strict=True)
    kinds = [(f"(full {kind.name})", mask) for kind, mask in pairs]
    told = [f"{name} = {_sites(mask, rules)}" for name, mask in (*parts, *kinds)]
    return " and ".join(told)


def _sites(mask: int, rules: r.Rules) -> str:
    names = [rules.board.names[site] for site in bits(mask)]
    return f"({' or '.join(names)})" if names else "nowhere"
