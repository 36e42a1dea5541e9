"""What stands in the book of an engine: how decisions are written, and what its player is told.

In: the notation of a game, a player.  Out: words: parts of texts, tabulated by the choices of a
decision, for `face.write_decision`; numbers of the player for `choosing.py` and `openings.py`.
Refuses texts that depend on the position, or a part of which depends on too many choices at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from rulewright.app.build.judge import ChoiceRule, EnginePlayer
from rulewright.compiler.layout import StateLayout
from rulewright.compiler.passes.choices import choice_places
from rulewright.compiler.runtime import float_bits
from rulewright.errors import Fault, RulewrightError
from rulewright.games.engine.notation import Digit, Notation
from rulewright.ground.printable import amount
from rulewright.model import expressions as m
from rulewright.model import rules as r
from rulewright.model.evaluation import OpeningLine
from rulewright.model.expressions import Type
from rulewright.model.walk import nodes
from rulewright.reference.decisions import NONE
from rulewright.reference.effects import Effects
from rulewright.reference.evaluate import evaluate
from rulewright.reference.evaluation import chosen_slots
from rulewright.reference.play import ReferencePlay
from rulewright.search.one_ply import value_words

MOST = 100_000
"""Texts of one part that are tabulated."""


class BookWriter:
    """Words, with texts and tables of texts written once; places count from *first*."""

    def __init__(self, first: int) -> None:
        """Begin with an empty book."""
        self.words: list[int] = []
        self._first = first
        self._texts: dict[str, int] = {}
        self._tables: dict[tuple[str, ...], int] = {}

    def put(self, words: Sequence[int]) -> int:
        """Append words to the book; the place of the first."""
        at = self._first + len(self.words)
        self.words += words
        return at

    def text(self, text: str) -> int:
        """The place of a text: its length in bytes, then these, eight in a word."""
        if text not in self._texts:
            data = text.encode()
            words = [
                int.from_bytes(data[i : i + 8], "little", signed=len(data[i : i + 8]) == 8)
                for i in range(0, len(data), 8)
            ]
            self._texts[text] = self.put([len(data), *words])
        return self._texts[text]

    def table(self, texts: tuple[str, ...]) -> int:
        """The place of a list of places of texts."""
        if texts not in self._tables:
            self._tables[texts] = self.put([self.text(text) for text in texts])
        return self._tables[texts]


def written_down(play: ReferencePlay, layout: StateLayout, book: BookWriter) -> int:
    """Write down how decisions are written; where the moves' places lie."""
    notation = Notation.of(play, layout)
    if notation.has_lazy:
        name = play.rules.name
        raise RulewrightError(
            f"an engine to take away cannot write the decisions of {name}: their texts depend on "
            "the position, or on choices without a known range"
        )
    records = [[1, book.table((NONE,)), 0]]
    for way in notation.moves:
        parts = list(_parts(play, way.move, way.digits))
        record = [len(parts)]
        for choices, texts in parts:
            record += [book.table(texts), len(choices)]
            factor = 1
            for digit in choices:
                record += [digit.at, digit.low, factor]
                factor *= digit.size
        records.append(record)
    places = [book.put(record) for record in records]
    return book.put(places)


def _parts(
    play: ReferencePlay, move: r.MoveKind, digits: tuple[Digit, ...]
) -> Iterator[tuple[list[Digit], tuple[str, ...]]]:
    """Each part of a move's text: the choices that it shows, and its texts by these."""
    write = next((s for s in move.body if isinstance(s, r.Write)), None)
    assert write is not None, "every move has a notation"
    whole = write.notation
    pieces: tuple[Any, ...] = whole.parts if isinstance(whole, m.Text) else (whole,)
    for piece in pieces:
        if isinstance(piece, str):
            yield [], (piece,)
            continue
        slots, lets = _slots_of(piece, move)
        choices = [digit for digit in digits if digit.slot in slots]
        count = 1
        for digit in choices:
            count *= digit.size
        if count > MOST:
            much = amount(count, "choice")
            reason = f"a part of how `{move.name}` is written depends on {much} at once"
            raise RulewrightError(f"an engine to take away has no room for that: {reason}")
        notation = piece if isinstance(piece, m.Text | m.TextChoice) else m.Text((piece,))
        yield choices, tuple(_texts(play, move, notation, choices, lets))


def _slots_of(piece: object, move: r.MoveKind) -> tuple[set[int], set[int]]:
    """The slots that a part of a text needs, and which of these a `let` gives."""
    binds = {s.slot: s.value for s in move.body if isinstance(s, r.Let)}
    slots, todo = set[int](), list(nodes(piece))
    while todo:
        node = todo.pop()
        if isinstance(node, m.Local) and node.slot not in slots:
            slots.add(node.slot)
            if node.slot in binds:
                todo += nodes(binds[node.slot])
    return slots, slots & set(binds)


def _texts(
    play: ReferencePlay, move: r.MoveKind, notation: m.Notation, digits: list[Digit], lets: set[int]
) -> Iterator[str]:
    """The texts of a part for all values of the digits, those of the first one changing first."""
    context: Any = play.context(play.first)
    context.budget = None  # what is only written costs nobody anything
    for reversed_values in product(*(range(digit.size) for digit in reversed(digits))):
        frame: list[Any] = [None] * move.slots
        for digit, value in zip(digits, reversed(reversed_values), strict=True):
            frame[digit.slot] = digit.value(value)
        context.frame = frame
        try:
            for statement in move.body:
                if isinstance(statement, r.Let) and statement.slot in lets:
                    frame[statement.slot] = evaluate(statement.value, context)
            yield Effects.written(notation, context, play.rules)
        except Fault:  # of values that are never chosen together
            yield ""


# --- the player ---


def described(
    play: ReferencePlay, layout: StateLayout, player: EnginePlayer, book: BookWriter
) -> int:
    """Write down what a player is told; where the words for `choosing.player` lie."""
    ranks = {name: rank for rank, name in enumerate(player.prefer)}
    last = len(ranks)
    prefer = book.put([last, *(ranks.get(move.name, last) for move in play.rules.moves)])
    values = book.put([word for value in player.values for word in value_words(value)])
    ways = book.put([len(player.ways), *(word for way in player.ways for word in _way(way))])
    turns = [book.text(text) for text in player.turns]
    lines = [word for line in player.lines for word in _line(line)]
    opening = book.put([player.random, len(turns), len(player.lines), *turns, *lines])
    sites = book.put([-1, *(_site(move, layout.words) for move in play.rules.moves)])
    return book.put([int(player.ties), prefer, values, ways, opening, sites])


def _way(way: ChoiceRule) -> list[int]:
    if way.condition is None:
        return [way.how, way.by, 0, 0, 0, 0, 0]
    first, sign, second, number = way.condition
    return [way.how, way.by, 1, first, sign, -1 if second is None else second, float_bits(number)]


def _line(line: OpeningLine) -> list[int]:
    return [line.move, line.last, len(line.sets), float_bits(float(line.chance))]


def _site(move: r.MoveKind, words: int) -> int:
    """The word of a row that says which site was chosen, of several the last one; -1 for none."""
    slots = [slot for _, slot in chosen_slots(move)]
    places = choice_places(move, words)
    sites = [slot for slot in slots if places[slot][0] is Type.SITE]
    return places[slots[-1]][1] if sites and sites[-1] == slots[-1] else -1
