"""The faults that authors make, each as a small change of a text: what stands there, what might.

In: the source of a rules file and its syntax.  Out: changes by spans, in the order of the text.
Claims, names, letters and notation stay as they are: they say what the game should be, or how it
looks.  Whether a changed text still checks, and whether it plays otherwise, is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from attrs import frozen

from rulewright.language import syntax as s
from rulewright.language.source import Source, Span
from rulewright.language.syntax.statement_roles import statements_that

_CHANGEABLE = statements_that("plays")
_OTHERS: dict[str, tuple[str, ...]] = {
    "own": ("enemy",), "enemy": ("own",), "empty": ("not own",), "full": ("empty",),
    "true": ("false",), "false": ("true",),
    "north": ("south",), "south": ("north",), "east": ("west",), "west": ("east",),
    "northeast": ("southwest",), "southwest": ("northeast",),
    "northwest": ("southeast",), "southeast": ("northwest",),
    "top": ("bottom",), "bottom": ("top",), "left": ("right",), "right": ("left",),
    "orthogonal": ("diagonal",), "diagonal": ("orthogonal",), "around": ("orthogonal",),
    "corners": ("sides",), "sides": ("corners",), "row": ("column",), "column": ("row",),
    "some": ("every",), "every": ("some",), "max": ("min",), "min": ("max",),
}  # fmt: skip
"""The words that a word is mistaken for: the other player, the opposite direction or quantifier."""
_SIGNS: dict[str, tuple[str, ...]] = {
    "=": (">=", "<="), "<>": ("=",), "<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",),
    "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*",), "meets": ("in",),
}  # fmt: skip
_OFTEN: dict[str, tuple[str, ...]] = {
    "?": ("", "*"), "*": ("?", "+"), "+": ("*", ""), "?*": ("?", "*"),
}  # fmt: skip
_VERDICTS = {"win": ("lose", "draw"), "lose": ("win", "draw"), "draw": ("win",)}
_LINES = (s.Need, s.Put, s.Clear, s.MovePiece, s.MoveEach, s.Link, s.LinkEach, s.Assign,
          s.Perform, s.Again, s.SwapSides)  # fmt: skip
"""Statements of a block that may be forgotten."""
_TAILS = {
    s.StateVariable: r" +(with +pieces|within +turn|unseen|hidden)$",
    s.Board: r" +(from +top|where .*)$",
}
"""Ends of statements that may be forgotten."""


@frozen
class Mutation:
    """A change of a text: characters from `start` to `end` become `new`; `what` says the fault."""

    start: int
    end: int
    new: str
    what: str

    def of(self, text: str) -> str:
        """The changed text."""
        return text[: self.start] + self.new + text[self.end :]

    def old(self, text: str) -> str:
        """The text that the change replaces."""
        return text[self.start : self.end]


def mutations(source: Source, rules: s.Rules) -> list[Mutation]:
    """All changes of a file, each text once, in the order of the text."""
    maker = _Maker(source.text, rules)
    texts = {source.text}
    distinct: list[Mutation] = []
    for mutation in sorted(maker.all(), key=lambda m: (m.start, m.end)):
        changed = mutation.of(source.text)
        if changed not in texts:
            texts.add(changed)
            distinct.append(mutation)
    return distinct


@frozen
class _Maker:
    """Makes the changes of one text."""

    text: str
    rules: s.Rules

    def all(self) -> Iterator[Mutation]:
        """The changes of every statement, and of the order of ends."""
        items = [item for item in self.rules.items if isinstance(item, _CHANGEABLE)]
        for item in items:
            yield from self._item(item)
        for first, second in pairwise(items):
            if isinstance(first, s.End) and isinstance(second, s.End):
                yield self._exchanged(first.span, second.span, "ends in another order")

    # --- pieces of text ---

    def _at(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def _instead(self, span: Span, new: str, fault: str) -> Mutation:
        return Mutation(span.start, span.end, new, fault)

    def _without(self, start: int, end: int, fault: str) -> Mutation:
        return Mutation(start, end, "", fault)

    def _exchanged(self, first: Span, second: Span, fault: str) -> Mutation:
        between = self.text[first.end : second.start]
        new = self._at(second) + between + self._at(first)
        return Mutation(first.start, second.end, new, fault)

    def _line(self, first: s.Node, last: Span) -> Mutation:
        """The lines of a statement left out, with what stands beside it."""
        start = self.text.rfind("\n", 0, first.span.start) + 1
        end = self.text.find("\n", last.end)
        end = len(self.text) if end < 0 else end + 1
        return self._without(start, end, "clause left out")

    def _never(self, effect: s.Effect) -> Mutation:
        """A statement that is never done, where a text without it would be refused.

        A block has a line, the letters of a piece follow from who is said to put it, and a set-up
        by chance has to set states that look at the board.
        """
        start = self.text.rfind("\n", 0, effect.span.start) + 1
        blanks = self.text[start : effect.span.start]
        last = _last(effect) if isinstance(effect, s.Loop) else effect.span
        span = Span(effect.span.start, last.end)
        lines = self._at(span).replace("\n", "\n  ")
        return self._instead(span, f"if false\n{blanks}  {lines}", "clause left out")

    # --- statements ---

    def _item(self, item: s.Item) -> Iterator[Mutation]:
        match item:
            case s.Option() | s.StateVariable():
                value = item.default if isinstance(item, s.Option) else item.value
                yield from self._inside(value)
                yield from self._tail(item)
            case s.MoveKind() | s.Action():
                yield from self._block(item.block)
                yield from self._mixed(item)
            case s.Setup() | s.AfterTurn():
                yield from self._block(item.block)
            case s.Turn():
                if item.first:
                    yield self._line(item, item.span)
                yield from self._inside(item.course)
            case s.End():
                yield self._line(item, item.span)
                for other in _VERDICTS.get(item.verdict, ()):
                    start = item.span.start
                    span = Span(start, start + len(item.verdict))
                    yield self._instead(span, other, "another verdict")
                yield from self._inside(item.score, item.condition)
            case s.Board():
                yield from (self._line(line, line.span) for line in item.block)
                yield from self._tail(item)
                yield from self._inside(item.width, item.height, item.layers, item.where)
            case _:
                yield from self._inside(item)

    def _tail(self, item: s.Node) -> Iterator[Mutation]:
        match = re.search(_TAILS.get(type(item), r"(?!)"), self._at(item.span))
        if match:
            start = item.span.start
            yield self._without(start + match.start(), start + match.end(), "condition left out")

    def _block(self, block: tuple[s.Effect, ...]) -> Iterator[Mutation]:
        for number, effect in enumerate(block):
            alone = isinstance(effect, _LINES) and len(block) == 1
            if alone or isinstance(effect, s.Put) or self._sets_up(effect):
                yield self._never(effect)
            elif isinstance(effect, _LINES):
                yield self._line(effect, effect.span)
            if isinstance(effect, s.If):
                yield from self._branch(effect, block[number + 1 : number + 2])
            elif isinstance(effect, s.Loop):
                yield from self._block(effect.block)
                alone = len(block) == 1
                yield self._never(effect) if alone else self._line(effect, _last(effect))
                yield from self._inside(effect.domain)
            elif not isinstance(effect, s.Write):
                yield from self._inside(effect)
            if isinstance(effect, s.Assign) and effect.player is not None and not effect.at:
                end = effect.player.span.end
                yield self._without(effect.name.span.end, end, "player left out")

    def _sets_up(self, effect: s.Effect) -> bool:
        """Whether a statement of the set-up gives a state its first value."""
        setups = (item.block for item in self.rules.items if isinstance(item, s.Setup))
        return isinstance(effect, s.Assign) and any(effect in block for block in setups)

    def _branch(self, effect: s.If, following: tuple[s.Effect, ...]) -> Iterator[Mutation]:
        yield from self._block(effect.block)
        alone = not (following and isinstance(following[0], s.If) and following[0].word != "if")
        if effect.block and (alone or effect.word != "if"):
            yield self._line(effect, _last(effect))
        if effect.condition is not None:
            opposite = f"not ({self._at(effect.condition.span)})"
            yield self._instead(effect.condition.span, opposite, "condition turned round")
            yield from self._inside(effect.condition)

    def _mixed(self, move: s.MoveKind | s.Action) -> Iterator[Mutation]:
        """A chosen name where another one of the same block should stand."""
        declared = list(_declared(move))
        names = list(dict.fromkeys(name.text for name in declared))
        places = {name.span.start for name in declared}
        for node in s.nodes(move.block, texts=False):
            if isinstance(node, s.Name) and node.text in names and node.span.start not in places:
                others = [name for name in names if name != node.text]
                at = names.index(node.text)
                if others:
                    yield self._instead(node.span, others[at % len(others)], "another name")

    # --- expressions, patterns and courses ---

    def _inside(self, *roots: object) -> Iterator[Mutation]:
        for node in s.nodes(*roots, texts=False):
            yield from self._node(node)

    def _node(self, node: s.Node) -> Iterator[Mutation]:
        match node:
            case s.Number(value=value) if isinstance(value, int):
                others = [value + 1, value - 1] if value else [1]
                yield from (self._instead(node.span, str(n), "another number") for n in others)
            case s.Name(text=word):
                named = (item for item in self.rules.items if isinstance(item, s.Players))
                players = [n.text for p in named for n in p.names]
                words = _OTHERS.get(word, ())
                if word in players:
                    words = tuple(n for n in players if n != word)
                yield from (self._instead(node.span, n, "another word") for n in words)
            case s.Many(items=items):
                yield from self._fewer([i.span for i in items], "part left out")
                yield from self._joined(node)
            case s.Either(items=items) | s.Alternatives(items=items):
                yield from self._fewer([i.span for i in items], "choice left out")
            case s.InOrder(items=items):
                yield from self._fewer([i.span for i in items], "part left out")
                for first, second in pairwise(items):
                    yield self._exchanged(first.span, second.span, "another order")
            case s.Sequence(items=items):
                yield from self._fewer([i.span for i in items], "part left out")
            case s.Places(items=places):
                yield from self._places(node, places)
            case s.Otherwise(first=first, second=second):
                between = Span(first.span.end, second.span.start)
                new = self._at(between).replace("else", "or")
                yield self._instead(between, new, "`else` taken for `or`")
                yield self._without(first.span.end, second.span.end, "choice left out")
            case _:
                yield from self._expression(node)

    def _expression(self, node: s.Node) -> Iterator[Mutation]:
        match node:
            case s.Often(sign=sign) | s.Repeated(sign=sign) if self._at(node.span).endswith(sign):
                span = Span(node.span.end - len(sign), node.span.end)
                yield from (self._instead(span, n, "how often") for n in _OFTEN.get(sign, ()))
            case s.Binary(sign=sign, left=left, right=right):
                between = Span(left.span.end, right.span.start)
                for other in _SIGNS.get(sign, ()):
                    new = self._at(between).replace(sign, other, 1)
                    yield self._instead(between, new, "another sign")
                if sign == "-":
                    yield self._exchanged(left.span, right.span, "sides exchanged")
            case s.Prefix(sign=sign, operand=operand):
                head = Span(node.span.start, operand.span.start)
                if sign in ("not", "-"):
                    yield self._instead(head, "", f"`{sign}` left out")
                elif sign in ("any", "no"):
                    new = "no " if sign == "any" else "any "
                    yield self._instead(head, new, "`any` and `no` exchanged")
            case s.Conditional(then=then, otherwise=otherwise):
                yield self._exchanged(then.span, otherwise.span, "`else` turned round")
            case s.Viewed(operand=operand):
                yield self._without(operand.span.end, node.span.end, "player left out")
            case s.Call(arguments=arguments, body=body) if len(arguments) > 1 and body is None:
                last, before = arguments[-1].span, arguments[-2].span
                yield self._without(before.end, last.end, "argument left out")
                yield self._exchanged(before, last, "arguments exchanged")

    def _fewer(self, spans: list[Span], fault: str) -> Iterator[Mutation]:
        """Each of several parts left out, with what joins it to its neighbour."""
        if len(spans) < 2:
            return
        yield self._without(spans[0].start, spans[1].start, fault)
        for first, second in pairwise(spans):
            yield self._without(first.end, second.end, fault)

    def _joined(self, node: s.Many) -> Iterator[Mutation]:
        other = {"and": "or", "or": "and"}.get(node.sign)
        if other is None:
            return
        new = f" {other} ".join(self._at(item.span) for item in node.items)
        yield self._instead(node.span, new, f"`{other}` for `{node.sign}`")

    def _places(
        self, node: s.Places, places: tuple[tuple[bool, s.Name], ...]
    ) -> Iterator[Mutation]:
        parts = re.findall(r"(?:not +)?\w+", self._at(node.span))
        if len(parts) != len(places):
            return
        for number, part in enumerate(parts):
            rest = [p for n, p in enumerate(parts) if n != number]
            if rest:
                yield self._instead(node.span, " ".join(rest), "part left out")
            if part.startswith("not "):
                positive = [*parts[:number], part[4:].strip(), *parts[number + 1 :]]
                yield self._instead(node.span, " ".join(positive), "`not` left out")


def _last(effect: s.If | s.Loop) -> Span:
    """The span of the last statement in the block of a branch or a loop."""
    inner = effect.block[-1]
    return _last(inner) if isinstance(inner, s.If | s.Loop) and inner.block else inner.span


def _declared(move: s.MoveKind | s.Action) -> Iterator[s.Name]:
    """The names that a block gives to what is chosen and worked out."""
    if isinstance(move, s.Action):
        yield from move.parameters
    for node in s.nodes(move.block, texts=False):
        match node:
            case s.Choose(name=name) | s.Marked(name=s.Name() as name):
                yield name
            case s.Let(name=name, parameters=()):
                yield name
