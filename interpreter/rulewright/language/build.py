"""From reductions of the grammars to syntax nodes.

In: what a rule matched, in order: tokens, finished nodes, None for an optional part that is absent.
Out: the node.  Refuses expressions nested deeper than `limits.DEPTH`, so that no later stage needs
to count levels.

Most rules are rows of a table (`node_rows.py`).  What no row can say has a method.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from rulewright.language import syntax
from rulewright.language.node_rows import (
    RULES,
    SHARED,
    Children,
    Rows,
    TextParser,
    built_by,
    depth_of,
    field_of,
    has_word,
    is_token,
    make,
    name_of,
    names_in,
    nodes_in,
    options_in,
    span_of,
    texts_in,
    whole_count,
)


class NodeBuilder:
    """Builds the nodes of one language; the parser asks for the function of each rule by name."""

    rows: ClassVar[Rows] = SHARED

    def __init__(self, text: TextParser) -> None:
        self._text = text

    def __getattr__(self, rule: str) -> Callable[[Children], Any]:
        if rule in self.rows:
            return partial(built_by, self.rows[rule])
        raise AttributeError(rule)

    # --- expressions ---

    def text(self, c: Children) -> syntax.Text:
        return make(syntax.Text, c, self._text(c[0]))

    def call(self, c: Children) -> syntax.Call:
        arguments, body = c[1] or ((), None)
        return make(syntax.Call, c, name_of(c[0]), arguments, body)

    def arguments(self, c: Children) -> tuple[tuple[syntax.Expr, ...], syntax.Expr | None]:
        return nodes_in(c[:-1]), c[-1]

    def either(self, c: Children) -> syntax.Many:
        return self._many("or", c, [c[0], c[2]])

    def both(self, c: Children) -> syntax.Many:
        return self._many("and", c, [c[0], c[2]])

    def adjoined(self, c: Children) -> syntax.Expr:
        return self._many("&", c, c) if len(c) > 1 else c[0]

    def _many(self, sign: str, c: Children, items: list[syntax.Expr]) -> syntax.Many:
        first = items[0]
        if isinstance(first, syntax.Many) and first.sign == sign:
            joined = (*first.items, *items[1:])  # `a or b or c` is one node, not a staircase
            depth = max(first.depth, 1 + depth_of(items[1:]))
            return syntax.Many(sign, joined, span=span_of(c), depth=depth)
        return make(syntax.Many, c, sign, tuple(items))

    def repeat(self, c: Children) -> syntax.Repeated:
        times = c[2] if len(c) > 2 else None
        return make(syntax.Repeated, c, c[0], c[1].value, times)

    def place(self, c: Children) -> tuple[bool, syntax.Name]:
        return len(c) == 1, name_of(c[-1])

    # --- what rules and evaluators share ---

    def signature(self, c: Children) -> tuple[syntax.Name, tuple[syntax.Name, ...]]:
        return name_of(c[0]), names_in(c[1:])

    def let(self, c: Children) -> syntax.Let:
        return make(syntax.Let, c, *c[1], field_of(c[3]), c[-1])

    def branch(self, c: Children) -> syntax.If:
        word = " ".join(t.value for t in c if is_token(t, "IF", "ELSE"))
        nodes = nodes_in(c)
        return make(syntax.If, c, word, nodes[0] if nodes else None)

    # --- numbers of evaluators and personalities ---

    def quantity(self, c: Children) -> syntax.Quantity:
        text, minus = c[-1].value, c[0] is not None
        percent = text.endswith("%")
        digits = text.rstrip("%")
        value: int | float = float(digits) if "." in digits else int(digits[:25])
        value = value / 100 if percent else value
        return make(syntax.Quantity, c, -value if minus else value, percent)

    cell = quantity


class RulesBuilder(NodeBuilder):
    """Builds rules."""

    rows = RULES

    def path(self, c: Children) -> syntax.BoardLine:
        names = names_in(c)
        if not has_word("COLON")(c):
            return make(syntax.BoardLine, c[:-1], None, None, names)
        player = names[1] if has_word("FOR")(c) else None
        return make(syntax.BoardLine, c[:-1], names[0], player, names[1 + bool(player) :])

    def state(self, c: Children) -> syntax.StateVariable:
        equal = next(i for i, child in enumerate(c) if is_token(child, "EQUAL"))
        each, (value, *ends) = has_word("EACH")(c), nodes_in(c[equal:])
        tail = (has_word(word)(c) for word in ("WITH", "WITHIN", "UNSEEN", "HIDDEN"))
        range_ = ends[0] if ends else None
        indices = nodes_in(c[:equal])
        return make(
            syntax.StateVariable,
            c,
            name_of(c[1]),
            each,
            indices,
            value,
            range_,
            *tail,
        )

    def index(self, c: Children) -> syntax.StateIndex:
        name = name_of(c[0]) if len(c) > 1 else None
        return make(syntax.StateIndex, c, name, c[2] if name else None)

    def place_of(self, c: Children) -> tuple[syntax.Name, tuple[syntax.Expr, ...]]:
        return name_of(c[0]), c[1][0] if len(c) > 1 else ()

    def assign(self, c: Children) -> syntax.Assign:
        return make(syntax.Assign, c, *c[0], field_of(c[2]), c[-1])

    def action(self, c: Children) -> syntax.Action:
        return make(syntax.Action, c, *c[1])

    def end(self, c: Children) -> syntax.End:
        score = c[1] if c[0].type == "SCORE" else None
        after_turn = any(is_token(child, "AFTER") for child in c)
        return make(syntax.End, c, c[0].value, score, c[-1], after_turn)

    def claimed_draw(self, c: Children) -> syntax.End:
        return make(syntax.End, c, "claim", None, c[-1])

    def often(self, c: Children) -> syntax.Course:
        sign = "".join(t.value for t in c[1:])
        return make(syntax.Often, c, c[0], sign) if sign else c[0]

    def choose_ray(self, c: Children) -> syntax.ChooseRay:
        return make(syntax.ChooseRay, c, make(syntax.Ray, c[1:], c[3], c[5], c[7]))

    def perform(self, c: Children) -> syntax.Perform:
        return make(syntax.Perform, c, field_of(c[0]), self.call(c[1:]))

    def left_out(self, c: Children) -> syntax.LeftOut:
        name = field_of(c[0]) if is_token(c[0], "NAME") else None
        return make(syntax.LeftOut, c, name, c[0].value)

    def claim_after(self, c: Children) -> syntax.Claim:
        (moves,) = texts_in(c)
        return make(syntax.Claim, c, "after", None, c[-1], (), False, None, options_in(c), moves)

    def claim_illegal(self, c: Children) -> syntax.Claim:
        decision, moves = (*texts_in(c), "")[:2]
        head = "illegal", None, None
        return make(syntax.Claim, c, *head, (), False, None, options_in(c), moves, decision)

    def claim_wins(self, c: Children) -> syntax.Claim:
        moves = (*texts_in(c), "")[0]
        head = "wins", name_of(c[1]), None
        return make(syntax.Claim, c, *head, (), False, name_of(c[2]), options_in(c), moves)

    def claim_perft(self, c: Children) -> syntax.Claim:
        numbers = tuple(whole_count(t) for t in c if is_token(t, "NUMBER"))
        return make(syntax.Claim, c, "perft", field_of(c[3]), None, numbers)
