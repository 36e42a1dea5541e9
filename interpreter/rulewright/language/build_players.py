"""From reductions of the grammar to the nodes of evaluators and personalities.

One method a rule, as in `build.py`, which builds their expressions too.
"""

from __future__ import annotations

from typing import Any

from rulewright.language import syntax
from rulewright.language.build import (
    Children,
    Effects,
    Expressions,
    is_token,
    make,
    name_of,
    names_of,
    nodes_of,
    number_of,
)


def _optional(child: Any) -> syntax.Name | None:
    return name_of(child) if child is not None else None


def _text(child: Any) -> str:
    text: str = child.value[1:-1]
    return text


class Quantities(Expressions):
    """What both languages have: heads, and numbers with a sign and a unit."""

    def item(self, c: Children) -> Any:
        return c[0]

    def untested(self, c: Children) -> syntax.Untested:
        return make(syntax.Untested, c, name_of(c[1]), _text(c[2]))

    def format(self, c: Children) -> syntax.Format:
        return make(syntax.Format, c, number_of(c[1]))

    def quantity(self, c: Children) -> syntax.Quantity:
        text, minus = c[-1].value, c[0] is not None
        percent = text.endswith("%")
        digits = text.rstrip("%")
        value: int | float = float(digits) if "." in digits else int(digits[:25])
        value = value / 100 if percent else value
        return make(syntax.Quantity, c, -value if minus else value, percent)

    cell = quantity


class Evaluators(Quantities, Effects):
    """All rules of `evaluator.lark`."""

    def evaluator(self, c: Children) -> syntax.EvaluatorName:
        return make(syntax.EvaluatorName, c, name_of(c[1]), name_of(c[3]))

    def use(self, c: Children) -> syntax.Use:
        return make(syntax.Use, c, names_of(c[1:]))

    def factor(self, c: Children) -> syntax.Factor:
        _, name, _, default, unit, _, low, _, high, _, search, meaning = c
        head = name_of(name), default, _optional(unit), low, high
        return make(syntax.Factor, c, *head, search is not None, _text(meaning))

    def table(self, c: Children) -> syntax.Table:
        return make(syntax.Table, c, name_of(c[1]), _optional(c[4]) if c[2] else None)

    def scan(self, c: Children) -> syntax.Scan:
        return make(syntax.Scan, c, *c[1])

    def path(self, c: Children) -> Any:
        return make(syntax.CheapestPath, c, name_of(c[1]))

    def value_of_position(self, c: Children) -> syntax.ValueOf:
        return make(syntax.ValueOf, c, _optional(c[1]), (), name_of(c[5]), nodes_of(c[6:]))

    def value_of_move(self, c: Children) -> syntax.ValueOf:
        where = next(i for i, child in enumerate(c) if is_token(child, "FOR"))
        parts = nodes_of(c[where + 2 :])
        moves = names_of(c[4:where])
        return make(syntax.ValueOf, c, _optional(c[1]), moves, name_of(c[where + 1]), parts)

    def claim_start(self, c: Children) -> Any:
        return make(syntax.ClaimAfter, c, "", c[2])

    def claim_after(self, c: Children) -> syntax.ClaimAfter:
        return make(syntax.ClaimAfter, c, _text(c[2]), c[3])

    def claim_law(self, c: Children) -> syntax.Claim:
        return make(syntax.Claim, c, "antisymmetric", None, None)

    def claim_symmetric(self, c: Children) -> syntax.Claim:
        swap = c[4] is not None
        return make(syntax.Claim, c, "symmetric", name_of(c[3]), None, (), swap)

    # lines of blocks

    def row(self, c: Children) -> syntax.Row:
        return make(syntax.Row, c[:-1], nodes_of(c))

    def watch(self, c: Children) -> syntax.Node:
        node: syntax.Node = c[0]
        return node

    deed = road = watch

    def register(self, c: Children) -> syntax.Register:
        return make(syntax.Register, c, name_of(c[1]), c[3])

    def reaction(self, c: Children) -> syntax.Reaction:
        return make(syntax.Reaction, c, c[1])

    def give(self, c: Children) -> syntax.Give:
        return make(syntax.Give, c, c[1])

    def assign(self, c: Children) -> syntax.Assign:
        return make(syntax.Assign, c, name_of(c[0]), None, c[2])

    def stop(self, c: Children) -> syntax.Stop:
        return make(syntax.Stop, c)

    def source(self, c: Children) -> syntax.PathFrom:
        return make(syntax.PathFrom, c, c[1], c[3])

    def target(self, c: Children) -> syntax.PathTo:
        return make(syntax.PathTo, c, c[1])

    def step(self, c: Children) -> syntax.PathStep:
        _, steps, _, first, _, second, _, into, _, condition, _, cost = c
        names = _optional(first), _optional(second)
        return make(syntax.PathStep, c, steps, *names, into, condition, cost)

    def otherwise(self, c: Children) -> syntax.PathElse:
        return make(syntax.PathElse, c, c[1])

    def hole(self, c: Children) -> syntax.Expr:
        inside: syntax.Expr = c[0]
        return inside


class Personalities(Quantities):
    """All rules of `personality.lark`."""

    def personality(self, c: Children) -> syntax.PersonalityName:
        return make(syntax.PersonalityName, c, name_of(c[1]), name_of(c[3]))

    def extends(self, c: Children) -> syntax.Extends:
        return make(syntax.Extends, c, name_of(c[1]))

    def use(self, c: Children) -> syntax.Use:
        return make(syntax.Use, c, (name_of(c[1]),))

    def setting(self, c: Children) -> syntax.Setting:
        return make(syntax.Setting, c, name_of(c[0]), c[2], _optional(c[3]))

    def search(self, c: Children) -> syntax.Search:
        return make(syntax.Search, c, name_of(c[1]), nodes_of(c))

    def limit(self, c: Children) -> syntax.Limit:
        value = name_of(c[1]) if is_token(c[1], "NAME") else c[1]
        return make(syntax.Limit, c, name_of(c[0]), value, _optional(c[2]))

    def consider(self, c: Children) -> syntax.Consider:
        otherwise = _optional(c[6])
        return make(syntax.Consider, c, name_of(c[1]), name_of(c[2]), c[4], otherwise)

    def pick_best(self, c: Children) -> syntax.PickBest:
        if c[3] is None:
            return make(syntax.PickBest, c, _optional(c[2]), None, "", None)
        second = name_of(c[6]) if is_token(c[6], "NAME") else c[6]
        fields = (_optional(c[2]), name_of(c[4]), c[5].value, second)
        return make(syntax.PickBest, c, *fields)

    def pick_any(self, c: Children) -> syntax.PickAny:
        return make(syntax.PickAny, c, name_of(c[1]))

    def prefer(self, c: Children) -> syntax.Prefer:
        return make(syntax.Prefer, c, names_of(c[1:]))

    def ties(self, c: Children) -> syntax.Ties:
        return make(syntax.Ties, c, name_of(c[1]))

    def opening_random(self, c: Children) -> syntax.OpeningRandom:
        return make(syntax.OpeningRandom, c, name_of(c[1]), c[2], name_of(c[3]))

    def opening_moves(self, c: Children) -> syntax.OpeningMoves:
        turns = tuple(_text(t) for t in c if is_token(t, "STRING"))
        return make(syntax.OpeningMoves, c, turns)
