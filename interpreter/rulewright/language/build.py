"""From reductions of the grammar to syntax nodes: one method a rule, called by the parser.

In: what a rule matched, in order: tokens, finished nodes, None for an optional part that is absent.
Out: the node.  Refuses expressions nested deeper than `limits.DEPTH`, so that no later stage needs
to count levels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from rulewright.language import limits, syntax
from rulewright.language.source import Span

N = TypeVar("N", bound=syntax.Node)


class Lexeme(Protocol):
    """What a token of the parser offers."""

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


def _depth(children: Iterable[Child]) -> int:
    deepest = 0
    for child in children:
        if isinstance(child, syntax.Node):
            deepest = max(deepest, child.depth)
        elif isinstance(child, tuple):
            deepest = max(deepest, _depth(child))
    return deepest


def nodes_of(children: Iterable[Child]) -> tuple[Any, ...]:
    """The finished nodes among *children*."""
    return tuple(c for c in children if isinstance(c, syntax.Node))


def name_of(token: Lexeme) -> syntax.Name:
    """The name that *token* is; of a call without its bracket."""
    text = token.value[:-1] if token.type == "CALL" else token.value
    assert token.start_pos is not None
    return syntax.Name(text, span=Span(token.start_pos, token.start_pos + len(text)))


def names_of(children: Iterable[Child]) -> tuple[syntax.Name, ...]:
    """The names among *children*."""
    return tuple(name_of(c) for c in children if is_token(c, "NAME"))


def is_token(child: Child, *types: str) -> bool:
    """Whether *child* is a token of one of *types*."""
    return getattr(child, "type", None) in types


def make(node: type[N], children: Sequence[Child], *fields: Any) -> N:
    """A node over *children*, one level deeper than the deepest of them."""
    span, depth = span_of(children), 1 + _depth(children)
    if depth > limits.DEPTH:
        raise TooDeep(span)
    return node(*fields, span=span, depth=depth)


def number_of(token: Lexeme) -> syntax.Number:
    """The number that *token* is."""
    value: int | float = float(token.value) if "." in token.value else int(token.value[:25])
    return make(syntax.Number, [token], value)


def _whole(digits: str) -> int:
    """A count; -1, which is none, for a fraction and for what no engine will ever count."""
    return -1 if "." in digits or len(digits) > 18 else int(digits)


class Expressions:
    """Rules of `expressions.lark`."""

    def __init__(self, text: TextParser) -> None:
        self._text = text

    def name(self, c: Children) -> syntax.Name:
        return name_of(c[0])

    def number(self, c: Children) -> syntax.Number:
        return number_of(c[0])

    def text(self, c: Children) -> syntax.Text:
        return make(syntax.Text, c, self._text(c[0]))

    def call(self, c: Children) -> syntax.Call:
        arguments, body = c[1] or ((), None)
        return make(syntax.Call, c, name_of(c[0]), arguments, body)

    def arguments(self, c: Children) -> tuple[tuple[syntax.Expr, ...], syntax.Expr | None]:
        has_body = c[-1] is not None
        return nodes_of(c[:-1]), c[-1] if has_body else None

    def prefix(self, c: Children) -> syntax.Prefix:
        return make(syntax.Prefix, c, c[0].value, c[1])

    def binary(self, c: Children) -> syntax.Binary:
        return make(syntax.Binary, c, c[1].value, c[0], c[2])

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
            depth = max(first.depth, 1 + _depth(items[1:]))
            return syntax.Many(sign, joined, span=span_of(c), depth=depth)
        return make(syntax.Many, c, sign, tuple(items))

    def conditional(self, c: Children) -> syntax.Conditional:
        return make(syntax.Conditional, c, c[0], c[2], c[4])

    def viewed(self, c: Children) -> syntax.Viewed:
        return make(syntax.Viewed, c, c[0], name_of(c[2]))

    def interval(self, c: Children) -> syntax.Interval:
        return make(syntax.Interval, c, c[0], c[2])

    def bracketed(self, c: Children) -> syntax.Bracketed:
        return make(syntax.Bracketed, c, c[1])

    def list(self, c: Children) -> syntax.ListOf:
        return make(syntax.ListOf, c, nodes_of(c))

    def ray(self, c: Children) -> syntax.Ray:
        return make(syntax.Ray, c, c[2], c[4], c[6])

    # patterns

    def alternatives(self, c: Children) -> syntax.RayPattern:
        items = nodes_of(c)
        return make(syntax.Alternatives, c, items) if len(items) > 1 else items[0]

    def sequence(self, c: Children) -> syntax.RayPattern:
        items = nodes_of(c)
        return make(syntax.Sequence, c, items) if len(items) > 1 else items[0]

    def repeat(self, c: Children) -> syntax.Repeated:
        times = c[2] if len(c) > 2 else None
        return make(syntax.Repeated, c, c[0], c[1].value, times)

    def grouped(self, c: Children) -> syntax.RayPattern:
        group: syntax.RayPattern = c[1]
        return group

    def captured(self, c: Children) -> syntax.Marked:
        name = name_of(c[1]) if len(c) > 3 else None
        return make(syntax.Marked, c, name, c[-2])

    def places(self, c: Children) -> syntax.Places:
        return make(syntax.Places, c, tuple(c))

    def place(self, c: Children) -> tuple[bool, syntax.Name]:
        return len(c) == 1, name_of(c[-1])


class Effects(Expressions):
    """Lines of a block."""

    def effect(self, c: Children) -> syntax.Effect:
        line: syntax.Effect = c[0]
        return line

    def choose(self, c: Children) -> syntax.Choose:
        return make(syntax.Choose, c, name_of(c[1]), c[3])

    def choose_ray(self, c: Children) -> syntax.ChooseRay:
        return make(syntax.ChooseRay, c, self.ray(c[1:]))

    def write(self, c: Children) -> syntax.Write:
        return make(syntax.Write, c, c[1])

    def need(self, c: Children) -> syntax.Need:
        return make(syntax.Need, c, c[1])

    def let(self, c: Children) -> syntax.Let:
        name, parameters = c[1]
        player = name_of(c[3]) if c[2] else None
        return make(syntax.Let, c, name, parameters, player, c[-1])

    def signature(self, c: Children) -> tuple[syntax.Name, tuple[syntax.Name, ...]]:
        return name_of(c[0]), names_of(c[1:])

    def put(self, c: Children) -> syntax.Put:
        player = name_of(c[1]) if c[1] else None
        return make(syntax.Put, c, player, name_of(c[2]), c[4])

    def clear(self, c: Children) -> syntax.Clear:
        return make(syntax.Clear, c, c[1])

    def carry(self, c: Children) -> syntax.MovePiece:
        return make(syntax.MovePiece, c, c[1], c[3])

    def carry_each(self, c: Children) -> syntax.MoveEach:
        return make(syntax.MoveEach, c, name_of(c[2]), c[4], c[6])

    def link(self, c: Children) -> syntax.Link:
        return make(syntax.Link, c, c[1], c[3], c[0].type == "UNLINK")

    def link_each(self, c: Children) -> syntax.LinkEach:
        return make(syntax.LinkEach, c, name_of(c[2]), c[4], c[6], c[0].type == "UNLINK")

    def assign(self, c: Children) -> syntax.Assign:
        player = name_of(c[2]) if c[1] else None
        return make(syntax.Assign, c, name_of(c[0]), player, c[-1])

    def perform(self, c: Children) -> syntax.Perform:
        return make(syntax.Perform, c, self.call(c))

    def branch(self, c: Children) -> syntax.If:
        word = " ".join(t.value for t in c if is_token(t, "IF", "ELSE"))
        nodes = nodes_of(c)
        return make(syntax.If, c, word, nodes[0] if nodes else None)

    def again(self, c: Children) -> syntax.Again:
        return make(syntax.Again, c)

    def swap(self, c: Children) -> syntax.SwapSides:
        return make(syntax.SwapSides, c)


class Turns:
    """Courses: regular expressions over moves."""

    def turn(self, c: Children) -> syntax.Turn:
        return make(syntax.Turn, c, c[2], c[0] is not None)

    def otherwise(self, c: Children) -> syntax.Otherwise:
        return make(syntax.Otherwise, c, c[0], c[2])

    def in_order(self, c: Children) -> syntax.Course:
        return make(syntax.InOrder, c, tuple(c)) if len(c) > 1 else c[0]

    def one_of(self, c: Children) -> syntax.Course:
        items = nodes_of(c)
        return make(syntax.Either, c, items) if len(items) > 1 else items[0]

    def often(self, c: Children) -> syntax.Course:
        sign = "".join(t.value for t in c[1:])
        return make(syntax.Often, c, c[0], sign) if sign else c[0]

    def one_move(self, c: Children) -> syntax.OneMove:
        return make(syntax.OneMove, c, name_of(c[0]))

    def group(self, c: Children) -> syntax.Course:
        course: syntax.Course = c[1]
        return course


def text_of(token: Lexeme) -> str:
    """The inside of a text without braces."""
    return token.value[1:-1]


def _texts(c: Children) -> tuple[str, ...]:
    return tuple(text_of(child) for child in c if is_token(child, "STRING"))


def _chosen(c: Children) -> tuple[syntax.WithOption, ...]:
    return tuple(child for child in c if isinstance(child, syntax.WithOption))


class Claims:
    """`claim ...` lines."""

    def claim_always(self, c: Children) -> syntax.Claim:
        return make(syntax.Claim, c, "always", None, c[2])

    def claim_start(self, c: Children) -> syntax.Claim:
        return make(syntax.Claim, c, "start", None, c[2])

    def claim_never(self, c: Children) -> syntax.Claim:
        return make(syntax.Claim, c, "never", name_of(c[2]), None)

    def claim_bound(self, c: Children) -> syntax.Claim:
        return make(syntax.Claim, c, "bound", name_of(c[1]), c[3])

    def claim_symmetric(self, c: Children) -> syntax.Claim:
        swap = c[4] is not None
        return make(syntax.Claim, c, "symmetric", name_of(c[3]), None, (), swap)

    def claim_after(self, c: Children) -> Any:
        (moves,) = _texts(c)
        return make(syntax.Claim, c, "after", None, c[-1], (), False, None, _chosen(c), moves)

    def claim_illegal(self, c: Children) -> Any:
        decision, moves = (*_texts(c), "")[:2]
        head = "illegal", None, None
        return make(syntax.Claim, c, *head, (), False, None, _chosen(c), moves, decision)

    def claim_wins(self, c: Children) -> syntax.Claim:
        moves = (*_texts(c), "")[0]
        head = "wins", name_of(c[1]), None
        return make(syntax.Claim, c, *head, (), False, name_of(c[2]), _chosen(c), moves)

    def chosen(self, c: Children) -> syntax.WithOption:
        return make(syntax.WithOption, c, name_of(c[0]), c[2])

    def untested(self, c: Children) -> syntax.Untested:
        return make(syntax.Untested, c, name_of(c[1]), text_of(c[2]))

    def claim_perft(self, c: Children) -> syntax.Claim:
        numbers = tuple(_whole(t.value) for t in c if is_token(t, "NUMBER"))
        unit = name_of(c[3]) if c[2] else None
        return make(syntax.Claim, c, "perft", unit, None, numbers)


class Items(Effects, Turns, Claims):
    """Lines at the margin: all rules of `rules.lark`."""

    def item(self, c: Children) -> syntax.Item:
        line: syntax.Item = c[0]
        return line

    def hole(self, c: Children) -> syntax.Expr:
        inside: syntax.Expr = c[0]
        return inside

    def format(self, c: Children) -> syntax.Format:
        return make(syntax.Format, c, number_of(c[1]))

    def game(self, c: Children) -> syntax.GameName:
        return make(syntax.GameName, c, name_of(c[1]))

    def players(self, c: Children) -> syntax.Players:
        return make(syntax.Players, c, name_of(c[1]), name_of(c[2]))

    def option(self, c: Children) -> syntax.Option:
        return make(syntax.Option, c, name_of(c[1]), c[3], c[5])

    def board(self, c: Children) -> syntax.Board:
        width, height = c[2], c[4]
        row_one = name_of(c[6]) if c[5] else None
        return make(syntax.Board, c, name_of(c[1]), width, height, row_one, c[8])

    def path(self, c: Children) -> syntax.BoardLine:
        return make(syntax.BoardLine, c[:-1], names_of(c))

    def label(self, c: Children) -> syntax.Label:
        return make(syntax.Label, c, name_of(c[1]), c[3], c[5])

    def pieces(self, c: Children) -> syntax.Pieces:
        return make(syntax.Pieces, c, nodes_of(c))

    def piece(self, c: Children) -> syntax.PieceKind:
        letters = c[1].value[1:-1] if c[1] else None
        return make(syntax.PieceKind, c, name_of(c[0]), letters)

    def links(self, c: Children) -> syntax.Links:
        return make(syntax.Links, c, name_of(c[1]), c[3])

    def state(self, c: Children) -> syntax.StateVariable:
        each = c[2] is not None
        value, limits_ = c[4], c[6]
        within = any(is_token(t, "WITHIN") for t in c)
        unseen = any(is_token(t, "UNSEEN") for t in c)
        return make(syntax.StateVariable, c, name_of(c[1]), each, value, limits_, within, unseen)

    def setup(self, c: Children) -> syntax.Setup:
        return make(syntax.Setup, c)

    def action(self, c: Children) -> syntax.Action:
        return make(syntax.Action, c, *c[1])

    def move(self, c: Children) -> syntax.MoveKind:
        return make(syntax.MoveKind, c, name_of(c[1]))

    def end(self, c: Children) -> syntax.End:
        score = c[1] if c[0].type == "SCORE" else None
        return make(syntax.End, c, c[0].value, score, c[-1])

    def joined(self, c: Children) -> syntax.WriteTogether:
        return make(syntax.WriteTogether, c)
