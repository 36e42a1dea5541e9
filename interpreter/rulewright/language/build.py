"""From reductions of the grammars to syntax nodes.

In: what a rule matched, in order: tokens, finished nodes, None for an optional part that is absent.
Out: the node.  Refuses expressions nested deeper than `limits.DEPTH`, so that no later stage needs
to count levels.

Most rules are rows of a table: the node, and for each of its fields the number of the child that
it is, a constant, or a function of all children.  What no row can say has a method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Protocol, TypeVar

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
    span, depth = span_of(children), 1 + _depth(children)
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


def _depth(children: Iterable[Child]) -> int:
    deepest = 0
    for child in children:
        if isinstance(child, syntax.Node):
            deepest = max(deepest, child.depth)
        elif isinstance(child, tuple):
            deepest = max(deepest, _depth(child))
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


def _names(children: Iterable[Child]) -> tuple[syntax.Name, ...]:
    return tuple(name_of(c) for c in children if is_token(c, "NAME"))


def _nodes(children: Iterable[Child]) -> tuple[Any, ...]:
    return tuple(c for c in children if isinstance(c, syntax.Node))


def _texts(children: Iterable[Child]) -> tuple[str, ...]:
    return tuple(field_of(c) for c in children if is_token(c, "STRING"))


def _options(children: Iterable[Child]) -> tuple[syntax.WithOption, ...]:
    return tuple(c for c in children if isinstance(c, syntax.WithOption))


def _whole(token: Lexeme) -> int:
    """A count; -1, which is none, for a fraction and for what no engine will ever count."""
    digits = token.value
    return -1 if "." in digits or len(digits) > 18 else int(digits)


# --- what may stand in a row instead of a number ---


def _given(place: int) -> Callable[[Children], bool]:
    """Whether an optional part is there."""
    return lambda c: c[place] is not None


def _has(*types: str) -> Callable[[Children], bool]:
    """Whether a word is there."""
    return lambda c: any(is_token(child, *types) for child in c)


def _word(place: int) -> Callable[[Children], str]:
    """A token as it is written."""
    return lambda c: str(c[place].value)


def _several(node: type[syntax.Node]) -> Callable[[Children], syntax.Node]:
    """A node over several nodes; a single one stands for itself."""
    return lambda c: make(node, c, items) if len(items := _nodes(c)) > 1 else items[0]


def _built(row: Any, c: Children) -> Any:
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


_EXPRESSIONS: Rows = {
    "name": 0,
    "number": 0,
    "prefix": (syntax.Prefix, _word(0), 1),
    "binary": (syntax.Binary, _word(1), 0, 2),
    "conditional": (syntax.Conditional, 0, 2, 4),
    "viewed": (syntax.Viewed, 0, 2),
    "interval": (syntax.Interval, 0, 2),
    "bracketed": (syntax.Bracketed, 1),
    "list": (syntax.ListOf, _nodes),
    "ray": (syntax.Ray, 2, 4, 6),
    "alternatives": _several(syntax.Alternatives),
    "sequence": _several(syntax.Sequence),
    "grouped": 1,
    "marked": (syntax.Marked, 1, 3),
    "places": (syntax.Places, tuple),
}
"""Rules of `expressions.lark`."""
_SHARED: Rows = {
    **_EXPRESSIONS,
    "item": 0,
    "hole": 0,
    "format": (syntax.Format, 1),
    "untested": (syntax.Untested, 1, 2),
    "claim_symmetric": (syntax.Claim, "symmetric", 3, None, (), _given(4)),
}
_RULES: Rows = {
    **_SHARED,
    "game": (syntax.GameName, 1, 3),
    "players": (syntax.Players, 1, 2),
    "option": (syntax.Option, 1, 3, 5),
    "board": (syntax.Board, 1, 2, 4, 6, 8),
    "label": (syntax.Label, 1, 3, 5),
    "pieces": (syntax.Pieces, _nodes),
    "piece": (syntax.PieceKind, 0, 1),
    "links": (syntax.Links, 1, 3),
    "without": (syntax.Without, _nodes),
    "setup": (syntax.Setup,),
    "move": (syntax.MoveKind, 1),
    "joined": (syntax.WriteTogether,),
    "turn": (syntax.Turn, 2, _given(0)),
    "otherwise": (syntax.Otherwise, 0, 2),
    "in_order": _several(syntax.InOrder),
    "one_of": _several(syntax.Either),
    "one_move": (syntax.OneMove, 0),
    "group": 1,
    "claim_always": (syntax.Claim, "always", None, 2),
    "claim_start": (syntax.Claim, "start", None, 2),
    "claim_never": (syntax.Claim, "never", 2, None),
    "claim_bound": (syntax.Claim, "bound", 1, 3),
    "chosen": (syntax.WithOption, 0, 2),
    "effect": 0,
    "choose": (syntax.Choose, 1, 3),
    "write": (syntax.Write, 1),
    "need": (syntax.Need, 1),
    "put": (syntax.Put, 1, 2, 4),
    "clear": (syntax.Clear, 1),
    "move_piece": (syntax.MovePiece, 1, 3),
    "move_each": (syntax.MoveEach, 2, 4, 6),
    "link": (syntax.Link, 1, 3, _has("UNLINK")),
    "link_each": (syntax.LinkEach, 2, 4, 6, _has("UNLINK")),
    "loop": (syntax.Loop, 1, 3),
    "again": (syntax.Again,),
    "perform_move": (syntax.PerformMove, 0, 1),
    "swap": (syntax.SwapSides,),
}
"""Rules of `rules.lark`."""
_EVALUATOR: Rows = {
    **_SHARED,
    "evaluator": (syntax.EvaluatorName, 1, 3),
    "use": (syntax.Use, _names),
    "factor": (syntax.Factor, 1, 3, 4, 6, 8, _given(10), 11),
    "table": (syntax.Table, 1, 4),
    "path": (syntax.CheapestPath, 1),
    "claim_start": (syntax.ClaimAfter, "", 2),
    "claim_after": (syntax.ClaimAfter, 2, 3),
    "claim_law": (syntax.Claim, "antisymmetric", None, None),
    "scan_line": 0,
    "scan_effect": 0,
    "path_line": 0,
    "register": (syntax.Register, 1, 3),
    "reaction": (syntax.Reaction, 1),
    "give": (syntax.Give, 1),
    "assign": (syntax.Assign, 0, (), None, 2),
    "stop": (syntax.Stop,),
    "source": (syntax.PathFrom, 1, 3),
    "target": (syntax.PathTo, 1, 3),
    "step": (syntax.PathStep, 1, 3, 5, 8, 10, 12, 14),
    "otherwise": (syntax.PathElse, 1),
}
"""Rules of `evaluator.lark`."""
_PERSONALITY: Rows = {
    **_SHARED,
    "personality": (syntax.PersonalityName, 1, 3),
    "extends": (syntax.Extends, 1),
    "use": (syntax.Use, _names),
    "setting": (syntax.Setting, 0, 2, 3),
    "search": (syntax.Search, 1, _nodes),
    "limit": (syntax.Limit, 0, 1, 2),
    "consider": (syntax.Consider, 1, 2, 4, 6),
    "consider_value": (syntax.ConsiderValue, 1, 3, 5),
    "forcing": (syntax.Forcing, 1, 3),
    "must": (syntax.Must, 1),
    "threats": (syntax.Threats, 1),
    "order": (syntax.Order, 1),
    "policy": (syntax.Policy, 1, 3),
    "reply": (syntax.Replies, _names),
    "passing": (syntax.Passing, 1),
    "drawn": (syntax.Drawn, 1),
    "decided": (syntax.Decided, 1),
    "hopeless": (syntax.Hopeless, 1),
    "reduce": (syntax.Reduce, 1),
    "pick_any": (syntax.PickAny, 1),
    "prefer": (syntax.Prefer, _names),
    "ties": (syntax.Ties, 1),
    "opening_random": (syntax.OpeningRandom, 1, 2, 3),
    "opening_moves": (syntax.OpeningMoves, _texts),
    "opening_lines": (syntax.OpeningLines, _names),
}
"""Rules of `personality.lark`."""

_LOOK: Rows = {
    **_SHARED,
    "look": (syntax.LookName, 1, 3),
    "extends": (syntax.ExtendsLook, 1),
    "title": (syntax.Title, 1),
    "tell": (syntax.Tell, 1),
    "colour": (syntax.OwnColour, 1, 3, 5),
    "side": (syntax.SideColour, 1, 3, 4),
    "board": (syntax.BoardMaterial, 1, lambda c: _names(c[2:])),
    "pitch": (syntax.Pitch, 1, lambda c: tuple(field_of(width) for width in c[2:])),
    "view": (syntax.ViewFrom, 2),
    "view_turned": (syntax.ViewTurned, 2),
    "coordinates": (syntax.Coordinates, 1),
    "ground": (syntax.GroundDrawn, 2, 4, 6, 8, 10),
    "piece": (syntax.PieceDrawn, 1, 3, 5, 7, 9, 11, 13),
    "piece_path": (syntax.PiecePath, 1, 3, 5, 8, 10),
    "links": (syntax.LinksDrawn, 1, 3, 4),
    "mark": (syntax.SiteMark, 1, 3, 5, 7),
    "animate": (syntax.Animate, 1, 3, 5),
    "click": (syntax.Click, 1, 3),
    "button": (syntax.MoveButton, 1, 2, 3),
    "show": (syntax.ShowBeside, 1, 3, 4, 6),
    "word": (syntax.MoveWord, 1, 2),
    "refuse": (syntax.Refuse, 1, 2),
    "thumbnail": (syntax.Thumbnail, 2),
}
"""Rules of `look.lark`."""


class NodeBuilder:
    """Builds the nodes of one language; the parser asks for the function of each rule by name."""

    rows: ClassVar[Rows] = _SHARED

    def __init__(self, text: TextParser) -> None:
        self._text = text

    def __getattr__(self, rule: str) -> Callable[[Children], Any]:
        if rule in self.rows:
            return partial(_built, self.rows[rule])
        raise AttributeError(rule)

    # --- expressions ---

    def text(self, c: Children) -> syntax.Text:
        return make(syntax.Text, c, self._text(c[0]))

    def call(self, c: Children) -> syntax.Call:
        arguments, body = c[1] or ((), None)
        return make(syntax.Call, c, name_of(c[0]), arguments, body)

    def arguments(self, c: Children) -> tuple[tuple[syntax.Expr, ...], syntax.Expr | None]:
        return _nodes(c[:-1]), c[-1]

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

    def repeat(self, c: Children) -> syntax.Repeated:
        times = c[2] if len(c) > 2 else None
        return make(syntax.Repeated, c, c[0], c[1].value, times)

    def place(self, c: Children) -> tuple[bool, syntax.Name]:
        return len(c) == 1, name_of(c[-1])

    # --- what rules and evaluators share ---

    def signature(self, c: Children) -> tuple[syntax.Name, tuple[syntax.Name, ...]]:
        return name_of(c[0]), _names(c[1:])

    def let(self, c: Children) -> syntax.Let:
        return make(syntax.Let, c, *c[1], field_of(c[3]), c[-1])

    def branch(self, c: Children) -> syntax.If:
        word = " ".join(t.value for t in c if is_token(t, "IF", "ELSE"))
        nodes = _nodes(c)
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

    rows = _RULES

    def path(self, c: Children) -> syntax.BoardLine:
        names = _names(c)
        if not _has("COLON")(c):
            return make(syntax.BoardLine, c[:-1], None, None, names)
        player = names[1] if _has("FOR")(c) else None
        return make(syntax.BoardLine, c[:-1], names[0], player, names[1 + bool(player) :])

    def state(self, c: Children) -> syntax.StateVariable:
        equal = next(i for i, child in enumerate(c) if is_token(child, "EQUAL"))
        each, (value, *ends) = _has("EACH")(c), _nodes(c[equal:])
        is_timed, is_unseen = _has("WITHIN")(c), _has("UNSEEN")(c)
        range_ = ends[0] if ends else None
        indices = _nodes(c[:equal])
        return make(
            syntax.StateVariable,
            c,
            name_of(c[1]),
            each,
            indices,
            value,
            range_,
            is_timed,
            is_unseen,
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
        return make(syntax.End, c, c[0].value, score, c[-1])

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
        (moves,) = _texts(c)
        return make(syntax.Claim, c, "after", None, c[-1], (), False, None, _options(c), moves)

    def claim_illegal(self, c: Children) -> syntax.Claim:
        decision, moves = (*_texts(c), "")[:2]
        head = "illegal", None, None
        return make(syntax.Claim, c, *head, (), False, None, _options(c), moves, decision)

    def claim_wins(self, c: Children) -> syntax.Claim:
        moves = (*_texts(c), "")[0]
        head = "wins", name_of(c[1]), None
        return make(syntax.Claim, c, *head, (), False, name_of(c[2]), _options(c), moves)

    def claim_perft(self, c: Children) -> syntax.Claim:
        numbers = tuple(_whole(t) for t in c if is_token(t, "NUMBER"))
        return make(syntax.Claim, c, "perft", field_of(c[3]), None, numbers)


class EvaluatorBuilder(NodeBuilder):
    """Builds evaluators."""

    rows = _EVALUATOR

    def scan(self, c: Children) -> syntax.Scan:
        return make(syntax.Scan, c, *c[1])

    def table_row(self, c: Children) -> syntax.Row:
        return make(syntax.Row, c[:-1], _nodes(c))

    def value_of_position(self, c: Children) -> syntax.ValueOf:
        return make(syntax.ValueOf, c, field_of(c[1]), (), name_of(c[5]), _nodes(c[6:]))

    def value_of_move(self, c: Children) -> syntax.ValueOf:
        where = next(i for i, child in enumerate(c) if is_token(child, "FOR"))
        player, parts = name_of(c[where + 1]), _nodes(c[where + 2 :])
        return make(syntax.ValueOf, c, field_of(c[1]), _names(c[4:where]), player, parts)

    def opening(self, c: Children) -> syntax.OpeningLine:
        return self._line(c, False)

    def reply(self, c: Children) -> syntax.OpeningLine:
        return self._line(c, True)

    def _line(self, c: Children, reply: bool) -> syntax.OpeningLine:
        parts: dict[str, list[Child]] = {"": []}
        word = ""
        for child in filter(None, c[5:]):
            word = child.type if is_token(child, *_OPENING_WORDS) else word
            parts.setdefault(word, []).append(child)
        condition, chance = (_nodes(parts.get(w, ()))[:1] for w in ("WHEN", "WITH"))
        return make(
            syntax.OpeningLine, c, name_of(c[1]), name_of(c[4]), _names(parts.get("AFTER", ())),
            _nodes(parts.get("FROM", ())), *(condition or (None,)), *(chance or (None,)),
            reply,
        )  # fmt: skip


_OPENING_WORDS = ("AFTER", "FROM", "WHEN", "WITH")
"""Words that begin a part of an opening or a reply."""


class PersonalityBuilder(NodeBuilder):
    """Builds personalities."""

    rows = _PERSONALITY

    def pick_best(self, c: Children) -> syntax.PickBest:
        sign = c[5].value if c[5] else ""
        return make(syntax.PickBest, c, field_of(c[2]), field_of(c[4]), sign, field_of(c[6]))


class LookBuilder(NodeBuilder):
    """Builds looks."""

    rows = _LOOK
