"""What a rule of a grammar becomes: a table of rows, and what may stand in a row.

In: what a rule matched, in order: tokens, finished nodes, None for an optional part that is absent.
Out: the node of a row, and for each of its fields the number of the child that it is, a constant,
or a function of all children.  Refuses expressions nested deeper than `limits.DEPTH`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from rulewright.ground import limits
from rulewright.language import syntax
from rulewright.language.source import Span

N = TypeVar("N", bound=syntax.Node)


class Lexeme(Protocol):
    """The fields of a token that the builder reads."""

    type: str
    value: str
    start_pos: int | None
    end_pos: int | None


class TooDeep(Exception):
    """An expression is nested deeper than the limit."""

    def __init__(self, span: Span) -> None:
        self.span = span
        super().__init__("too deep")


Child = Any  # a Lexeme, a node, a tuple of nodes, or None: the grammar says which
Children = list[Child]
TextParser = Callable[[Lexeme], tuple["str | syntax.Expr", ...]]
Rows = Mapping[str, Any]


def make(node: type[N], children: Sequence[Child], *fields: Any) -> N:
    """A node over *children*, one level deeper than the deepest of them."""
    span, depth = span_of(children), 1 + depth_of(children)
    if depth > limits.DEPTH:
        raise TooDeep(span)
    return node(*fields, span=span, depth=depth)


def span_of(children: Iterable[Child]) -> Span:
    """From the first token among *children* to the last."""
    spans = [s for c in children if c is not None for s in _spans(c)]
    return Span(min(s.start for s in spans), max(s.end for s in spans))


def _spans(child: Child) -> list[Span]:
    if isinstance(child, syntax.Node):
        return [child.span]
    if isinstance(child, tuple):
        return [s for c in child if c is not None and not isinstance(c, bool) for s in _spans(c)]
    return [Span(child.start_pos, child.end_pos)]


def depth_of(children: Iterable[Child]) -> int:
    """The levels of what is nested in some children; raises `TooDeep`."""
    deepest = 0
    for child in children:
        if isinstance(child, syntax.Node):
            deepest = max(deepest, child.depth)
        elif isinstance(child, tuple):
            deepest = max(deepest, depth_of(child))
    return deepest


def is_token(child: Child, *types: str) -> bool:
    """Whether *child* is a token of one of *types*."""
    return getattr(child, "type", None) in types


def field_of(child: Child) -> Any:
    """The value of a child as a field: a name, a number, the inside of a text, or itself."""
    if is_token(child, "NAME", "CALL"):
        return name_of(child)
    if is_token(child, "NUMBER"):
        value: int | float = float(child.value) if "." in child.value else int(child.value[:25])
        return make(syntax.Number, [child], value)
    return child.value[1:-1] if is_token(child, "STRING") else child


def name_of(token: Lexeme) -> syntax.Name:
    """The name that *token* is; of a call without its bracket."""
    text = token.value[:-1] if token.type == "CALL" else token.value
    assert token.start_pos is not None
    return syntax.Name(text, span=Span(token.start_pos, token.start_pos + len(text)))


def names_in(children: Iterable[Child]) -> tuple[syntax.Name, ...]:
    """The names among some children."""
    return tuple(name_of(c) for c in children if is_token(c, "NAME"))


def nodes_in(children: Iterable[Child]) -> tuple[Any, ...]:
    """The nodes among some children."""
    return tuple(c for c in children if isinstance(c, syntax.Node))


def texts_in(children: Iterable[Child]) -> tuple[str, ...]:
    """The texts among some children."""
    return tuple(field_of(c) for c in children if is_token(c, "STRING"))


def counts_in(children: Iterable[Child]) -> tuple[int, ...]:
    """The counts among some children."""
    return tuple(whole_count(c) for c in children if is_token(c, "NUMBER"))


def options_in(children: Iterable[Child]) -> tuple[syntax.WithOption, ...]:
    """The settings of options among some children."""
    return tuple(c for c in children if isinstance(c, syntax.WithOption))


def whole_count(token: Lexeme) -> int:
    """A count; -1, which is none, for a fraction and for what no engine will ever count."""
    digits = token.value
    return -1 if "." in digits or len(digits) > 18 else int(digits)


# --- what may stand in a row instead of a number ---


def is_given(place: int) -> Callable[[Children], bool]:
    """Whether an optional part is there."""
    return lambda c: c[place] is not None


def has_word(*types: str) -> Callable[[Children], bool]:
    """Whether a word is there."""
    return lambda c: any(is_token(child, *types) for child in c)


def word_at(place: int) -> Callable[[Children], str]:
    """A token as it is written."""
    return lambda c: str(c[place].value)


def several(node: type[syntax.Node]) -> Callable[[Children], syntax.Node]:
    """A node over several nodes; a single one stands for itself."""
    return lambda c: make(node, c, items) if len(items := nodes_in(c)) > 1 else items[0]


def built_by(row: Any, c: Children) -> Any:
    """The value that a rule of a grammar gives, built by its row of the table."""
    if isinstance(row, int):
        return field_of(c[row])
    if not isinstance(row, tuple):
        return row(c)
    node, *fields = row
    return make(node, c, *(_part(f, c) for f in fields))


def _part(field: Any, c: Children) -> Any:
    if isinstance(field, int):
        return field_of(c[field])
    return field(c) if callable(field) else field


EXPRESSIONS: Rows = {
    "name": 0,
    "number": 0,
    "prefix": (syntax.Prefix, word_at(0), 1),
    "binary": (syntax.Binary, word_at(1), 0, 2),
    "conditional": (syntax.Conditional, 0, 2, 4),
    "viewed": (syntax.Viewed, 0, 2),
    "interval": (syntax.Interval, 0, 2),
    "bracketed": (syntax.Bracketed, 1),
    "list": (syntax.ListOf, nodes_in),
    "ray": (syntax.Ray, 2, 4, 6),
    "alternatives": several(syntax.Alternatives),
    "sequence": several(syntax.Sequence),
    "grouped": 1,
    "marked": (syntax.Marked, 1, 3),
    "places": (syntax.Places, tuple),
}
"""Rules of `expressions.lark`."""
SHARED: Rows = {
    **EXPRESSIONS,
    "item": 0,
    "hole": 0,
    "format": (syntax.Format, 1),
    "untested": (syntax.Untested, 1, 2),
    "claim_symmetric": (syntax.Claim, "symmetric", 3, None, (), is_given(4)),
}
RULES: Rows = {
    **SHARED,
    "game": (syntax.GameName, 1, 3),
    "players": (syntax.Players, names_in, -1),
    "option": (syntax.Option, 1, 3, 5),
    "board": (syntax.Board, 1, 2, 4, 6, 8, 10, 12, 13, 15),
    "label": (syntax.Label, 1, 3, 5),
    "pieces": (syntax.Pieces, nodes_in),
    "piece": (syntax.PieceKind, 0, 1),
    "links": (syntax.Links, 1, 3),
    "sees": (syntax.Sees, 1),
    "without": (syntax.Without, nodes_in),
    "setup": (syntax.Setup,),
    "after_turn": (syntax.AfterTurn,),
    "move": (syntax.MoveKind, 1),
    "joined": (syntax.WriteTogether,),
    "turn": (syntax.Turn, 2, is_given(0)),
    "otherwise": (syntax.Otherwise, 0, 2),
    "in_order": several(syntax.InOrder),
    "one_of": several(syntax.Either),
    "one_move": (syntax.OneMove, 0),
    "longest": (syntax.Longest, 3, 2),
    "group": 1,
    "claim_always": (syntax.Claim, "always", None, 2),
    "claim_start": (syntax.Claim, "start", None, 2),
    "claim_never": (syntax.Claim, "never", 2, None),
    "claim_bound": (syntax.Claim, "bound", 1, 3),
    "chosen": (syntax.WithOption, 0, 2),
    "effect": 0,
    "choose": (syntax.Choose, 1, 3),
    "chance": (syntax.Choose, 1, 3, 5, has_word("CHANCE")),
    "write": (syntax.Write, 1),
    "need": (syntax.Need, 1),
    "put": (syntax.Put, 1, 2, 4),
    "clear": (syntax.Clear, 1, 3),
    "move_piece": (syntax.MovePiece, 1, 3, 5, has_word("UNDER")),
    "move_each": (syntax.MoveEach, 2, 4, 6),
    "link": (syntax.Link, 1, 3, has_word("UNLINK")),
    "link_each": (syntax.LinkEach, 2, 4, 6, has_word("UNLINK")),
    "loop": (syntax.Loop, 1, 3),
    "again": (syntax.Again,),
    "perform_move": (syntax.PerformMove, 0, 1),
    "swap": (syntax.SwapSides,),
}
"""Rules of `rules.lark`."""
